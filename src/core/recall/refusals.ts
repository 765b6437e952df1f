import { wordsOf } from '../retrieval/terms'
import { NO_ACTION, NO_ANSWER } from '../memory/beliefs/belief'
import type { Act, Lived } from './acts'
import { causeWords, holdsCause, LEAST_TASKS, mineCause, type Cause, type TriedAct } from './cause'
import { MOST_TOLD } from './told-cause'
import { lessonsOf, type Change, type Lesson, type Quotation } from './quotations'

/** Where a belief was drawn from: an attempt, and what stands in it. */
export interface Witness {
  readonly attempt: string
  readonly quotes: readonly Quotation[]
}

/** That a tool complains of something. Drawn from what tools answered, never from what an agent says. */
export interface Refusal {
  readonly id: string
  readonly environment: string
  readonly tool: string
  /** What the tool says, with what belongs to single actions masked. */
  readonly masked: string
  /** How it was told that it is a complaint. */
  readonly from: Lesson['complaint']['from']
  /** Tasks that met it, and how many of them this memory's own agent met. */
  readonly tasks: ReadonlySet<string>
  readonly ownTasks: number
  /** Attempts that met it, and all attempts of its environment since the first of these. */
  readonly attempts: number
  readonly since: number
  readonly cause: Cause | null
  /** Programs and things that two tasks met it with, most tasks first. */
  readonly names: readonly string[]
  /** Acts with the cause after it was mined: those that met the complaint, and those that ran. */
  readonly met: number
  readonly ran: number
  /** What ran in its place in two tasks or more. */
  readonly remedy: Change | null
  /** The agent is told it with every task, so it is no news. */
  readonly isTold: boolean
  /** Where its words are from, which were written outside; absent where this memory's own attempts met it. */
  readonly foreign?: string
  /** The attempts that met it, oldest first, since when two tasks agree on it (before that, since it was met first), and when it was last met, as ISO times. */
  readonly metBy: readonly string[]
  readonly at: string
  readonly lastAt: string
  readonly witness: Witness
}

interface HeldRefusal extends Omit<Refusal, 'since' | 'remedy' | 'names'> {
  readonly tasks: Set<string>
  ownTasks: number
  attempts: number
  readonly metBy: string[]
  at: string
  lastAt: string
  readonly firstAt: number
  minedAt: number
  cause: Cause | null
  met: number
  ran: number
  readonly namedBy: Map<string, Set<string>>
  readonly votes: Map<string, { readonly change: Change; readonly tasks: Set<string> }>
}

/** How far a cause is believed: the more, the more of the later acts that hold it met the complaint. */
export const credence = ({ met, ran }: Pick<Refusal, 'met' | 'ran'>): number => (met + 0.5) / (met + ran + 1)

/** Acts after which a belief that is more often wrong than right rests. */
const PATIENCE = 10
/** Tasks that make a complaint agreed. */
const AGREED = 2
/** Acts of a tool that causes are looked for in. */
const REMEMBERED = 600
/** Words of a sentence, and complaints that are told together since they say the same. */
const LEAST_SENTENCE = 3
const MOST_NAMES = 3
const MOST_ALIKE = 4
/** Part of a complaint's words that stand in what the agent is told. */
const TOLD = 0.8

/** Whether two tasks beside this one agree on a complaint. */
export const agreedIn = ({ tasks }: Pick<Refusal, 'tasks'>, task: string): boolean =>
  tasks.size - (tasks.has(task) ? 1 : 0) >= AGREED

/** What a complaint says, without who says it and of what: its last part, where that is a sentence. */
const sentenceOf = (line: string): string => {
  const last = line.split(':').at(-1)?.trim() ?? ''
  return wordsOf(last).length < LEAST_SENTENCE ? line : last
}

/** Of agreed complaints those that are shown, at most four at once: the ones that most tasks met, and beside each what says the same of the same tool. */
export function mostShown(agreed: readonly Refusal[]): Refusal[][] {
  const groups = new Map<string, Refusal[]>()
  for (const one of agreed) {
    const name = `${one.tool}|${sentenceOf(one.masked)}`
    const group = groups.get(name) ?? []
    groups.set(name, group)
    if (group.length < MOST_ALIKE) group.push(one)
  }
  return [...groups.values()].slice(0, MOST_TOLD)
}

/** Whether two tasks agree on it. */
export const isAgreed = ({ tasks }: Pick<Refusal, 'tasks'>): boolean => tasks.size >= AGREED

/** What later acts speak against rests. */
export const rests = (one: Pick<Refusal, 'met' | 'ran'>): boolean =>
  one.met + one.ran >= PATIENCE && credence(one) < 0.5

/** Each pair of pieces that one could have been changed for the other, so that tasks can agree on it. */
function votesOf(change: Change | null): Change[] {
  if (!change) return []
  const { removed: out, added: into } = change
  if (out.length === 0) return into.map((piece) => ({ removed: [], added: [piece] }))
  if (into.length === 0) return out.map((piece) => ({ removed: [piece], added: [] }))
  return out.flatMap((old) => into.map((piece) => ({ removed: [old], added: [piece] })))
}

