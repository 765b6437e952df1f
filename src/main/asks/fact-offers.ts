import { attemptId } from '../../core/ground/identity'
import type { Earlier } from '../../core/agent/dialog'
import type { AgentResult } from '../../core/agent/straight'
import type { MemoryStore } from '../../core/ground/ports'
import { correctedIn } from '../../core/memory/facts/corrected'
import { FACT_KIND } from '../../core/memory/facts/fact'
import { statedIn } from '../../core/memory/facts/stated'
import type { Tells } from '../../core/memory/facts/telling'
import { isComplaint } from '../../core/verdict/person-signs'
import type { AskDetail, AskInfo, FactOffer } from '../../shared/domain/ask'
import { BASELINE } from '../../shared/domain/experiment'
import type { ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import { detailOf, type AskEntry } from './ask-entry'
import type { AskEvent } from './ask-record'

// What a message tells in passing. It is offered beside the answer, and nothing of it is kept before the person says so.

/** What an ask's message tells in passing, or says instead of an answer, and the memory does not know yet, a sentence each; nothing where nothing is to be remembered. */
export async function offersOf(
  { spec }: AskInfo,
  earlier: Earlier,
  bank: MemoryStore,
  tells: Tells,
): Promise<string[]> {
  if (spec.world !== null || !spec.remember || spec.method === BASELINE) return []
  const correction = correctedIn(
    earlier.turns.map(({ text }) => text),
    spec.text,
    isComplaint,
  )
  const stated = correction === null ? statedIn(spec.text, tells) : [correction]
  if (stated.length === 0) return []
  const facts = new Set((await bank.items(FACT_KIND)).map(({ statement }) => statement))
  return stated.filter((statement) => !facts.has(statement))
}

/** Those of them that no earlier try was offered. */
export function newOffers({ state }: AskEntry, { offers = [] }: AgentResult): FactOffer[] {
  const before = new Set(state.attempts.flatMap((one) => one.offers.map(({ statement }) => statement)))
  return offers
    .filter((statement) => !before.has(statement))
    .map((statement) => ({ statement, state: 'open', fact: null }))
}

/** Keeps a statement of an ask's attempt as a fact, and says which one. */
export type KeepFact = (
  ask: AskInfo,
  from: {
    /** That the attempt was made with. */
    readonly memoryId: string
    readonly trajectoryId: string
    readonly statement: string
    readonly id: string
  },
) => Promise<ItemRef>

export interface FactOffers {
  /** Keeps what a message told in passing as a fact, or leaves it. @throws LoamError `NOT_FOUND` where it is not offered, or kept already */
  keepFact(askId: string, attempt: number, statement: string, keep: boolean): Promise<AskDetail>
}

/** What a person says about what was offered. */
export const createFactOffers = (
  find: (askId: string) => AskEntry,
  record: (entry: AskEntry, event: AskEvent) => Promise<AskInfo>,
  keepFact: KeepFact,
  now: () => string,
): FactOffers => ({
  async keepFact(askId, index, statement, keep) {
    const entry = find(askId)
    const attempt = entry.state.attempts[index]
    const offers = attempt?.offers ?? []
    const at = offers.findIndex((one) => one.statement === statement && one.state !== 'kept')
    if (!attempt || at < 0)
      throw new LoamError('NOT_FOUND', `Nothing of the kind is offered: "${statement}".`, {
        suggestion: 'Pick one of those beside the answer.',
      })
    const trajectoryId = attemptId(askId, index)
    const fact = keep
      ? await keepFact(entry.state.ask, {
          memoryId: attempt.trajectory.memoryId,
          trajectoryId,
          statement,
          id: `fact-${trajectoryId}-told-${at}`,
        })
      : null
    const answered: FactOffer = { statement, state: keep ? 'kept' : 'left', fact }
    await record(entry, {
      kind: 'offered',
      attempt: index,
      offers: offers.with(at, answered),
      at: now(),
    })
    return detailOf(entry)
  },
})
