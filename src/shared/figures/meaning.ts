import type { AskPoint } from '../domain/ask-curve'
import type { ExperimentReport, ExperimentRow } from '../domain/experiment'
import { askFigures } from './ask-figures'
import { paired } from './paired'
import { thirdOf, type Rewards } from './rates'
import { wilson } from './wilson'

/** What to do next: `without-memory` and `again` can be done with one click, the others are said. */
export interface NextStep {
  readonly kind: 'without-memory' | 'with-memory' | 'told' | 'more-tasks' | 'luck' | 'why' | 'resume'
  readonly words: string
}

/** One honest sentence about figures, and what would make it say more. */
export interface Meaning {
  readonly sentence: string
  readonly next: readonly NextStep[]
}

/** Differences that would come about by chance less often than this are called more than luck. */
const RARE = 0.05
/** Tasks below which a rate is called one of few tasks. */
const FEW = 20

const LUCK: NextStep = {
  kind: 'luck',
  words:
    'Try it where luck differs: other tasks of the same kind (generate another world), or several worlds of a lifelong stream. Other seeds alone often change nothing.',
}
const WITH_MEMORY: NextStep = {
  kind: 'with-memory',
  words: 'Run the same tasks with a memory, to see what it is worth.',
}
const TOLD: NextStep = {
  kind: 'told',
  words:
    'None was right, so there was nothing to learn from. Have it told the known answer after a wrong one.',
}
const tasksOf = (n: number): string => `${n} ${n === 1 ? 'task' : 'tasks'}`
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A run as far as its meaning goes. */
export interface RunSaid {
  /** As people know the method. */
  readonly title: string
  /** Whether it remembers anything. */
  readonly remembers: boolean
  readonly rewards: Rewards
  readonly total: number
  readonly finished: boolean
  /** Whether it can go on. */
  readonly resumable: boolean
  /** The same tasks by the same model without memory; null where there is no such run. */
  readonly without: Rewards | null
  /** Whether a run with memory is at the same tasks already, or was. */
  readonly with: boolean
  /** Whether its memory could be told the known answers, and was not. */
  readonly canBeTold: boolean
}

/** What one run means. Figures are of the tasks it finished; a comparison is over those that both runs finished. */
export function runMeaning(run: RunSaid): Meaning {
  const { title, remembers, rewards, total, finished, resumable, without } = run
  const n = rewards.length
  if (n === 0) return { sentence: 'No task was finished, so it says nothing yet.', next: resume(resumable) }
  const solved = rewards.filter((reward) => reward === 1).length
  const beginning = finished || n >= total ? '' : ` It stopped after ${n} of ${total}.`
  const next: NextStep[] = [
    ...resume(resumable && n < total),
    ...(n < FEW ? [{ kind: 'more-tasks' as const, words: fewWords(n) }] : []),
    ...(solved < n ? [{ kind: 'why' as const, words: 'Open a task that failed and ask why.' }] : []),
  ]
  const telling = solved === 0 && run.canBeTold ? [TOLD] : []
  if (!remembers)
    return {
      sentence: `Without memory it solved ${solved} of ${tasksOf(n)}; nothing was learned, so any rise is the tasks’ own.${beginning}`,
      next: [...(run.with ? [] : [WITH_MEMORY]), ...next],
    }
  if (without === null)
    return {
      sentence: `${title} solved ${solved} of ${tasksOf(n)}; ${trend(rewards)} Whether memory did that, one run cannot say.${beginning}`,
      next: [
        ...telling,
        { kind: 'without-memory', words: 'Run the same tasks without memory, to see what it is worth.' },
        ...next,
      ],
    }
  return { sentence: `${against(title, rewards, without)}${beginning}`, next: [...telling, LUCK, ...next] }
}

const resume = (canGoOn: boolean): NextStep[] =>
  canGoOn ? [{ kind: 'resume', words: 'Resume it: it goes on where it was.' }] : []

const fewWords = (n: number): string => `Take more tasks: ${n} ${n === 1 ? 'is' : 'are'} few.`

/** First against last third, with what so few tasks leave open. */
function trend(rewards: Rewards): string {
  const third = thirdOf(rewards.length)
  if (rewards.length < 3) return 'that is too few to see it change.'
  const count = (part: Rewards): number => part.filter((reward) => reward === 1).length
  const first = wilson(count(rewards.slice(0, third)), third)
  const last = wilson(count(rewards.slice(-third)), third)
  const words = `${percent(first.rate)} of the first third and ${percent(last.rate)} of the last`
  if (last.low > first.high) return `it got better, ${words}, by more than ${tasksOf(third)} vary by chance.`
  if (last.high < first.low) return `it got worse, ${words}, by more than ${tasksOf(third)} vary by chance.`
  return `${words}, which ${tasksOf(third)} each can differ by through chance.`
}

