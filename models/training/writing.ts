/** The writing roles in the demo model's training text: what the expert writes about attempts, in each method's own form. */
import { errorLessonMessages, successLessonMessages } from '../../src/core/methods/evosc/messages'
import { workflowMessages, type WorkflowText } from '../../src/core/methods/awm/messages'
import { enoughMessages, needMessages, summaryMessages } from '../../src/core/methods/scm/messages'
import {
  evolutionMessages,
  noteMessages,
  type Evolution,
  type NoteText,
} from '../../src/core/methods/a-mem/messages'
import type { ChatMessage } from '../../src/core/ports'
import type { Rng } from '../../src/core/random'
import { PEOPLE, PLACES } from '../../src/core/tasks/house-rules/vocabulary'
import { factId, type ExpertAttempt, type StatedFact } from './expert'

/** The prompts the demo model learns to answer besides the environment's own. */
export const WRITING_PROMPTS = [
  'evosc-error-lab-db',
  'evosc-success-lab-db',
  'awm-workflow',
  'scm-need',
  'scm-enough',
  'scm-summary',
  'amem-note',
  'amem-evolution',
] as const

const MOST_FACTS = 6

/** Unique by world and key, the first one wins. */
const unique = (facts: readonly StatedFact[]): StatedFact[] =>
  [...new Map([...facts].reverse().map((fact) => [factId(fact.world, fact.key), fact])).values()].reverse()

/** `Harbor rules: cancelled K, price cents.`, a sentence per world. */
export function rulesText(facts: readonly StatedFact[]): string {
  const worlds = [...new Set(facts.map((fact) => fact.world))]
  return worlds
    .map((world) => {
      const own = facts.filter((fact) => fact.world === world)
      return `${world} rules: ${own.map((fact) => `${fact.key} ${fact.value}`).join(', ')}.`
    })
    .join(' ')
}

/** A text and the facts that can be read off it. */
export interface Written {
  readonly text: string
  readonly facts: readonly StatedFact[]
}

const ownKeys = (attempt: ExpertAttempt): readonly string[] =>
  attempt.keys.map((key) => key.slice(attempt.worldName.length + 1))

/** What the failed attempt did not know or got wrong, corrected by the solved ones; then what is still to be looked up. */
export function errorLesson(successes: readonly ExpertAttempt[], failure: ExpertAttempt): Written {
  const needed = new Set(failure.keys)
  const all = unique([...failure.facts, ...successes.flatMap((made) => made.facts)])
  const isNeeded = (fact: StatedFact): boolean => needed.has(factId(fact.world, fact.key))
  const facts = [...all.filter(isNeeded), ...all.filter((fact) => !isNeeded(fact))].slice(0, MOST_FACTS)
  const held = new Set(facts.map((fact) => factId(fact.world, fact.key)))
  const open = ownKeys(failure).filter((key) => !held.has(factId(failure.worldName, key)))
  const advice = open.length === 0 ? 'Note them first.' : `Look up ${open.join(' and ')} first.`
  return { text: `${rulesText(facts)} ${advice}`.trim(), facts }
}

/** The rules that two solved attempts rested on. */
export function successLesson(first: ExpertAttempt, second: ExpertAttempt): Written {
  const facts = unique([...first.facts, ...second.facts]).slice(0, MOST_FACTS)
  return { text: `${rulesText(facts)} Note them first.`, facts }
}

const PARTICULAR = new RegExp(
  `\\b(\\d{4}-\\d{2}-\\d{2}|\\d{2}/\\d{2}/\\d{4}|\\d+|${[...PEOPLE, ...PLACES].join('|')})\\b`,
  'gi',
)

/** The last statement of a solved attempt without its particulars, after the rules it rests on. */
export function workflow(attempt: ExpertAttempt): WorkflowText & Pick<Written, 'facts'> {
  const statement = /```sql\n([\s\S]*?)\n```/.exec(attempt.rounds.at(-2)?.completion ?? '')?.[1] ?? ''
  const codes = new Set(attempt.facts.map((fact) => fact.value))
  const open = (text: string): string =>
    text.replace(PARTICULAR, (found) => (codes.has(found) && text.includes(`'${found}'`) ? found : '{value}'))
  return {
    goal: open(attempt.instruction),
    steps: [`Note ${rulesText(attempt.facts)}`, `Run ${open(statement)}`, 'Answer with its rows.'],
    facts: attempt.facts,
  }
}

export function summary(attempt: ExpertAttempt): Written {
  const end = attempt.reward === 1 ? 'Solved.' : 'Failed.'
  const text = [attempt.instruction, rulesText(attempt.facts), end].filter((part) => part !== '').join(' ')
  return { text, facts: attempt.facts }
}

