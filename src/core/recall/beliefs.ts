import { stem, wordsOf } from '../retrieval/terms'
import { NO_ACTION, type Act, type Lived } from './acts'
import { causeWords, holdsCause, mineCause, type Cause, type TriedAct } from './cause'
import { lessonsOf, wordsBeforeAction, type Change, type Lesson, type Quotation } from './quotations'

/** Where a belief was drawn from: an attempt, and what stands in it. */
export interface Witness {
  readonly attempt: string
  readonly quotes: readonly Quotation[]
}

interface Counted {
  /** Acts that it was put to the test by: those that bore it out, and those that spoke against it. */
  met: number
  ran: number
}

/** That a tool complains of something. Drawn from what tools answered, never from what an agent says. */
export interface Refusal extends Readonly<Counted> {
  readonly id: string
  readonly environment: string
  readonly tool: string
  /** What the tool says, with what belongs to single actions masked. */
  readonly masked: string
  /** How it was told that it is a complaint. */
  readonly from: Lesson['complaint']['from']
  /** Tasks that met it, and those of them that this memory's own agent met. */
  readonly tasks: ReadonlySet<string>
  readonly ownTasks: number
  /** Attempts that met it, and all attempts there since it was first met. */
  readonly attempts: number
  readonly since: number
  readonly cause: Cause | null
  /** What ran in its place in two tasks or more. */
  readonly remedy: Change | null
  /** The agent is told it with every task, so it is no news. */
  readonly isTold: boolean
  readonly witness: Witness
}

/** Words that an agent went by where it was right. */
export interface Proven {
  readonly id: string
  readonly environment: string
  readonly place: string
  /** As the agent wrote them. */
  readonly text: string
  readonly words: ReadonlySet<string>
  /** Whether this memory's own agent went by them; else another agent told of it. */
  readonly isOwn: boolean
  /** That all they say is right, when `attempt` of their place ended (from 1), and that one's end as an ISO time. */
  readonly p: number
  readonly attempt: number
  readonly at: string
  readonly witness: Witness
}

type HeldRefusal = { -readonly [K in keyof Omit<Refusal, 'tasks' | 'since' | 'remedy'>]: Refusal[K] } & {
  readonly tasks: Set<string>
  firstAt: number
  minedAt: number
  readonly votes: Map<string, { readonly change: Change; readonly tasks: Set<string> }>
}
type HeldProven = { -readonly [K in keyof Proven]: Proven[K] }

/** How far something is believed that was borne out `met` times and spoken against `ran` times. */
export const credence = ({ met, ran }: Readonly<Counted>): number => (met + 0.5) / (met + ran + 1)

/** What was gone by where the agent was right, what it read off an answer and nobody judged, and what another agent told. */
const WORKED = 0.95
const READ = 0.9
const TOLD_BY_OTHERS = 0.75
/** That an attempt succeeds although something it went by is wrong. */
const LUCK = 0.08
/** That an attempt succeeds where all is right that it went by. */
const READING = 0.9
const SUREST = 0.99
/** Share of a belief above doubt that is lost at every further attempt of its place: things change. */
const HAZARD = 0.0015
const DOUBT = 0.5

/** What was believed fades towards doubt; what was disbelieved stays so. */
const faded = ({ p, attempt }: Pick<Proven, 'p' | 'attempt'>, now: number): number =>
  p <= DOUBT ? p : DOUBT + (p - DOUBT) * (1 - HAZARD) ** Math.max(0, now - attempt)

/** Acts after which a belief that is more often wrong than right rests. */
const PATIENCE = 10
/** Tasks that make a complaint agreed. */
const AGREED = 2
/** Complaints that are shown with a task. */
const MOST_SHOWN = 4
/** Part of the tasks that have a word from which on it is common, and tasks that count as if they had been seen without it. */
const COMMON = 0.5
const FEW = 4
/** Acts of a tool that causes are looked for in. */
const REMEMBERED = 600
/** Part of a complaint's or a cause's words that stand in what the agent is told. */
const TOLD = 0.8

export interface Beliefs {
  /** One more attempt, in the order of the journal. */
  take(lived: Lived): void
  /** Complaints of an environment's tools that two tasks agree on and nothing speaks against, most tasks first. */
  agreed(environment: string): Refusal[]
  /** Every complaint of an environment's tools, those met once too. */
  refusals(environment: string): Refusal[]
  /** Words that were gone by in a place where the agent was right, as far as they are believed now, oldest first. */
  proven(environment: string, place: string): readonly Proven[]
  /** The same of one attempt; empty where it said nothing that proved right. */
  provenOf(attempt: string): readonly Proven[]
  /** How rare a word without its ending is among what agents are told in a place, in [0, 1]: 0 for one that half of its tasks have. */
  rarity(environment: string, place: string, word: string): number
}

/** The words of a text, without their endings. */
export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsOf(text).map(stem))

