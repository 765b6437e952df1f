/** Two methods on the same tasks of one world: 1 solved, 0 not. */
export interface PairedWorld {
  readonly one: readonly number[]
  readonly other: readonly number[]
}

/** What the differences seen say of what a comparison needs. Shares, not percent. */
export interface PairedPower {
  readonly worlds: number
  readonly tasks: number
  /** Share of all tasks that one solves and the other does not. */
  readonly won: number
  readonly lost: number
  readonly difference: number
  /** Half of the 95 % interval by tasks of these worlds, worlds left out of account. */
  readonly within: number
  /** Standard deviation between worlds beyond what tasks explain; 0 where they explain all. Null for one world. */
  readonly between: number | null
  /** Tasks that would show the aim if worlds did not differ. */
  readonly tasksNeeded: number
  /** Worlds of as many tasks as these that would show it. Null for one world. */
  readonly worldsNeeded: number | null
}

/** Standard normal quantiles of .975 and .8: 5 % on two sides, shown in four of five studies. */
const [TWO_SIDED, POWER] = [1.959964, 0.841621]
const NEEDED = (TWO_SIDED + POWER) ** 2

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * How many tasks and worlds a difference of `aim` takes to be shown at 80 % power: McNemar's variance of a paired difference, and the variance between
 * worlds that is left when that of their tasks is taken off. @throws Error where nothing is paired
 */
export function pairedPower(worlds: readonly PairedWorld[], aim: number): PairedPower {
  const gains = worlds.map(({ one, other }) => {
    if (one.length === 0 || one.length !== other.length) throw new Error('Both have to have the same tasks')
    return one.map((value, i) => value - (other[i] ?? 0))
  })
  if (gains.length === 0) throw new Error('There is no world to compare in')
  const all = gains.flat()
  const [won, lost] = [1, -1].map((sign) => all.filter((gain) => gain === sign).length / all.length) as [
    number,
    number,
  ]
  const discordant = won + lost
  const difference = won - lost
  const perTask = discordant - difference ** 2
  const perWorld = meanOf(gains.map(({ length }) => length))
  const means = gains.map(meanOf)
  const spread =
    means.length < 2
      ? null
      : means.reduce((sum, mean) => sum + (mean - meanOf(means)) ** 2, 0) / (means.length - 1)
  const between = spread === null ? null : Math.max(0, spread - perTask / perWorld)
  const aimed = discordant - aim ** 2
  return {
    worlds: gains.length,
    tasks: all.length,
    won,
    lost,
    difference,
    within: TWO_SIDED * Math.sqrt(perTask / all.length),
    between: between === null ? null : Math.sqrt(between),
    tasksNeeded: Math.ceil((NEEDED * aimed) / aim ** 2),
    worldsNeeded: between === null ? null : Math.ceil((NEEDED * (between + aimed / perWorld)) / aim ** 2),
  }
}
