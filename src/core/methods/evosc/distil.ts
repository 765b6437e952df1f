import type { SettingsOf } from '../../ground/settings'
import type { SETTINGS } from './settings'
import type { RunProgress } from '../../ground/method'

/** Solved tasks there have to be before anything is distilled. */
export const LEAST_SOLVED = 2

/**
 * After how many tasks the newest soft prompt fell due: the first as soon as `ptcAfter` tasks (0: a third of the run's) are
 * done and two of them solved, each further one when `ptcEvery` more are solved. Null before the first, and at the end of
 * the run, when no task is left to serve it.
 */
export function distilMoment(
  { rewards, total }: RunProgress,
  { ptcAfter, ptcEvery }: Pick<SettingsOf<typeof SETTINGS>, 'ptcAfter' | 'ptcEvery'>,
): number | null {
  const after = ptcAfter > 0 ? ptcAfter : Math.ceil(total / 3)
  let newest: number | null = null
  let solved = 0
  let distilled = 0
  for (let doneCount = 1; doneCount <= Math.min(rewards.length, total - 1); doneCount++) {
    solved += rewards[doneCount - 1] ?? 0
    const due =
      newest === null
        ? doneCount >= after && solved >= LEAST_SOLVED
        : ptcEvery > 0 && solved - distilled >= ptcEvery
    if (!due) continue
    newest = doneCount
    distilled = solved
  }
  return newest
}