const placeKey = (environment: string, place: string): string => `${environment}\n${place}`

/**
 * What attempts taught, as a fold over them: deterministic, and nothing random. Beliefs are made of quotations alone. A complaint is believed
 * the more tasks met it; what makes it come is mined from all acts of its tool and then counted by later acts. Words that an agent went by are
 * kept where the attempt was solved, or where they repeat what an answer said and nobody judged it, and counted by later attempts that go by them.
 */
export function createBeliefs(): Beliefs {
  const refusals = new Map<string, Map<string, HeldRefusal>>()
  const tried = new Map<string, TriedAct[]>()
  const attempts = new Map<string, number>()
  const provens = new Map<string, Map<string, HeldProven>>()
  const ofAttempt = new Map<string, HeldProven[]>()
  /** By place: in how many attempts' tasks each word stood. */
  const toldIn = new Map<string, Map<string, number>>()

  const refusalsOf = (environment: string): Map<string, HeldRefusal> => {
    const holding = refusals.get(environment) ?? new Map<string, HeldRefusal>()
    refusals.set(environment, holding)
    return holding
  }
  const provenIn = (key: string): Map<string, HeldProven> => {
    const holding = provens.get(key) ?? new Map<string, HeldProven>()
    provens.set(key, holding)
    return holding
  }

  /** Later acts bear out a cause, or speak against it. */
  function count(environment: string, act: Act, words: ReadonlySet<string>): void {
    for (const one of refusalsOf(environment).values()) {
      if (one.tool !== act.tool || !one.cause || !holdsCause(one.cause, words)) continue
      if (act.complaint?.masked === one.masked) one.met++
      else if (!act.complaint && act.observation !== null) one.ran++
    }
  }

  function remember(environment: string, task: string, act: Act, words: ReadonlySet<string>): void {
    if (act.observation === null || act.tool === NO_ACTION) return
    const key = placeKey(environment, act.tool)
    const list = tried.get(key) ?? []
    tried.set(key, list)
    list.push({ complaint: act.complaint?.masked ?? '', words, task })
    if (list.length > REMEMBERED) list.shift()
  }

  function learn({ tool, complaint, quotes, change }: Lesson, lived: Lived): void {
    const { environment, id, task, isOwn, told } = lived
    const holding = refusalsOf(environment)
    const key = `${tool}|${complaint.masked}`
    const one: HeldRefusal = holding.get(key) ?? {
      ...{ id: `${environment}|${key}`, environment, tool, masked: complaint.masked, from: complaint.from },
      ...{ tasks: new Set(), ownTasks: 0, attempts: 0, firstAt: attempts.get(environment) ?? 1, minedAt: 1 },
      ...{
        met: 0,
        ran: 0,
        cause: null,
        isTold: complaint.from === 'schema' || isTold(complaint.masked, told),
        votes: new Map(),
      },
      witness: { attempt: id, quotes },
    }
    holding.set(key, one)
    if (!one.tasks.has(task) && isOwn) one.ownTasks++
    one.tasks.add(task)
    one.attempts++
    for (const vote of votesOf(change)) {
      const name = JSON.stringify(vote)
      const voted = one.votes.get(name) ?? { change: vote, tasks: new Set<string>() }
      one.votes.set(name, voted)
      voted.tasks.add(task)
    }
    // Mined anew whenever twice as many tasks met it, and from there counted by later acts alone.
    if (one.tasks.size < 2 * one.minedAt || tool === NO_ACTION) return
    one.minedAt = one.tasks.size
    one.cause = mineCause(tried.get(placeKey(environment, tool)) ?? [], one.masked)
    one.met = 0
    one.ran = 0
    if (one.cause && isTold(one.cause.words.join(' '), told) && one.cause.words.length > 1) one.isTold = true
  }

  /**
   * A judged attempt speaks for or against all the known words that it went by, against each as far as it is doubtful and the others are not
   * (noisy AND): P(solved) = reading * all right + luck * not all right.
   */
  function judge(
    held: Iterable<HeldProven>,
    said: ReadonlySet<string>,
    reward: 0 | 1,
    now: number,
    at: string,
  ): void {
    const relied = [...held].filter(({ words }) => [...words].every((word) => said.has(word)))
    const before = relied.map((one) => faded(one, now))
    const all = before.reduce((product, p) => product * p, 1)
    const likelihood = (right: number): number => {
      const solved = READING * right + LUCK * (1 - right)
      return reward === 1 ? solved : 1 - solved
    }
    relied.forEach((one, i) => {
      const p = before[i] as number
      one.p = Math.min(SUREST, Math.max(1 - SUREST, (p * likelihood(p > 0 ? all / p : 0)) / likelihood(all)))
      one.attempt = now
      if (reward === 1) one.at = at
    })
  }

  /** Words that were gone by before are borne out or spoken against, and new ones are kept where they proved right. */
  function prove(lived: Lived): void {
    const key = placeKey(lived.environment, lived.place)
    const said = wordsBeforeAction(lived)
    if (!said) return
    const { id, environment, place, isOwn, reward, at } = lived
    const holding = provenIn(key)
    const attempt = attempts.get(key) ?? 1
    if (isOwn && reward !== null)
      judge(holding.values(), stemsOf(said.quotes.map(({ text }) => text).join('\n')), reward, attempt, at)
    if (reward === 0 || (reward === null && !said.wasSeen)) return
    said.quotes.forEach((quote, n) => {
      const name = wordsOf(quote.text).join(' ')
      const p = !isOwn ? TOLD_BY_OTHERS : reward === null ? READ : WORKED
      const one: HeldProven = holding.get(name) ?? {
        ...{ id: `${id}-${n}`, environment, place, text: quote.text, words: stemsOf(quote.text) },
        ...{ isOwn, p, attempt, at, witness: { attempt: id, quotes: [quote] } },
      }
      if (isOwn && (!one.isOwn || p > one.p))
        Object.assign(one, { isOwn, p: Math.max(p, one.p), attempt, at })
      holding.set(name, one)
      ofAttempt.set(id, [...(ofAttempt.get(id) ?? []), one])
    })
  }

  const asOfNow = (one: HeldProven): Proven => ({
    ...one,
    p: faded(one, attempts.get(placeKey(one.environment, one.place)) ?? 0),
  })
  const viewOf = (one: HeldRefusal): Refusal => ({
    ...one,
    since: Math.max(1, (attempts.get(one.environment) ?? 1) - one.firstAt + 1),
    remedy:
      [...one.votes.values()]
        .filter(({ tasks }) => tasks.size >= AGREED)
        .sort((a, b) => b.tasks.size - a.tasks.size)[0]?.change ?? null,
  })
  const all = (environment: string): Refusal[] =>
    [...refusalsOf(environment).values()]
      .sort((a, b) => b.ownTasks - a.ownTasks || b.tasks.size - a.tasks.size)
      .map(viewOf)

  return {
    take(lived) {
      for (const key of new Set([lived.environment, placeKey(lived.environment, lived.place)]))
        attempts.set(key, (attempts.get(key) ?? 0) + 1)
      const key = placeKey(lived.environment, lived.place)
      const counts = toldIn.get(key) ?? new Map<string, number>()
      toldIn.set(key, counts)
      for (const word of stemsOf(lived.told)) counts.set(word, (counts.get(word) ?? 0) + 1)
      for (const act of lived.acts) {
        const words = causeWords(act.action)
        count(lived.environment, act, words)
        remember(lived.environment, lived.task, act, words)
      }
      for (const lesson of lessonsOf(lived)) learn(lesson, lived)
      prove(lived)
    },
    agreed: (environment) => all(environment).filter((one) => one.tasks.size >= AGREED && !rests(one)),
    refusals: all,
    proven: (environment, place) => [...provenIn(placeKey(environment, place)).values()].map(asOfNow),
    provenOf: (attempt) => (ofAttempt.get(attempt) ?? []).map(asOfNow),
    rarity(environment, place, word) {
      const key = placeKey(environment, place)
      const share = (toldIn.get(key)?.get(word) ?? 0) / ((attempts.get(key) ?? 0) + FEW)
      return Math.max(0, 1 - share / COMMON)
    },
  }
}

