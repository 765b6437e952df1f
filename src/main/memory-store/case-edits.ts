import { randomUUID } from 'node:crypto'
import type { CaseCorrection, CaseMark, CaseRecord } from '../../shared/domain/case'
import type { MemoryEvent } from '../../core/memory/events'

/** What a person does to cases. All of it can be taken back. Each throws `NOT_FOUND` for an unknown case. */
export type CaseEdits = ReturnType<typeof caseEdits>

export function caseEdits(
  commit: (events: readonly MemoryEvent[]) => Promise<void>,
  read: (caseId: string) => Promise<CaseRecord>,
  now: () => Date,
) {
  async function commitAndRead(caseId: string, event: MemoryEvent): Promise<CaseRecord> {
    await commit([event])
    return read(caseId)
  }
  const at = (): string => now().toISOString()
  return {
    /** Marks a case deleted. It can be restored. */
    deleteCase: (caseId: string): Promise<CaseRecord> =>
      commitAndRead(caseId, { kind: 'case-deleted', caseId, at: at() }),
    /** Undoes `deleteCase`. */
    restoreCase: (caseId: string): Promise<CaseRecord> =>
      commitAndRead(caseId, { kind: 'case-restored', caseId, at: at() }),
    /** Pins or mutes a case; null takes that back. */
    markCase: (caseId: string, mark: CaseMark | null): Promise<CaseRecord> =>
      commitAndRead(caseId, { kind: 'case-marked', caseId, mark, at: at() }),
    /** Changes how a case reads. What it read before is kept. */
    async correctCase(caseId: string, { state, plan, reward }: CaseCorrection): Promise<CaseRecord> {
      const before = await read(caseId)
      if (before.state === state && before.plan === plan && before.reward === reward) return before
      const id = `correction-${randomUUID()}`
      return commitAndRead(caseId, { kind: 'case-corrected', id, caseId, state, plan, reward, at: at() })
    },
  }
}
