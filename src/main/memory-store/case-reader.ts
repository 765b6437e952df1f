import type { CaseRecord, CaseVersion } from '../../shared/domain/case'
import { lastCorrectionOf, versionOf } from '../../core/memory/cases/curation'
import type { MemoryEvent } from '../../core/memory/events'
import type { CaseEntry, MemoryState } from '../../core/memory/entries'

/** Reads cases where the fold of the journal says they are. */
export interface CaseReader {
  /** A case as it is now: corrected, marked, deleted or not. */
  read(entry: CaseEntry): Promise<CaseRecord>
  /** How it read, oldest first; the last one counts. */
  versions(entry: CaseEntry): Promise<CaseVersion[]>
  /** The cases that events not yet applied correct, as they will read. */
  corrected(fresh: readonly MemoryEvent[]): Promise<CaseRecord[]>
}

export function caseReader(
  { cases, curation }: Pick<MemoryState, 'cases' | 'curation'>,
  readOne: (at: number) => Promise<MemoryEvent | null>,
): CaseReader {
  async function asWritten({ id, at }: CaseEntry): Promise<CaseRecord> {
    const event = await readOne(at)
    if (event?.kind !== 'case-added') throw new Error(`Case ${id} is not where the journal had it`)
    return event.case
  }

  async function correction(at: number): Promise<CaseVersion> {
    const event = await readOne(at)
    if (event?.kind !== 'case-corrected') throw new Error('A correction is not where the journal had it')
    return versionOf(event)
  }

  async function read(entry: CaseEntry): Promise<CaseRecord> {
    const mark = curation.marks.get(entry.id)
    const at = lastCorrectionOf(curation, entry.id)
    const output = await asWritten(entry)
    const base = at === null ? output : correctedBy(output, await correction(at))
    return { ...base, deletedAt: entry.deletedAt, ...(mark && { mark }) }
  }

  return {
    read,
    async versions(entry) {
      const corrections = [...(curation.corrections.get(entry.id)?.values() ?? [])]
      const output = await asWritten(entry)
      return [
        versionOf({ ...output, at: output.createdAt }),
        ...(await Promise.all(corrections.map(correction))),
      ]
    },
    async corrected(fresh) {
      const foundMap = new Map<string, CaseRecord>()
      for (const event of fresh) {
        if (event.kind !== 'case-corrected') continue
        const entry = cases.get(event.caseId)
        const addition = fresh.find((each) => each.kind === 'case-added' && each.case.id === event.caseId)
        const before = entry ? await read(entry) : addition?.kind === 'case-added' ? addition.case : null
        if (before) foundMap.set(event.caseId, correctedBy(before, event))
      }
      return [...foundMap.values()]
    },
  }
}

/** What a person put right has their word: it is proven. */
const correctedBy = (
  { probation: _word, ...record }: CaseRecord,
  { state, plan, reward, at }: CaseVersion,
): CaseRecord => ({
  ...record,
  state,
  plan,
  reward,
  correctedAt: at,
})
