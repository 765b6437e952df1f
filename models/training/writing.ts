/** The writing roles in the demo model's training text: what the expert writes about attempts, in each method's own form. */
import { errorLessonMessages, successLessonMessages } from '../../src/core/methods/evosc/messages'
import { workflowMessages, type WorkflowText } from '../../src/core/methods/awm/messages'
import { enoughMessages, needMessages, summaryMessages } from '../../src/core/methods/scm/messages'
import {
  evolutionMessages,
  noteMessages,
  type Evolution,
  type NoteText,
} from '../../src/core/methods/amem/messages'
import { experienceOfAttempt, type Experienced } from '../../src/core/methods/agent-kb/from-attempt'
import { experienceText, logText, planText } from '../../src/core/methods/agent-kb/forms'
import { guideText } from '../../src/core/memory/guides/guide'
import {
  integrateMessages,
  parseRubrics,
  reflectMessages,
  rubricMessages,
} from '../../src/core/methods/brew/messages'
import { parseAction } from '../../src/core/tasks/lab-db/grammar'
import { dialogText, promptAbout } from '../../src/core/ground/prompt'
import { NO_USAGE } from '../../src/shared/domain/trajectory'
import type { GuideText, RubricScore } from '../../src/shared/domain/guide'
import type { Experience } from '../../src/shared/domain/experience'
import type { ChatMessage } from '../../src/core/ground/ports'
import type { Rng } from '../../src/core/ground/random'
import { PEOPLE, PLACES } from '../../src/core/tasks/house-rules/vocabulary'
import { factId, type ExpertAttempt, type StatedFact } from './expert'
import { PLAYBOOK_PROMPTS, PLAYBOOK_WEIGHTS, playbookExample, type PlaybookPrompt } from './playbooks'

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
  'agent-kb-abstract',
  'agent-kb-reason',
  'agent-kb-refine',
  'agent-kb-rank',
  'agent-kb-feedback-reason',
  'agent-kb-feedback-refine',
  'agent-kb-critic',
  'brew-rubric',
  'brew-reflect',
  'brew-integrate',
  ...PLAYBOOK_PROMPTS,
] as const
type WritingPrompt = (typeof WRITING_PROMPTS)[number]

const isPlaybookPrompt = (id: WritingPrompt): id is PlaybookPrompt =>
  (PLAYBOOK_PROMPTS as readonly string[]).includes(id)

/** How often each role is practised, relative to the others. */
const WEIGHTS: Readonly<Record<WritingPrompt, number>> = {
  'evosc-error-lab-db': 12,
  'evosc-success-lab-db': 11,
  'awm-workflow': 5,
  'scm-need': 1,
  'scm-enough': 3,
  'scm-summary': 4,
  'amem-note': 5,
  'amem-evolution': 5,
  'agent-kb-abstract': 12,
  'agent-kb-reason': 7,
  'agent-kb-refine': 15,
  'agent-kb-rank': 5,
  'agent-kb-feedback-reason': 2,
  'agent-kb-feedback-refine': 3,
  'agent-kb-critic': 2,
  'brew-rubric': 5,
  'brew-reflect': 10,
  'brew-integrate': 16,
  ...PLAYBOOK_WEIGHTS,
}

function drawPrompt(rng: Rng): WritingPrompt {
  let left = rng.next() * WRITING_PROMPTS.reduce((sum, id) => sum + WEIGHTS[id], 0)
  return WRITING_PROMPTS.find((id) => (left -= WEIGHTS[id]) < 0) ?? 'brew-integrate'
}

const MOST_FACTS = 6
/** What a concept document holds. */
const MOST_DOCUMENT_FACTS = 14

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

