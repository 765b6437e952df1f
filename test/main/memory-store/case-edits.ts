import { randomUUID } from 'node:crypto'
import type { MemoryEvent } from '../../../src/core/memory/events'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import type { CaseCorrection, CaseMark, CaseRecord } from '../../../src/shared/domain/case'

/** What a person does to the cases of a memory, as its journal has it. */
export function caseEdits(memory: Pick<StoredMemory, 'commit' | 'get' | 'memorySource'>) {
  const at = (): string => memory.memorySource.now().toISOString()
  const read = async (caseId: string): Promise<CaseRecord> => {
    const known = await memory.get(caseId)
    if (!known) throw new Error(`There is no case ${caseId}.`)
    return known
  }
  const commitAndRead = async (event: MemoryEvent & { readonly caseId: string }): Promise<CaseRecord> => {
    await memory.commit([event])
    return read(event.caseId)
  }
  return {
    deleteCase: (caseId: string) => commitAndRead({ kind: 'case-deleted', caseId, at: at() }),
    /** Null takes the mark back. */
    markCase: (caseId: string, mark: CaseMark | null) =>
      commitAndRead({ kind: 'case-marked', caseId, mark, at: at() }),
    /** What reads so already is left as it is. */
    async correctCase(caseId: string, { state, plan, reward }: CaseCorrection): Promise<CaseRecord> {
      const before = await read(caseId)
      if (before.state === state && before.plan === plan && before.reward === reward) return before
      const id = `correction-${randomUUID()}`
      return commitAndRead({ kind: 'case-corrected', id, caseId, state, plan, reward, at: at() })
    },
  }
}
