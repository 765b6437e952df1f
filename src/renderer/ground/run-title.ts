import type { ExperimentHead } from '../../shared/domain/experiment'
import type { MethodInfo } from '../../shared/domain/method'
import type { RunInfo } from '../../shared/domain/run'
import type { StreamInfo } from '../../shared/domain/task'
import { streamName } from '../components/format'

/**
 * The method's title, its id when the list is not here yet, or, for a cell of `experiment` that plays a variant, the variant's
 * name. Ids of cells go on with the name after the experiment's.
 */
export function methodTitle(
  run: RunInfo,
  methods: readonly MethodInfo[] | null,
  experiment: ExperimentHead | null = null,
): string {
  const variant = experiment?.definition.methods.find(
    (entry) =>
      typeof entry !== 'string' &&
      run.id === `${experiment.id}-${entry.name}-e${run.config.k}-s${run.config.seed}`,
  )
  if (variant && typeof variant !== 'string') return variant.name
  return methods?.find((item) => item.id === run.config.method)?.title ?? run.config.method
}

/** `Case bank on House rules A`, from ids when the lists are not here yet. */
export function runTitle(
  run: RunInfo,
  methods: readonly MethodInfo[] | null,
  streams: readonly StreamInfo[] | null,
  experiment: ExperimentHead | null = null,
): string {
  if (run.name !== undefined) return run.name
  const method = methodTitle(run, methods, experiment)
  const stream =
    streams?.find((item) => item.id === run.config.stream)?.title ?? streamName(run.config.stream)
  return `${method} on ${stream}`
}

/** More settings than these tell nobody apart at a glance. */
const MOST_SETTINGS = 2

/** What tells a run from others of the same method: its seed, its K where that differs, and a setting or two where the same tasks were played otherwise. Empty when it is the only one. */
export function runDistinction(run: RunInfo, others: readonly RunInfo[]): string {
  const { method, seed, k, model, stream } = run.config
  const twins = others.filter(({ config }) => config.method === method)
  if (twins.length < 2) return ''
  const differs = twins.some(({ config }) => config.k !== k)
  const alike = twins.filter(
    ({ config }) => config.seed === seed && config.model === model && config.stream === stream,
  )
  const all = ownSettings(run, alike)
  const settings = all.length > MOST_SETTINGS ? [] : all
  // Beside a chart there is little room.
  const isTelling = settings.length === 0 || twins.some(({ config }) => config.seed !== seed)
  return [...(isTelling ? [`seed ${seed}`] : []), ...(differs ? [`K ${k}`] : []), ...settings].join(', ')
}

/** Settings of a run that others changed otherwise or not at all, as `told: answer`. */
const ownSettings = ({ config }: RunInfo, others: readonly RunInfo[]): string[] =>
  Object.entries(config.settings).flatMap(([group, values]) =>
    Object.entries(values)
      .filter(([key, value]) => others.some((other) => other.config.settings[group]?.[key] !== value))
      .map(([key, value]) => `${key}: ${String(value)}`),
  )
