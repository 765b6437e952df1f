import { LoamError } from '../../../shared/errors'
import { canonicalJson } from '../../ground/canonical-json'
import type { KindEvent } from '../items/kind'
import { FACT_KIND, replacedEvent, type Fact, type FactNotes } from './fact'
import { overtakes } from './slots'
import { statementFrom, subjectOf } from './statement'

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

/** A fact as it reads in a message of a chat with another program. */
export const chatFact = (statement: string, words: string, origin: FactOrigin): Fact => ({
  ...madeFact(statement, origin),
  ...{ source: 'chat', words },
})

/** The fact that a correction says: the question that was answered wrongly, and the right answer. */
export const correctedFact = (question: string, answer: string, origin: FactOrigin): Fact => ({
  ...madeFact(statementFrom(question, answer), origin),
  question: question.trim(),
  answer: answer.trim(),
  source: 'correction',
})

/** What a program tells. */
export interface ToldFact extends FactOrigin {
  readonly statement: string
  /** What it is about; null: as the statement names it. */
  readonly about: string | null
  /** The program. */
  readonly by: string
  readonly link: Fact['link']
  /** Facts whose place it takes whatever they say. */
  readonly replaces: readonly string[]
  /** Its last day; null: it has no end. */
  readonly until: string | null
  /** What the program notes beside it; null: nothing. */
  readonly notes: FactNotes | null
}

/** Refuses a fact that would be over as soon as it is told. */
export const endsBefore = (until: string): LoamError =>
  new LoamError('BAD_INPUT', `A fact that holds until ${until} is over already.`, {
    suggestion: 'Name a day to come, or leave the end out.',
  })

/** A fact as a program tells it. A statement that does not name its subject gets it in front. */
export const toldFact = ({
  statement,
  about,
  by,
  link,
  replaces,
  until,
  notes,
  ...origin
}: ToldFact): Fact => {
  const plain = statement.replace(/\s+/g, ' ').trim()
  const subject = about?.trim() ?? ''
  const isNamed = subject === '' || subject === 'me' || plain.toLowerCase().includes(subject.toLowerCase())
  const fact = madeFact(isNamed ? plain : `${subject}: ${plain}`, origin)
  return {
    ...fact,
    ...(subject !== '' && { about: subject }),
    by,
    link,
    replaces: [...replaces],
    ...(until !== null && { until }),
    ...(notes !== null && Object.keys(notes).length > 0 && { notes }),
    source: 'program',
  }
}

const madeFact = (statement: string, { id, runId, trajectoryId, environment, at }: FactOrigin) =>
  ({
    kind: FACT_KIND,
    ...{ id, runId, environment, trajectoryIds: [trajectoryId], createdAt: at },
    ...{ statement, about: subjectOf(statement), question: null, answer: null, replaces: [] },
    ...{ by: null, link: null },
  }) as const

/** What keeping a fact comes to. */
export interface KeptFact {
  /** The fact that says so from here on: a new one, or one that said so already. */
  readonly id: string
  /** Those whose place it takes. */
  readonly replaced: readonly Fact[]
  readonly events: readonly KindEvent[]
}

/** What stands beside the words of a fact. */
const besideOf = ({ until = '', notes = {} }: Fact): string => canonicalJson({ until, notes })

/** The events that keep a fact among the live ones: facts on the same that say otherwise go out of use, one that says the same stays alone. */
export function keepFact(fact: Fact, facts: readonly Fact[]): KeptFact {
  const live = facts.filter(({ id }) => id !== fact.id)
  const twins = live.filter(
    ({ statement, question, about }) =>
      statement === fact.statement && question === fact.question && about === fact.about,
  )
  const same = twins.find((one) => besideOf(one) === besideOf(fact))
  if (same) return { id: same.id, replaced: [], events: [] }
  // A link stands beside others of its relation: somebody may know many people.
  const isOver = overtakes(fact)
  const replaced = live.filter(
    (one) =>
      // What says the same with another end, or other notes, says it anew.
      twins.includes(one) ||
      fact.replaces.includes(one.id) ||
      (fact.link === null && one.link === null && isOver(one)),
  )
  const replaces = replaced.map(({ id }) => id)
  return {
    id: fact.id,
    replaced,
    events: [
      { kind: 'memory-added', memory: { ...fact, replaces } },
      ...replaces.map((id) => replacedEvent(id, fact.createdAt)),
    ],
  }
}
