import { estimate, type Estimate } from '../../../shared/figures/estimate'
import { finiteValues, mean, sum } from '../../../shared/figures/mean'
import { firstThirdRate, lastThirdRate, LONG_RECENT, recentRate } from '../../../shared/figures/rates'
import { pooledRate } from '../../../shared/figures/skills'
import { forwardTransfer, rateDifference } from '../../../shared/figures/transfer'
import { baselineOf, pairs } from './baseline'
import type { Series } from './series'
import { signatureOf, type Track } from './track'

/** The figures of one series. Rates and transfers are in [0, 1] and [-1, 1]. */
export interface SeriesSummary {
  readonly series: Series
  /** Finished tasks per seed: fewest and most. */
  readonly tasks: readonly [number, number]
  readonly rate: Estimate
  readonly first: Estimate
  readonly last: Estimate
  /** Over the last 100 tasks. */
  readonly window: Estimate
  readonly solved: Estimate
  /** What it is compared with; null for nothing. */
  readonly baseline: Series | null
  /** Difference of the success rates over the tasks that both have done, paired by seed. */
  readonly delta: Estimate
  readonly forwardTransfer: Estimate
  readonly forgetting: Estimate
  /** Per task: rounds, tokens, seconds. */
  readonly steps: Estimate
  readonly tokens: Estimate
  readonly seconds: Estimate
  readonly skills: readonly SkillSummary[]
}

export interface SkillSummary {
  readonly skill: string
  /** Attempts, over all seeds. */
  readonly attempts: number
  readonly rate: Estimate
}

/** A figure of each track, as samples that tell seeds apart which went differently. */
const over = (tracks: readonly Track[], of: (track: Track) => number | null): Estimate =>
  estimate(tracks.map((track) => ({ value: of(track), signature: signatureOf(track) })))

/** The figures of each series; `all` may hold a baseline that is not among them. */
export function summarize(
  series: readonly Series[],
  all: readonly Series[],
  baselineChoice: string | null,
): SeriesSummary[] {
  return series.map((item) => {
    const figure = (of: (track: Track) => number | null) => over(item.tracks, of)
    const lengths = item.tracks.map(({ rewards }) => rewards.length)
    const baseline = baselineOf(item, all, baselineChoice)
    const both = baseline ? pairs(item, baseline) : []
    const against = (of: (own: Track['rewards'], other: Track['rewards']) => number | null) =>
      estimate(
        both.map(({ track, other }) => ({
          value: of(track.rewards, other.rewards),
          signature: `${signatureOf(track)} - ${signatureOf(other)}`,
        })),
      )
    return {
      series: item,
      tasks: [Math.min(...lengths), Math.max(...lengths)],
      rate: figure(({ rewards }) => mean(rewards)),
      first: figure(({ rewards }) => firstThirdRate(rewards)),
      last: figure(({ rewards }) => lastThirdRate(rewards)),
      window: figure(({ rewards }) => recentRate(rewards, LONG_RECENT).rate),
      solved: figure(({ rewards }) => sum(rewards)),
      baseline,
      delta: against(rateDifference),
      forwardTransfer: against(forwardTransfer),
      forgetting: figure((track) => track.parts.at(-1)?.run.figures.forgetting ?? null),
      steps: figure(({ rounds }) => mean(finiteValues(rounds))),
      tokens: figure(({ tokens }) => mean(tokens)),
      seconds: figure(({ ms }) => mean(ms.map((each) => each / 1000))),
      skills: skillsOf(item),
    }
  })
}

function skillsOf({ tracks }: Series): SkillSummary[] {
  const skillsIn = ({ parts }: Track) => parts.flatMap(({ run }) => run.figures.skills)
  const all = tracks.flatMap(skillsIn)
  const names = [...new Set(all.map(({ skill }) => skill))].sort()
  return names.map((name) => ({
    skill: name,
    attempts: sum(all.filter(({ skill }) => skill === name).map(({ n }) => n)),
    rate: over(tracks, (track) => pooledRate(skillsIn(track).filter(({ skill }) => skill === name))),
  }))
}