/** Whether what somebody says stands in what the agent is told anyway. */
function isTold(text: string, message: string): boolean {
  const source = new Set(wordsOf(message))
  const words = wordsOf(text).filter((word) => /\p{L}{2}/u.test(word))
  return words.length > 0 && words.filter((word) => source.has(word)).length >= TOLD * words.length
}

const newRefusal = (
  key: string,
  { tool, complaint, quotes }: Lesson,
  lived: Lived,
  at: number,
): HeldRefusal => ({
  id: `${lived.environment}|${key}`,
  environment: lived.environment,
  tool,
  masked: complaint.masked,
  from: complaint.from,
  tasks: new Set(),
  ownTasks: 0,
  attempts: 0,
  ...{ metBy: [], at: lived.at, lastAt: lived.at },
  firstAt: at,
  minedAt: LEAST_TASKS / 2,
  cause: null,
  met: 0,
  ran: 0,
  namedBy: new Map(),
  votes: new Map(),
  isTold:
    tool === NO_ANSWER
      ? lived.ending?.isTold === true
      : complaint.from === 'schema' || isTold(complaint.masked, lived.told),
  witness: { attempt: lived.id, quotes },
})

/** The complaints of one environment's tools, as a fold over its attempts. */
export function followRefusals() {
  const refusals = new Map<string, HeldRefusal>()
  const acts = new Map<string, TriedAct[]>()
  let attemptCount = 0

  /** Acts bear out the causes that they hold, or speak against them. */
  function count(act: Act, words: ReadonlySet<string>): void {
    for (const one of refusals.values()) {
      if (one.tool !== act.tool || !one.cause || !holdsCause(one.cause, words)) continue
      if (act.complaint?.masked === one.masked) one.met++
      else if (!act.complaint && act.observation !== null) one.ran++
    }
  }

  function remember({ tool, complaint, observation }: Act, words: ReadonlySet<string>, task: string): void {
    if (observation === null || tool === NO_ACTION) return
    const list = acts.get(tool) ?? []
    acts.set(tool, list)
    list.push({ complaint: complaint?.masked ?? '', words, task })
    if (list.length > REMEMBERED) list.shift()
  }

  function learn(lesson: Lesson, lived: Lived): void {
    const { tool, complaint, change } = lesson
    const key = `${tool}|${complaint.masked}`
    const one = refusals.get(key) ?? newRefusal(key, lesson, lived, attemptCount)
    refusals.set(key, one)
    if (!one.tasks.has(lived.task) && lived.isOwn) one.ownTasks++
    const wasAgreed = isAgreed(one)
    one.tasks.add(lived.task)
    one.attempts++
    one.metBy.push(lived.id)
    if (!wasAgreed && isAgreed(one)) one.at = lived.at
    one.lastAt = lived.at
    for (const name of [complaint.names.by, complaint.names.of])
      if (name !== null) one.namedBy.set(name, (one.namedBy.get(name) ?? new Set()).add(lived.task))
    for (const vote of votesOf(change)) {
      const name = JSON.stringify(vote)
      const record = one.votes.get(name) ?? { change: vote, tasks: new Set<string>() }
      one.votes.set(name, record)
      record.tasks.add(lived.task)
    }
    // Mined anew whenever twice as many tasks met it, and from there told by later acts alone.
    if (one.tasks.size < 2 * one.minedAt || tool === NO_ACTION || tool === NO_ANSWER) return
    one.minedAt = one.tasks.size
    one.cause = mineCause(acts.get(tool) ?? [], one.masked)
    one.met = 0
    one.ran = 0
  }

  const viewOf = ({ votes, namedBy, firstAt, ...one }: HeldRefusal): Refusal => {
    const names = [...namedBy]
      .filter(([, tasks]) => tasks.size >= AGREED)
      .sort((a, b) => b[1].size - a[1].size)
      .map(([name]) => name)
      .slice(0, MOST_NAMES)
    const [best] = [...votes.values()]
      .filter(({ tasks }) => tasks.size >= AGREED)
      .sort((a, b) => b.tasks.size - a.tasks.size)
    return { ...one, names, since: attemptCount - firstAt + 1, remedy: best?.change ?? null }
  }
  /** The agent's own before others', then those that most tasks met. */
  const all = (): Refusal[] =>
    [...refusals.values()].sort((a, b) => b.ownTasks - a.ownTasks || b.tasks.size - a.tasks.size).map(viewOf)

  return {
    take(lived: Lived): void {
      attemptCount++
      for (const act of lived.acts) {
        // What an action says again of the complaint brought nothing about.
        const echo = act.complaint ? sentenceOf(act.complaint.line) : ''
        const words = causeWords(echo === '' ? act.action : act.action.replaceAll(echo, ' '))
        // Who complains is no cause: a program that refuses an option does not refuse its own name.
        if (act.complaint?.names.by) words.delete(act.complaint.names.by.toLowerCase())
        count(act, words)
        remember(act, words, lived.task)
      }
      const keys = new Set<string>()
      for (const lesson of lessonsOf(lived)) {
        const key = `${lesson.tool}|${lesson.complaint.masked}`
        if (!keys.has(key)) learn(lesson, lived)
        keys.add(key)
      }
    },
    all,
    agreed: (): Refusal[] => all().filter((one) => isAgreed(one) && !rests(one)),
  }
}
