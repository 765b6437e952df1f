import { createHash, randomBytes } from 'node:crypto'
import { basename, extname } from 'node:path'
import { abortError } from '../../core/ground/abort'
import { findVariant, planCells, variantOf, type MethodVariant } from '../../core/lab/experiment'
import { applyPreset } from '../../core/lab/presets'
import { scheduledTotal } from '../../core/lab/protocol'
import type { Clock } from '../../core/ground/ports'
import type {
  CellPlan,
  Study,
  ExperimentInfo,
  ExperimentInput,
  ExperimentPlan,
} from '../../shared/domain/experiment'
import { canonicalJson } from '../../core/ground/canonical-json'
import { LoamError } from '../../shared/errors'
import { mean } from '../../shared/figures/mean'
import { trainsSoftPrompt } from '../soft-prompts/in-run'
import type { JobRegistry } from '../ground/jobs'
import { nameOfModel } from '../ground/model-file'
import type { RunRecord } from '../../core/lab/run-record'
import type { RunDrafts } from '../runs/run-drafts'
import type { RunQueue } from '../runs/run-queue'
import type { StreamLibrary } from '../streams/stream-library'
import { readStudy } from './study-file'
import type { ExperimentQueue } from './experiment-queue'
import type { ExperimentRecord } from './experiment-store'
import { streamsOf, type ExperimentStreams } from './streams-of'
import { msPerAttempt, sharedTimeMs, type TimedStep } from '../../shared/figures/pace'

/** Newest runs that the pace is measured over. */
const RUNS_LOOKED_AT = 40

/** Milliseconds per attempt, by method. */
type Paces = ReadonlyMap<string, number>

/** The pace of each method in the newest runs with this model; attempts that were never made do not count. */
function earlierPaces(runs: Pick<RunQueue, 'list' | 'steps'>, model: string): Paces {
  const stepsMap = new Map<string, TimedStep[]>()
  const uniformFields = runs.list().filter(({ config, done }) => config.model === model && done > 0)
  for (const { id, config } of uniformFields.slice(0, RUNS_LOOKED_AT)) {
    stepsMap.set(config.method, [...(stepsMap.get(config.method) ?? []), ...runs.steps(id)])
  }
  return new Map(
    [...stepsMap].flatMap(([method, steps]) => {
      const pace = msPerAttempt(steps)
      return pace === null ? [] : [[method, pace] as const]
    }),
  )
}

/** What is to be estimated. */
interface Workload {
  /** The method of each cell. */
  readonly methods: readonly string[]
  readonly attemptsPerCell: number
  /** Cells worked on at a time. */
  readonly inFlight: number
}

/**
 * About how long the work takes. A method without a pace of its own is taken to be as slow as the slowest known one, and named
 * in `guessed`. Cells in flight are taken to share the work evenly.
 */
export function estimateTime(
  { methods, attemptsPerCell, inFlight }: Workload,
  paces: Paces,
): { etaMs: number | null; guessed: string[] } {
  if (paces.size === 0) return { etaMs: null, guessed: [] }
  const slowest = Math.max(...paces.values())
  const cells = methods.map((method) => attemptsPerCell * (paces.get(method) ?? slowest))
  const guessed = [...new Set(methods)].filter((method) => !paces.has(method))
  return { etaMs: sharedTimeMs(cells, inFlight), guessed }
}

export interface ExperimentDraftsDeps {
  readonly experiments: ExperimentQueue
  readonly jobs: JobRegistry
  readonly streams: StreamLibrary
  readonly runDrafts: Pick<RunDrafts, 'draft'>
  /** Earlier runs, for their pace. */
  readonly runs: Pick<RunQueue, 'list' | 'steps'>
  readonly clock: Clock
  readonly demoModel: string
  /** What a person calls a model, as the path or reference that it is known by. @throws LoamError `BAD_INPUT` where several are called so */
  readonly modelNamed: (text: string) => Promise<string>
  readonly appVersion: string
  /** Tokens that a model was trained for; null where that is not known. */
  readonly trainContext: (model: string) => Promise<number | null>
  /** A memory by its id or folder. @throws LoamError `NOT_FOUND` where there is none */
  readonly requireItem: (idOrPath: string) => Promise<unknown>
}

/** Starting experiments: fills in defaults, checks what can be checked at once, and makes jobs of them. */
export type ExperimentDrafts = ReturnType<typeof createExperimentDrafts>

const stamp = (clock: Clock): string =>
  clock.now().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')