export function note(attempt: ExpertAttempt): NoteText & Pick<Written, 'facts'> & { readonly title: string } {
  return {
    title: attempt.instruction,
    keywords: [attempt.table, ...ownKeys(attempt)].slice(0, 5),
    context: attempt.facts.length === 0 ? `Nothing found on ${attempt.table}.` : rulesText(attempt.facts),
    tags: [attempt.worldName, attempt.table],
    facts: attempt.facts,
  }
}

type Note = ReturnType<typeof note>

/** Notes on the same table of the same world belong together; the first that lacks a rule of the new one gets it. */
export function evolution(added: Note, neighbours: readonly Note[]): Evolution {
  const same = (other: Note): boolean => other.tags.join() === added.tags.join()
  const links = neighbours.flatMap((other, i) => (same(other) ? [i + 1] : []))
  for (const number of links) {
    const other = neighbours[number - 1] as Note
    const facts = unique([...other.facts, ...added.facts])
    if (facts.length > other.facts.length && facts.length <= MOST_FACTS)
      return { links, updates: [{ note: number, context: rulesText(facts), tags: other.tags }] }
  }
  return { links, updates: [] }
}

export const noteAbout = (of: NoteText): string =>
  `Context: ${of.context} Keywords: ${of.keywords.join(', ')}. Tags: ${of.tags.join(', ')}.`

/** One question to a writing role and the expert's reply. */
export interface WritingExample {
  readonly user: string
  readonly reply: string
}

/** JSON as the constrained sampler allows it: one blank after each colon and comma. */
const json = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${json(item)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}

const example = (messages: readonly ChatMessage[], reply: unknown): WritingExample => ({
  user: messages.at(-1)?.content ?? '',
  reply: json(reply),
})

/** Where writing roles take their attempts from. */
export interface Attempts {
  solved(): ExpertAttempt | undefined
  failed(): ExpertAttempt | undefined
  any(): ExpertAttempt
  /** Another attempt on the same table, where there is one. */
  like(attempt: ExpertAttempt): ExpertAttempt
}

/** `count` examples of one writing role, all under its template; undefined when there is nothing to write about. */
export function writingExamples(
  rng: Rng,
  attempts: Attempts,
  count: number,
):
  | { readonly id: (typeof WRITING_PROMPTS)[number]; readonly examples: readonly WritingExample[] }
  | undefined {
  const roll = rng.next()
  const shares = [0.27, 0.52, 0.64, 0.66, 0.72, 0.8, 0.9, 1]
  const id = WRITING_PROMPTS[shares.findIndex((share) => roll < share)] as (typeof WRITING_PROMPTS)[number]
  const make = (): WritingExample | undefined => {
    const success = attempts.solved()
    if (!success) return undefined
    switch (id) {
      case 'evosc-error-lab-db': {
        const failure = attempts.failed()
        const others = [
          success,
          ...(rng.chance(0.7) ? [rng.chance(0.5) ? attempts.like(success) : attempts.any()] : []),
        ]
        const successes = others.filter((made) => made.reward === 1)
        return (
          failure &&
          example(errorLessonMessages('', successes, failure), {
            lesson: errorLesson(successes, failure).text,
          })
        )
      }
      case 'evosc-success-lab-db': {
        const second = rng.chance(0.5) ? attempts.like(success) : attempts.solved()
        if (!second || second.reward === 0) return undefined
        return example(successLessonMessages('', success, second), {
          lesson: successLesson(success, second).text,
        })
      }
      case 'awm-workflow': {
        const { goal, steps } = workflow(success)
        return example(workflowMessages('', [success]), { goal, steps })
      }
      case 'scm-need':
        return example(needMessages('', success.instruction, success.context), { answer: 'yes' })
      case 'scm-enough': {
        const of = attempts.any()
        const asked = rng.chance(0.6) ? attempts.like(of) : attempts.any()
        const known = new Set(of.facts.map((fact) => factId(fact.world, fact.key)))
        const enough = asked.keys.every((key) => known.has(key))
        return example(enoughMessages('', summary(of).text, asked.instruction), {
          answer: enough ? 'yes' : 'no',
        })
      }
      case 'scm-summary': {
        const of = attempts.any()
        return example(summaryMessages('', of), { summary: summary(of).text })
      }
      case 'amem-note': {
        const of = attempts.any()
        const { keywords, context, tags } = note(of)
        return example(noteMessages('', of), { keywords, context, tags })
      }
      case 'amem-evolution': {
        const added = attempts.any()
        const near = Array.from({ length: 1 + rng.int(4) }, () =>
          note(rng.chance(0.6) ? attempts.like(added) : attempts.any()),
        )
        return example(evolutionMessages('', note(added), near), evolution(note(added), near))
      }
    }
  }
  const examples = Array.from({ length: count }, make)
  return examples.every((made) => made !== undefined) ? { id, examples } : undefined
}
