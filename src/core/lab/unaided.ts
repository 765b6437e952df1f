import { NOTHING_RECALLED, type Method } from '../ground/method'
import { readPresentation } from '../ground/presentation'
import { createRng } from '../ground/random'
import { readRoles } from '../agent/roles'
import type { MethodInfo } from '../../shared/domain/method'
import type { SettingChanges } from '../../shared/domain/setting'
import type { StepEvent } from './run-record'

/** Attempts of each sort from which on the two are compared, and how many of the newest count. */
const LEAST = 4
const NEWEST = 40
/** Standard errors by which attempts without memory have to go better before memory rests. */
const BEYOND = 1

/** What a method's memory has beside texts: attempts as they were judged, and what was trained. */
const OF_ANOTHER_SORT: ReadonlySet<string> = new Set(['case', 'soft-prompt'])

/** Share solved, and the variance of that share; with one solved and one failed attempt added, so that few are no proof. */
function rateOf(steps: readonly Pick<StepEvent, 'reward'>[]): {
  readonly mean: number
  readonly variance: number
} {
  const solved = steps.reduce((sum, { reward }) => sum + reward, 0)
  const mean = (solved + 1) / (steps.length + 2)
  return { mean, variance: (mean * (1 - mean)) / (steps.length + 2) }
}

type Played = readonly Pick<StepEvent, 'reward' | 'unaided' | 'carried'>[]

/** How much better a run's attempts with memory go than those without, in standard errors; 0 while either are few. */
function gainOf(steps: Played): number {
  const played = steps.filter(({ carried }) => carried !== true)
  const without = played.filter(({ unaided }) => unaided === true).slice(-NEWEST)
  const aided = played.filter(({ unaided }) => unaided !== true).slice(-NEWEST)
  if (without.length < LEAST || aided.length < LEAST) return 0
  const [bare, helped] = [rateOf(without), rateOf(aided)]
  return (helped.mean - bare.mean) / Math.sqrt(bare.variance + helped.variance)
}

/**
 * Whether memory rests: where a run's attempts without it go so much better that it does harm; or, `untilProven`, as long as those with it do not go as much better.
 */
export const memoryRests = (steps: Played, untilProven = false): boolean =>
  untilProven ? gainOf(steps) <= BEYOND : gainOf(steps) < -BEYOND

/**
 * Whether a method's memory is texts that the run's own model wrote, and the model too small to write any that help: such texts mislead it more often than not, so they have to prove themselves. A model
 * that is held to the form of an action is that small.
 */
export const isUnproven = (
  { keeps, recalls }: Pick<MethodInfo, 'keeps' | 'recalls'>,
  settings: SettingChanges,
): boolean =>
  readPresentation(settings).replies === 'held' &&
  keeps.includes(recalls[0]?.kind ?? '') &&
  recalls.every(({ kind }) => !OF_ANOTHER_SORT.has(kind)) &&
  readRoles(settings).writer.model === null

/** Share solved from which an example of something else is more likely to mislead than to help. */
const SOLVES_ALONE = 0.4
/** Of the tasks that may be attempted without memory, how many are attempted with such examples where these rest: some, since each may cost a task, and else nobody would see that they help. */
const TRIED_AGAIN = 0.6

/**
 * Whether attempts at other tasks stand as earlier turns before a run's next task. An example helps who fails without one and misleads who does not: they stand
 * there once the tasks without any show that the agent solves less than two of five alone, or where tasks with them go clearly better. Before four were played so, none does.
 *
 * @param share of tasks that are attempted without memory, 0 to 0.5; 0: they always stand there
 */
export function followsOthers(
  share: number,
  steps: readonly Pick<StepEvent, 'reward' | 'examples' | 'carried'>[],
  { seed, index }: { readonly seed: number; readonly index: number },
): boolean {
  if (share === 0) return true
  const played = steps.filter(({ carried }) => carried !== true)
  const without = played.filter(({ examples = 0 }) => examples === 0).slice(-NEWEST)
  const following = played.filter(({ examples = 0 }) => examples > 0).slice(-NEWEST)
  if (without.length < LEAST) return false
  const [alone, helped] = [rateOf(without), rateOf(following)]
  if (alone.mean < SOLVES_ALONE) return true
  const isBetter = helped.mean - alone.mean > BEYOND * Math.sqrt(alone.variance + helped.variance)
  return (
    (following.length >= LEAST && isBetter) ||
    createRng(`examples/${seed}/${index}`).chance(share * TRIED_AGAIN)
  )
}

/**
 * Whether a run's next task is attempted without memory: a `share` of them, drawn by the run's seed and the task's place, so that a resumed run draws
 * the same. Where memory does harm (`memoryRests`) it is the other way round: a share is attempted with memory, so that it can come back.
 *
 * @param share 0 to 0.5; 0: never
 * @param unproven whether memory rests until it helps (`isUnproven`)
 */
export function goesUnaided(
  share: number,
  steps: readonly StepEvent[],
  { seed, index }: { readonly seed: number; readonly index: number },
  unproven = false,
): boolean {
  if (share === 0) return false
  const isDrawn = createRng(`unaided/${seed}/${index}`).chance(share)
  return memoryRests(steps, unproven) ? !isDrawn : isDrawn
}

/** A method as it attempts a task without memory, and learns from it all the same. */
export function withoutMemory(method: Method): Method {
  const { recallTurn: _turn, revise: _revise, attempts: _attempts, ...others } = method
  return { ...others, recall: () => Promise.resolve({ ...NOTHING_RECALLED, softPrompt: false }) }
}