/** The attempt as Agent KB keeps it, before and after a model has abstracted it. */
function logOf(made: ExpertAttempt): Experience {
  const rounds = made.rounds.map(({ completion, observation }) => ({
    completion,
    observation,
    action: parseAction(completion),
  }))
  const task = {
    id: '',
    index: 0,
    environment: 'lab-db',
    instruction: made.instruction,
    context: made.context,
    skills: [],
    payload: null,
  }
  const attempt: Experienced = {
    id: '',
    task,
    rounds,
    reward: made.reward,
    model: '',
    usage: NO_USAGE,
    finishedAt: '',
  }
  return experienceOfAttempt(attempt)
}

const openKeys = (of: ExpertAttempt, facts: readonly StatedFact[]): readonly string[] => {
  const held = new Set(facts.map((fact) => factId(fact.world, fact.key)))
  return ownKeys(of).filter((key) => !held.has(factId(of.worldName, key)))
}

const lookUp = (keys: readonly string[]): string => `Look up ${keys.join(' and ')} first.`

/** What Agent KB's abstraction takes from a log: plan, rules, goal constraints, search terms. */
export function abstraction(made: ExpertAttempt) {
  const open = openKeys(made, made.facts)
  const [, run] = made.reward === 1 ? workflow(made).steps : []
  const steps = [
    'Note the rules.',
    ...(open.length > 0 ? [lookUp(open)] : []),
    ...(run === undefined ? [] : [run]),
    'Answer with its rows.',
  ]
  return {
    agent_plan: steps.map((step, i) => `${i + 1}. ${step}`).join(' '),
    agent_experience: [made.facts.length === 0 ? `Nothing found on ${made.table}.` : rulesText(made.facts)],
    constraints: [{ predicate: 'source', argument: made.table }],
    keywords: [made.worldName, made.table, ...ownKeys(made)].slice(0, 8),
  }
}

/** The experience a log becomes. */
export function experience(made: ExpertAttempt): Written & { readonly experience: Experience } {
  const { agent_plan: agentPlan, agent_experience: agentExperience } = abstraction(made)
  const abstracted = { ...logOf(made), agentPlan, agentExperience }
  return { experience: abstracted, text: experienceText(abstracted), facts: made.facts }
}

/** A plan for a task by the facts at hand: what it needs with values or `?`, what to look up, the statement, the answer. */
export function plan(
  task: ExpertAttempt,
  facts: readonly StatedFact[],
): Written & { readonly steps: readonly string[] } {
  const of = (key: string) => facts.find((fact) => fact.world === task.worldName && fact.key === key)
  const noted = ownKeys(task).map((key) => `${key} ${of(key)?.value ?? '?'}`)
  const open = openKeys(task, facts)
  const steps = [
    `Note ${task.worldName} rules: ${noted.join(', ')}.`,
    ...(open.length > 0 ? [lookUp(open)] : []),
    `Run the statement on ${task.table}.`,
    'Answer with its rows.',
  ]
  const known = ownKeys(task).flatMap((key) => of(key) ?? [])
  return { steps, text: `Plan:\n${planText(steps)}`, facts: known }
}

const queriesFor = (task: ExpertAttempt): readonly string[] => [
  `${task.worldName} ${task.table} ${ownKeys(task).join(' ')}`,
]

const adaptations = (task: ExpertAttempt, facts: readonly StatedFact[]): readonly string[] =>
  plan(task, facts).facts.map(({ key, value }) => `${key} is ${value}.`)

/** Which of two experiences is better, and in what: a solved one reasons better, the one with more rules is more complete. */
function ranking(one: ExpertAttempt, two: ExpertAttempt) {
  const place = (a: number, b: number): string => (a === b ? 'tie' : a > b ? 'first' : 'second')
  const rules = place(one.facts.length, two.facts.length)
  return { reasoning: place(one.reward, two.reward), completeness: rules, transferability: rules }
}