/** With and without memory, task by task. */
function against(title: string, rewards: Rewards, without: Rewards): string {
  const { n, onlyThis, onlyOther, chance } = paired(rewards, without)
  const gain = onlyThis - onlyOther
  if (n === 0) return 'The two runs have no finished task in common yet.'
  if (onlyThis + onlyOther === 0)
    return `With ${title} and without memory the same ${tasksOf(n)} were solved: the memory changed nothing.`
  const split = `${onlyThis} only with it, ${onlyOther} only without`
  if (gain === 0)
    return `With ${title} as many of ${tasksOf(n)} were solved as without memory, though not the same ones (${split}).`
  const direction =
    gain > 0 ? `solved ${gain} more of ${tasksOf(n)}` : `solved ${-gain} fewer of ${tasksOf(n)}`
  return chance < RARE
    ? `${title} ${direction} than no memory (${split}): on this order of tasks that is more than luck.`
    : `${title} ${direction} than no memory (${split}), which may be luck.`
}

/** Names of methods as people know them. */
type TitleOf = (method: string) => string

/** What an experiment means: its best row against the baseline, and how far the seeds are evidence. */
export function experimentMeaning(
  report: Pick<ExperimentReport, 'summary' | 'baseline' | 'tasks' | 'pending' | 'cells'>,
  titleOf: TitleOf,
): Meaning {
  const { summary, baseline, tasks, pending } = report
  const counts = summary.filter(({ mean }) => mean !== null)
  if (counts.length === 0)
    return {
      sentence: 'No cell came to its end, so it says nothing yet.',
      next: [{ kind: 'resume', words: 'Resume it, or see why its cells failed.' }],
    }
  const open = pending > 0 ? ` ${pending} cells have not ended.` : ''
  const best = counts.reduce((a, b) => ((b.mean ?? 0) > (a.mean ?? 0) ? b : a))
  const others = counts.filter((row) => row.method !== baseline)
  const name = baseline === null ? null : titleOf(baseline)
  const leader = others.reduce<ExperimentRow | null>(
    (a, b) => (a === null || (b.deltaToBaseline ?? -2) > (a.deltaToBaseline ?? -2) ? b : a),
    null,
  )
  const few: NextStep[] = tasks < FEW ? [{ kind: 'more-tasks', words: fewWords(tasks) }] : []
  if (name === null || leader === null || leader.deltaToBaseline === null)
    return {
      sentence: `${titleOf(best.method)} solved most, ${percent(best.mean ?? 0)} of ${tasksOf(tasks)}${seedWords(best)}${open}`,
      next: [
        ...(best.n > 1 && best.distinct < 2 ? [LUCK] : []),
        { kind: 'without-memory', words: 'Add a method without memory to compare with.' },
        ...few,
      ],
    }
  const more = Math.round(leader.deltaToBaseline * tasks * 10) / 10
  const size = Math.abs(more)
  const what =
    more === 0
      ? `${titleOf(leader.method)} solved as many of ${tasksOf(tasks)} as ${name}`
      : `${titleOf(leader.method)} solved ${size} ${more > 0 ? 'more' : 'fewer'} of ${tasksOf(tasks)} than ${name}`
  const uniformFields = leader.n > 1 && leader.distinct < 2
  const one = leader.n === 1
  const [low, high] = leader.deltaCi95 ?? [0, 0]
  const sure = leader.deltaCi95 !== null && (low > 0 || high < 0)
  const weight = uniformFields
    ? `; all ${leader.n} seeds were identical, so this says nothing about luck.`
    : one
      ? '; one seed says nothing about luck.'
      : sure
        ? `; the ${leader.n} seeds vary by less than that.`
        : `; the ${leader.n} seeds vary as much, so it may be luck.`
  return {
    sentence: `${what}${weight}${open}`,
    next: [...(uniformFields || one || !sure ? [LUCK] : []), ...few],
  }
}

function seedWords({ n, distinct }: Pick<ExperimentRow, 'n' | 'distinct'>): string {
  if (n === 1) return ' with one seed.'
  return distinct < 2
    ? `; all ${n} seeds were identical, so this says nothing about luck.`
    : ` over ${n} seeds.`
}

/** What a person's own asks mean: the first half of the judged ones against the last. */
export function curveMeaning(points: readonly AskPoint[]): string {
  const { asks, judged, right } = askFigures(points)
  if (judged === 0)
    return `${asks === 1 ? 'The one ask was not judged' : `None of ${asks} asks was judged`}, so nothing is known of how well it works. One key (R, P or W) after an answer is enough.`
  const records = points.filter((point) => point.right !== null)
  const share = `${right} of ${judged} judged asks were right`
  const unjudged =
    asks > judged ? `; ${asks - judged} ${asks - judged === 1 ? 'was' : 'were'} not judged` : ''
  if (judged < 6) return `${share}${unjudged}. That is too few to see whether it gets better.`
  const half = Math.floor(judged / 2)
  const count = (part: readonly AskPoint[]): number => part.filter((point) => point.right === 1).length
  const first = wilson(count(records.slice(0, half)), half)
  const last = wilson(count(records.slice(-half)), half)
  const words = `${percent(first.rate)} in the first half, ${percent(last.rate)} in the second`
  if (last.low > first.high) return `${share}${unjudged}: ${words}, more than chance makes of so many.`
  if (last.high < first.low) return `${share}${unjudged}: ${words}. It got worse; look at what it recalls.`
  return `${share}${unjudged}: ${words}, a difference that chance makes of ${half} asks each. They were not the same tasks either.`
}
