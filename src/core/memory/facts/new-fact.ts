import type { MemoryEvent, MemoryStore } from '../../ground/ports'
import { FACT_KIND, type Fact } from './fact'
import { replacedEvent } from './kind'
import { slotsOf, statementFrom, subjectOf } from './statement'

/** Where somebody said a fact. */
export interface FactOrigin {
  /** Of the fact. */
  readonly id: string
  /** The ask it was said in, its attempt, and the environment that asks are filed under. */
  readonly runId: string
  readonly trajectoryId: string
  readonly environment: string
  /** ISO time. */
  readonly at: string
}

/** A fact as it was said, to be remembered. */
export const rememberedFact = (statement: string, origin: FactOrigin): Fact => ({
  ...madeFact(statement, origin),
  source: 'remember',
})

/** The fact that a correction says: the question that was answered wrongly, and the right answer. */
export const correctedFact = (question: string, answer: string, origin: FactOrigin): Fact => ({
  ...madeFact(statementFrom(question, answer), origin),
  question: question.trim(),
  answer: answer.trim(),
  source: 'correction',
})

const madeFact = (statement: string, { id, runId, trajectoryId, environment, at }: FactOrigin) =>
  ({
    kind: FACT_KIND,
    ...{ id, runId, environment, trajectoryIds: [trajectoryId], createdAt: at },
    ...{ statement, about: subjectOf(statement), question: null, answer: null, replaces: [] },
  }) as const

/** What keeping a fact comes to. */
export interface KeptFact {
  /** The fact that says so from here on: a new one, or one that said so already. */
  readonly id: string
  readonly events: readonly MemoryEvent[]
}

/** The events that keep a fact: facts on the same that say otherwise go out of use, one that says the same stays alone. */
export async function keepFact(fact: Fact, bank: Pick<MemoryStore, 'items'>): Promise<KeptFact> {
  const live = (await bank.items(FACT_KIND)).filter(({ id }) => id !== fact.id)
  const same = live.find(
    ({ statement, question }) => statement === fact.statement && question === fact.question,
  )
  if (same) return { id: same.id, events: [] }
  const slots = new Set(slotsOf(fact))
  const replaces = live.filter((one) => slotsOf(one).some((slot) => slots.has(slot))).map(({ id }) => id)
  return {
    id: fact.id,
    events: [
      { kind: 'memory-added', memory: { ...fact, replaces } },
      ...replaces.map((id) => replacedEvent(id, fact.createdAt)),
    ],
  }
}