/** How an attempt did by the rubrics of `rubrics-lab-db.md`. */
export function scores(made: ExpertAttempt): readonly RubricScore[] {
  const open = openKeys(made, made.facts)
  const ran = made.finish === 'completed'
  return [
    open.length === 0
      ? { rubric: 'looks-up', score: 5, reason: 'Every value was known or looked up.' }
      : { rubric: 'looks-up', score: 3, reason: `Not looked up: ${open.join(', ')}.` },
    ran
      ? { rubric: 'runs-before-answering', score: 5, reason: 'The statement ran before the answer.' }
      : { rubric: 'runs-before-answering', score: 1, reason: 'There was no answer.' },
    { rubric: 'keeps-form', score: 5, reason: 'Every reply has a known form.' },
  ]
}

/** What BREW's concepts are about: a table of a world. */
const conceptOf = (made: ExpertAttempt): string => `${made.worldName} ${made.table}`

/** The (concept, insight) pairs of an attempt. */
export function insights(
  made: ExpertAttempt,
): readonly { readonly concept: string; readonly insight: string }[] {
  const open = openKeys(made, made.facts)
  const concept = conceptOf(made)
  return [
    ...(made.facts.length === 0 ? [] : [{ concept, insight: rulesText(made.facts) }]),
    ...(open.length === 0 ? [] : [{ concept, insight: lookUp(open) }]),
  ]
}

/** The document of a table with these facts; facts of other worlds keep their names. */
export function conceptDocument(
  about: Pick<ExpertAttempt, 'worldName' | 'table'>,
  facts: readonly StatedFact[],
): Written & { readonly document: GuideText } {
  // In the order in which they came up: a document only grows at its end.
  const held = [...new Map(facts.map((fact) => [factId(fact.world, fact.key), fact])).values()].slice(
    0,
    MOST_DOCUMENT_FACTS,
  )
  const concept = `${about.worldName} ${about.table}`
  const document: GuideText = {
    context: `The rules of ${about.worldName} for ${about.table}.`,
    howToUse: held.length === 0 ? 'No rule is known yet.' : rulesText(held),
    whenToUse: `Tasks on ${about.table} of ${about.worldName}.`,
    bestPractices: 'Note them first and look up what is missing.',
  }
  return { text: guideText(concept, document), facts: held, document }
}

/** One question to a writing role and the expert's reply. */
export interface WritingExample {
  readonly user: string
  readonly reply: string
}

/** Characters of a log the model is shown, as in the app at its context size. */
const LONGEST_LOG = 6_000

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
  /** An attempt whose first statement names a table that does not exist. */
  slipped(): ExpertAttempt
}

