import type { RunCurve } from '../../../shared/domain/curve'
import { joinTracks, type Track } from './track'

/** One line of the chart and what stands behind it. */
export interface Series {
  /** Stays the same when the data is read again. */
  readonly key: string
  /** Method or variant. */
  readonly label: string
  /** What tells it from series with the same label; empty when nothing has to. */
  readonly detail: string
  readonly method: string
  /** The newest of its runs: what all of them have in common. */
  readonly head: RunCurve
  /** One per seed, those the means are over. */
  readonly tracks: readonly Track[]
  /** Runs that are not in the means. */
  readonly left: {
    /** A prompt was longer than the model can read (the papers' OOM). */
    readonly oom: number
    /** Failed or cancelled. */
    readonly stopped: number
    /** Older ones of a seed that is there already. */
    readonly repeated: number
  }
}

export interface SeriesOptions {
  /** One series per group of seeds, or one per run. */
  readonly lines: 'mean' | 'runs'
  /** Runs of one space one after another. */
  readonly join: boolean
  titleOf(method: string): string
}

const isStopped = (run: RunCurve) => run.status === 'failed' || run.status === 'cancelled'
const isOom = (run: RunCurve) => run.overflows > 0

/** Sorts runs into series, in the order they came. Runs that have not finished a task yet are left out. */
export function buildSeries(curves: readonly RunCurve[], options: SeriesOptions): Series[] {
  const begun = curves.filter((run) => run.outcomes.length > 0)
  const lives = options.join ? gather(begun, (run) => run.spaceId) : begun.map((run) => [run])
  const byKey = gather(lives, ([first, ...later]) =>
    options.lines === 'runs' || later.length > 0 ? (first?.runId ?? '') : (first?.group ?? ''),
  )
  const bare = byKey.flatMap((members) => seriesOf(members, options) ?? [])
  return withDetails(bare, options.lines)
}

/** Whether there are runs that "one after another" would join. */
export function canJoin(curves: readonly RunCurve[]): boolean {
  return gather(curves, (run) => run.spaceId).some((runs) => runs.length > 1)
}

function gather<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

/** `members` are lives: a run, or the runs of a space. */
function seriesOf(members: readonly (readonly RunCurve[])[], options: SeriesOptions): Series | null {
  const oom = members.filter((runs) => runs.some(isOom))
  const stopped = members.filter((runs) => !runs.some(isOom) && runs.some(isStopped))
  const good = members.filter((runs) => !runs.some(isOom) && !runs.some(isStopped))
  // When nothing else is there, showing them beats showing nothing; the label says what they are.
  const used = good.length > 0 ? good : members
  const perSeed = gather(used, ([first]) => String(first?.seed)).map(newest)
  const tracks = perSeed.flatMap((runs) => joinTracks(runs) ?? []).sort((a, b) => a.seed - b.seed)
  const head = perSeed[0]?.[0]
  if (!head) return null
  return {
    key: options.lines === 'runs' || members.some((runs) => runs.length > 1) ? head.runId : head.group,
    label: head.name === head.method ? options.titleOf(head.method) : head.name,
    detail: '',
    method: head.method,
    head,
    tracks,
    left: { oom: oom.length, stopped: stopped.length, repeated: used.length - perSeed.length },
  }
}

/** Of several tries with one seed the longest counts, among equals the newest. */
function newest(lives: readonly (readonly RunCurve[])[]): readonly RunCurve[] {
  const lengthOf = (runs: readonly RunCurve[]) => runs.reduce((sum, run) => sum + run.outcomes.length, 0)
  const bornAt = (runs: readonly RunCurve[]) => runs[0]?.createdAt ?? ''
  return [...lives].sort((a, b) => lengthOf(b) - lengthOf(a) || bornAt(b).localeCompare(bornAt(a)))[0] ?? []
}

/** Settings that go without saying beside the label, or are another view of one that is named. */
const UNTOLD = /^(Method|Variant|Seed|Loam|.*SHA-256)$/

/** Names what differs: first Exp, stream, model and experiment, then, where that is not enough, any other setting. */
function withDetails(series: readonly Series[], lines: SeriesOptions['lines']): Series[] {
  const tell = (item: Series, names: readonly string[]) =>
    names
      .map((name) => [name, settingOf(item.head, name)] as const)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => wordsFor(name, value))
  return series.map((item) => {
    const twins = series.filter((other) => other.label === item.label)
    const differs = (name: string, among: readonly Series[]) =>
      new Set(among.map((other) => settingOf(other.head, name))).size > 1
    const common = ['Exp (K)', 'Stream', 'Model', 'Experiment'].filter((name) =>
      name === 'Exp (K)' ? item.head.exp !== null && differs(name, twins) : differs(name, series),
    )
    const same = twins.filter((other) => tell(other, common).join() === tell(item, common).join())
    const more = item.head.settings
      .map(({ name }) => name)
      .filter((name) => !UNTOLD.test(name) && !common.includes(name) && differs(name, same))
    const parts = tell(item, [...common, ...more])
    if (lines === 'runs') parts.push(`seed ${item.head.seed}`)
    return { ...item, detail: parts.join(', ') }
  })
}

const settingOf = (run: RunCurve, name: string) =>
  run.settings.find((setting) => setting.name === name)?.value ?? ''

function wordsFor(name: string, value: string): string {
  if (name === 'Exp (K)') return `Exp ${value}`
  if (name === 'Stream') return value.split(/[\\/]/).pop() ?? value
  if (name === 'Model') return value
  if (name === 'Experiment') return value === 'none' ? 'single run' : value
  return `${name.replace(/^.*: /, '')} ${value}`
}