/** Whether two tasks beside this one agree on a complaint. */
export const agreedIn = ({ tasks }: Pick<Refusal, 'tasks'>, task: string): boolean =>
  tasks.size - (tasks.has(task) ? 1 : 0) >= AGREED

/** Of agreed complaints, those that are shown: the ones that most tasks met, of each tool's refused form one. */
export const mostShown = (agreed: readonly Refusal[]): Refusal[] => agreed.slice(0, MOST_SHOWN)

/** A belief that later acts speak against rests. */
const rests = (one: Readonly<Counted>): boolean => one.met + one.ran >= PATIENCE && credence(one) < 0.5

/** Each pair of pieces that one could have been changed for the other, so that tasks can agree on it. */
function votesOf(change: Change | null): Change[] {
  if (!change) return []
  const { removed, added } = change
  if (removed.length === 0) return added.map((piece) => ({ removed: [], added: [piece] }))
  if (added.length === 0) return removed.map((piece) => ({ removed: [piece], added: [] }))
  return removed.flatMap((out) => added.map((piece) => ({ removed: [out], added: [piece] })))
}

/** Whether what somebody says stands in what the agent is told anyway. */
function isTold(text: string, told: string): boolean {
  const known = new Set(wordsOf(told))
  const words = wordsOf(text).filter((word) => /\p{L}{2}/u.test(word))
  return words.length > 0 && words.filter((word) => known.has(word)).length >= TOLD * words.length
}
