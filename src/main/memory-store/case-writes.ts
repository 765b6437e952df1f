import type { CaseRecord } from '../../shared/domain/case'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import type { CaseEntry, MemoryState } from '../../core/memory/entries'
import type { CaseWrite } from '../../core/ground/ports'
import type { CaseIndex } from '../adapters/lancedb/case-index'

export interface CaseWriteSources<At> {
  readonly state: MemoryState<At>
  readonly index: () => Promise<CaseIndex>
  readCase(entry: CaseEntry<At>): Promise<CaseRecord>
  trajectory(id: string): Promise<Trajectory | null>
}

/** Cases whose vectors are fetched at once. */
const READ_AHEAD = 256

/** `MemoryStore.writes`: texts from the journal, vectors from the index. @throws LoamError `DATA_CORRUPT` when the index lacks one */
export function caseWrites<At>({ state, index, readCase, trajectory }: CaseWriteSources<At>) {
  return async function* writes(from: number): AsyncGenerator<CaseWrite> {
    const entries = [...state.cases.values()].slice(Math.max(0, from))
    for (let start = 0; start < entries.length; start += READ_AHEAD) {
      const batch = entries.slice(start, start + READ_AHEAD)
      const vectors = await (await index()).vectorsOf(batch.map(({ id }) => id))
      for (const entry of batch) {
        const vector = vectors.get(entry.id)
        if (!vector) throw missingVector(entry.id)
        const output = await readCase(entry)
        yield { case: output, attempt: await trajectory(output.trajectoryId), vector }
      }
    }
  }
}

const missingVector = (id: string): LoamError =>
  new LoamError('DATA_CORRUPT', `The search index has no vector for case ${id}.`, {
    suggestion: 'Rebuild the index. Nothing is lost: it is made from the journal.',
  })
