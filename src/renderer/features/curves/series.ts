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
  /** One series per group of seeds, one per run, or one per method over all streams. */
  readonly lines: 'mean' | 'runs' | 'pooled'
  /** Runs of one memory one after another. */
  readonly join: boolean
  titleOf(method: string): string
  streamTitleOf(stream: string): string
}

const isStopped = (run: RunCurve) => run.status === 'failed' || run.status === 'cancelled'
const isOom = (run: RunCurve) => run.overflows > 0

/** Sorts runs into series, in the order they came. Runs that have not finished a task yet are left out. */
export function buildSeries(curves: readonly RunCurve[], options: SeriesOptions): Series[] {
  const beginnings = curves.filter((run) => run.rewards.length > 0)
  const lives = options.join ? gather(beginnings, (run) => run.memoryId) : beginnings.map((run) => [run])
  const byKey = gather(lives, (runs) => keyOf(runs, options))
  // Runs of one group stay together.
  const bare = gather(
    byKey.flatMap((members) => seriesOf(members, options) ?? []),
    ({ head }) => head.group,
  ).flat()
  return withDetails(bare, options)
}

/** What runs, or lives of several runs, have in common that are one series. */
function keyOf([first, ...later]: readonly RunCurve[], { lines }: SeriesOptions): string {
  if (!first) return ''
  if (lines === 'runs' || later.length > 0) return first.runId
  return lines === 'pooled' ? `${first.name}, K ${first.exp ?? '-'}, ${first.model}` : first.group
}

/** Whether there are runs that "one after another" would join. */
export function canJoin(curves: readonly RunCurve[]): boolean {
  return gather(curves, (run) => run.memoryId).some((runs) => runs.length > 1)
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

/** `members` are lives: a run, or the runs of a memory. */
function seriesOf(members: readonly (readonly RunCurve[])[], options: SeriesOptions): Series | null {
  const oom = members.filter((runs) => runs.some(isOom))
  const groupedStops = members.filter((runs) => !runs.some(isOom) && runs.some(isStopped))
  const good = members.filter((runs) => !runs.some(isOom) && !runs.some(isStopped))
  // When nothing else is there, showing them beats showing nothing; the label says what they are.
  const groupedUses = good.length > 0 ? good : members
  // A seed on another stream is another sample.
  const perSeed = gather(groupedUses, ([first]) => `${first?.seed} ${first?.stream}`).map(newest)
  const tracks = perSeed.flatMap((runs) => joinTracks(runs) ?? []).sort((a, b) => a.seed - b.seed)
  const head = perSeed[0]?.[0]
  if (!head) return null
  return {
    key: members.some((runs) => runs.length > 1) ? head.runId : keyOf([head], options),
    label: head.name === head.method ? options.titleOf(head.method) : head.name,
    detail: '',
    method: head.method,
    head,
    tracks,
    left: { oom: oom.length, stopped: groupedStops.length, repeated: groupedUses.length - perSeed.length },
  }
}

/** Of several tries with one seed the longest counts, among equals the newest. */
function newest(lives: readonly (readonly RunCurve[])[]): readonly RunCurve[] {
  const lengthOf = (runs: readonly RunCurve[]) => runs.reduce((sum, run) => sum + run.rewards.length, 0)
  const bornAt = (runs: readonly RunCurve[]) => runs[0]?.createdAt ?? ''
  return [...lives].sort((a, b) => lengthOf(b) - lengthOf(a) || bornAt(b).localeCompare(bornAt(a)))[0] ?? []
}

/** What is named first, where it tells series of one name apart. */
const TELLING = ['K', 'Stream', 'Model', 'Experiment']
/** Settings that say nothing to a reader, or say again what another one does. */
const UNTOLD = /^(Method|Variant|Seed|Loam|.*SHA-256)$/

/** Names as few settings as it takes to tell each series from others with the same label. */
function withDetails(series: readonly Series[], { lines, streamTitleOf }: SeriesOptions): Series[] {
  const tell = (item: Series, names: readonly string[]) =>
    names
      .filter((name) => name !== 'K' || item.head.exp !== null)
      .map((name) => [name, settingOf(item.head, name)] as const)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => (name === 'Stream' ? streamTitleOf(value) : wordsFor(name, value)))
  const details = gather(series, ({ label }) => label).flatMap((twins) => {
    const kinds = (names: readonly string[]) => new Set(twins.map((item) => tell(item, names).join())).size
    const more = twins
      .flatMap(({ head }) => head.settings.map(({ name }) => name))
      .filter((name) => !UNTOLD.test(name) && !TELLING.includes(name))
    const names: string[] = []
    for (const name of [...TELLING, ...new Set(more)])
      if (kinds([...names, name]) > kinds(names)) names.push(name)
    return twins.map((item) => [item, tell(item, names)] as const)
  })
  const parts = new Map(details)
  return series.map((item) => {
    const seed = lines === 'runs' ? [`seed ${item.head.seed}`] : []
    return { ...item, detail: [...(parts.get(item) ?? []), ...seed].join(', ') }
  })
}

const settingOf = (run: RunCurve, name: string) =>
  run.settings.find((setting) => setting.name === name)?.value ?? ''

function wordsFor(name: string, value: string): string {
  if (name === 'K') return `K ${value}`
  if (name === 'Model') return value
  if (name === 'Experiment') return value === 'none' ? 'single run' : value
  return `${name.replace(/^.*: /, '')} ${value}`
}