const activityOf = ({ cells, status }: ExperimentInfo): string => {
  if (status === 'paused') return 'Paused'
  const endCount = cells.filter((cell) => cell.status !== 'queued' && cell.status !== 'running').length
  const current = cells.filter((cell) => cell.status === 'running')
  const names = current.map(({ method, exp, seed }) => `${method}, K ${exp}, seed ${seed}`)
  return `${endCount} of ${cells.length} cells${names.length === 0 ? '' : `; ${names.join(' and ')}`}`
}

/** What parts of one experiment are named by, wherever they are played: everything that is asked, without where its model lies. */
function nameOfWhole({ shard: _, model: __, experiences: ___, stream, ...study }: Study): string {
  const text = canonicalJson({ ...study, stream: basename(stream) })
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The definition with what its variants' presets set spelt out. @throws LoamError `BAD_INPUT` for a preset that a method does not have */
async function withPresets(
  read: Study,
  environment: string,
  trainContext: () => Promise<number | null>,
): Promise<Study> {
  if (read.methods.every((entry) => variantOf(entry).preset === undefined)) return read
  const most = await trainContext()
  const methods = read.methods.map((entry) =>
    typeof entry === 'string' ? entry : applyPreset(entry, environment, most),
  )
  return { ...read, methods }
}

/** The cells of an experiment that are played here; one at least. @throws LoamError `BAD_INPUT` */
function ownCells(id: string, definition: Study, streams: ExperimentStreams): [CellPlan, ...CellPlan[]] {
  const { shard } = definition
  const planned = streams.sized(planCells(id, definition))
  const [first, ...rest] = shard ? planned.filter((_, i) => i % shard.of === shard.index - 1) : planned
  if (!first)
    throw new LoamError('BAD_INPUT', `There are only ${planned.length} cells, fewer than parts.`, {
      suggestion: 'Split it into fewer parts.',
    })
  return [first, ...rest]
}

/** Refuses what would start with the experiences of a memory that is not there. @throws LoamError `NOT_FOUND` */
async function requireStart(
  { methods, experiences }: Study,
  { requireItem }: Pick<ExperimentDraftsDeps, 'requireItem'>,
): Promise<void> {
  const starts = methods.some((entry) => variantOf(entry).experiences !== undefined)
  if (starts && experiences !== undefined) await requireItem(experiences)
}

/** What a definition would come to. */
async function planOf(input: ExperimentInput, deps: ExperimentDraftsDeps): Promise<ExperimentPlan> {
  const read = readStudy(input)
  await requireStart(read, deps)
  const streams = await streamsOf(read, deps.streams)
  const model = read.model === null ? deps.demoModel : await deps.modelNamed(read.model)
  const definition = await withPresets(read, streams.environment, () => deps.trainContext(model))
  const cells = streams.sized(planCells('plan', definition))
  const methods = cells.map(({ method }) => findVariant(definition, method).method)
  const attempts = cells.map(({ tasks }) =>
    scheduledTotal(tasks ?? streams.skills.length, definition.protocol),
  )
  const attemptsPerCell = Math.round(mean(attempts) ?? 0)
  const { inFlight } = definition.settings
  return {
    cells: methods.length,
    attemptsPerCell,
    streamTasks: streams.tasks,
    ...estimateTime({ methods, attemptsPerCell, inFlight }, earlierPaces(deps.runs, model)),
  }
}

/** SHA-256 of the prompts of cells whose world, or its settings, are not those of the first one, by key; one of each is made ready for it. */
async function otherPrompts(
  cells: readonly CellPlan[],
  definition: Study,
  { environmentOf }: ExperimentStreams,
  first: string,
  draft: (variant: MethodVariant, cell: CellPlan) => Promise<Pick<RunRecord, 'hashes'>>,
): Promise<Record<string, string>> {
  const promptsMap = new Map<string, string>()
  const prompts: Record<string, string> = {}
  for (const cell of cells) {
    const variant = findVariant(definition, cell.method)
    const environment = environmentOf(cell)
    const world = canonicalJson([environment, variant.settings[environment] ?? {}])
    const knownPrompts = promptsMap.size === 0 ? first : promptsMap.get(world)
    const prompt = knownPrompts ?? (await draft(variant, cell)).hashes.prompt
    promptsMap.set(world, prompt)
    if (prompt !== first) prompts[cell.key] = prompt
  }
  return prompts
}

/** Creates it. */
export function createExperimentDrafts(deps: ExperimentDraftsDeps) {
  const { experiments, jobs, streams, clock } = deps
  const followed = new Set<string>()
  let isClosed = false

  const draftRecord = async (input: ExperimentInput): Promise<ExperimentRecord> => {
    const read = readStudy(input)
    const knownStreams = await streamsOf(read, streams)
    const model = read.model === null ? deps.demoModel : await deps.modelNamed(read.model)
    const definition = {
      ...(await withPresets(read, knownStreams.environment, () => deps.trainContext(model))),
      stream: knownStreams.id,
      model,
    }
    const slug = basename(read.name ?? knownStreams.id, extname(knownStreams.id))
      .replace(/[^a-zA-Z0-9-]+/g, '-')
      .slice(0, 24)
    const { shard } = definition
    const id = shard
      ? `exp-parts-${slug}-${nameOfWhole(definition)}`
      : `exp-${stamp(clock)}-${slug}-${randomBytes(2).toString('hex')}`
    if (shard && experiments.list().some((record) => record.id === id))
      throw new LoamError('CONFLICT', 'A part of this experiment is in this data folder already.', {
        suggestion: `Go on with it: loam experiment --resume ${id}; or use a data folder for each part.`,
      })
    const cells = ownCells(id, definition, knownStreams)
    const [first] = cells
    const { protocol } = definition
    const draftVariant = ({ method, settings }: MethodVariant, { stream }: CellPlan) =>
      deps.runDrafts.draft(first.runId, {
        ...{
          stream: stream ?? definition.stream,
          method,
          settings,
          protocol,
          model,
          tasks: definition.tasks,
          memoryId: id,
        },
      })
    await requireStart(read, deps)
    // The first cell stands for all: the model is the same for each, and the prompt where world and its settings are.
    const { hashes } = await draftVariant(findVariant(definition, first.method), first)
    // One that cannot be trained here is refused now, and not when its turn comes.
    for (const variant of definition.methods.map(variantOf))
      if (trainsSoftPrompt(variant.method, variant.settings)) await draftVariant(variant, first)
    const prompts = await otherPrompts(cells, definition, knownStreams, hashes.prompt, draftVariant)
    return {
      format: 1,
      id,
      name: read.name ?? `${read.methods.length} methods on ${knownStreams.title}`,
      createdAt: clock.now().toISOString(),
      appVersion: deps.appVersion,
      definition,
      modelName: nameOfModel(model),
      hashes: { model: hashes.model.sha256, stream: hashes.stream, prompt: hashes.prompt },
      skills: knownStreams.skills,
      ...(knownStreams.hashes && { streams: knownStreams.hashes }),
      ...(Object.keys(prompts).length > 0 && { prompts }),
      cells,
      status: 'running',
      problem: null,
      finishedAt: null,
      refused: {},
    }
  }

  const follow = (id: string): void => {
    if (followed.has(id)) return
    followed.add(id)
    const { name } = experiments.get(id)
    jobs.start(
      'experiment',
      name,
      async ({ jobId, signal, progress }) => {
        const endingPromise = new Promise<ExperimentInfo>((resolveEnd, reject) => {
          const update = (info: ExperimentInfo): void => {
            progress({ done: info.done, total: info.total, activity: activityOf(info) })
            if (info.status !== 'running' && info.status !== 'paused') resolveEnd(info)
          }
          const stop = experiments.onChange(id, update)
          signal.addEventListener('abort', () => {
            stop()
            if (isClosed) reject(abortError())
            else experiments.cancel(id).then(resolveEnd, reject)
          })
          update(experiments.get(id))
        })
        try {
          const info = await endingPromise
          if (info.status === 'failed' && info.problem) throw LoamError.fromShape(info.problem)
          if (info.status === 'cancelled') void jobs.cancel(jobId)
        } finally {
          followed.delete(id)
        }
      },
      { unit: 'tasks', subject: id, activity: 'Waiting for its turn' },
    )
  }

  return {
    /**
     * What a definition would come to, without starting anything. The model is not looked at.
     * @throws LoamError `BAD_INPUT`, `NOT_FOUND`, `TASK_STREAM`
     */
    plan: (input: ExperimentInput): Promise<ExperimentPlan> => planOf(input, deps),
    /** @throws LoamError `BAD_INPUT`, `NOT_FOUND`, `MODEL_NOT_FOUND`, `TASK_STREAM` */
    async start(input: ExperimentInput): Promise<ExperimentInfo> {
      const info = await experiments.start(await draftRecord(input))
      follow(info.id)
      return info
    },
    async resume(id: string): Promise<ExperimentInfo> {
      const info = await experiments.resume(id)
      follow(id)
      return info
    },
    /** The host is closing: ends of jobs no longer cancel their experiments. */
    close() {
      isClosed = true
    },
  }
}