/** `count` examples of one writing role, all under its template; undefined when there is nothing to write about. */
// oxlint-disable-next-line max-lines-per-function -- one sequence of steps of the training recipe, read from top to bottom
export function writingExamples(
  rng: Rng,
  attempts: Attempts,
  count: number,
  rubrics: string,
): { readonly id: WritingPrompt; readonly examples: readonly WritingExample[] } | undefined {
  const id = drawPrompt(rng)
  /** Up to three experiences as retrieval finds them: mostly on the same table. */
  const retrieved = (of: ExpertAttempt): (Written & { readonly experience: Experience })[] =>
    Array.from({ length: 1 + rng.int(3) }, () =>
      experience(rng.chance(0.8) ? attempts.like(of) : attempts.any()),
    )
  const factsOf = (texts: readonly Written[]): StatedFact[] => unique(texts.flatMap(({ facts }) => facts))
  const about = (task: ExpertAttempt): string => `${task.context}\nTask: ${task.instruction}`
  const slipped = (): { task: ExpertAttempt; log: string; slip: string } => {
    const task = attempts.slipped()
    const [first] = task.rounds
    const log = `Task: ${task.instruction}\n${dialogText(task.rounds.slice(0, 1))}`
    return { task, log, slip: first?.observation === null ? '' : `${task.table}_old` }
  }
  // oxlint-disable-next-line max-lines-per-function -- one sequence of steps of the training recipe, read from top to bottom
  const make = (): WritingExample | undefined => {
    const success = attempts.solved()
    if (!success) return undefined
    if (isPlaybookPrompt(id)) {
      const made = playbookExample(rng, id, attempts)
      return made && example(made.messages, made.reply)
    }
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
      case 'agent-kb-abstract': {
        const of = attempts.any()
        return example(promptAbout('', logText(logOf(of), LONGEST_LOG)), abstraction(of))
      }
      case 'agent-kb-reason': {
        const task = attempts.any()
        return example(promptAbout('', about(task)), {
          plan: plan(task, []).steps,
          queries: queriesFor(task),
        })
      }
      case 'agent-kb-refine': {
        const task = attempts.any()
        const found = retrieved(task)
        const facts = factsOf(found)
        const first = `Plan so far:\n${planText(plan(task, []).steps)}`
        return example(promptAbout('', about(task), first, ...found.map(({ text }) => text)), {
          adaptations: adaptations(task, facts),
          plan: plan(task, facts).steps,
        })
      }
      case 'agent-kb-rank': {
        const one = attempts.any()
        const two = attempts.like(one)
        const [first, second] = [experience(one), experience(two)]
        return example(
          promptAbout('', `First experience\n${first.text}`, `Second experience\n${second.text}`),
          ranking(one, two),
        )
      }
      case 'agent-kb-feedback-reason': {
        const { task, log, slip } = slipped()
        return example(promptAbout('', log), {
          summary: `There is no table ${slip}.`,
          queries: queriesFor(task),
        })
      }
      case 'agent-kb-feedback-refine': {
        const { task, log, slip } = slipped()
        const found = retrieved(task)
        const facts = unique([...task.facts, ...factsOf(found)])
        return example(
          promptAbout(
            '',
            log,
            `What went wrong: There is no table ${slip}.`,
            `Plan so far:\n${planText(plan(task, task.facts).steps)}`,
            ...found.map(({ text }) => text),
          ),
          { suggestions: [`Use ${task.table} for ${slip}.`], plan: plan(task, facts).steps },
        )
      }
      case 'agent-kb-critic': {
        const inTrouble = rng.chance(0.5)
        const of = attempts.any()
        const calm = `Task: ${of.instruction}\n${dialogText(of.rounds.slice(0, 1))}`
        return example(promptAbout('', inTrouble ? slipped().log : calm), {
          verdict: inTrouble ? 'in-trouble' : 'on-track',
        })
      }
      case 'brew-rubric': {
        const of = attempts.any()
        return example(rubricMessages('', parseRubrics(rubrics), of), { scores: scores(of) })
      }
      case 'brew-reflect': {
        const of = attempts.any()
        const pairs = insights(of)
        if (pairs.length === 0) return undefined
        return example(reflectMessages('', of, rng.chance(0.85) ? scores(of) : []), { insights: pairs })
      }
      case 'brew-integrate': {
        const of = attempts.any()
        const others = (most: number): ExpertAttempt[] =>
          Array.from({ length: rng.int(most + 1) }, () => attempts.like(of))
        const before = rng.chance(0.35)
          ? null
          : conceptDocument(
              of,
              others(6).flatMap(({ facts }) => facts),
            )
        const read = [of, ...others(8)]
        const after = conceptDocument(of, [...(before?.facts ?? []), ...read.flatMap(({ facts }) => facts)])
        const { context, howToUse, whenToUse, bestPractices } = after.document
        const lines = [...new Set(read.flatMap((each) => insights(each).map(({ insight }) => insight)))]
        return example(integrateMessages('', conceptOf(of), lines, before?.document ?? null), {
          context,
          how_to_use: howToUse,
          when_to_use: whenToUse,
          best_practices: bestPractices,
        })
      }
    }
  }
  const examples = Array.from({ length: count }, make)
  return examples.every((made) => made !== undefined) ? { id, examples } : undefined
}
