import { calibrate } from '../../core/retrieval/calibration'
import { LEXICAL_ID } from '../../core/retrieval/lexical-embedder'
import type { StoredMemory } from '../memory-store/memory'
import { randomBytes } from 'node:crypto'
import { basename, extname } from 'node:path'
import { findMethod, METHODS } from '../../core/methods'
import { checkRunSettings } from '../../core/lab/setting-groups'
import { readSettings } from '../../core/ground/settings'
import {
  AS_PAPERS,
  presentationFor,
  readPresentation,
  settledPresentation,
  usualK,
} from '../../core/ground/presentation'
import type { Method } from '../../core/ground/method'
import type { Clock } from '../../core/ground/ports'
import { applyPreset } from '../../core/lab/presets'
import { ONCE, scheduledTotal } from '../../core/lab/protocol'
import type { RunRecord } from '../../core/lab/run-record'
import { ENVIRONMENTS } from '../../core/tasks'
import { DEMO_STREAM } from '../../core/tasks/generators'
import { isQuestions } from '../../core/ground/question-environment'
import { runConfigSchema, type Protocol, type RunInfo } from '../../shared/domain/run'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { LoamError } from '../../shared/errors'
import { chooseSoftPrompt, factsOf } from '../soft-prompts/choose-soft-prompt'
import type { SoftPromptTraining } from '../soft-prompts/soft-prompt-training'
import { requireTraining, trainsSoftPrompt } from '../soft-prompts/in-run'
import type { AttemptForm } from '../../shared/domain/model-profile'
import type { SettingChanges } from '../../shared/domain/setting'
import { requireTemplates } from '../ground/prompts'
import { AGENT } from '../../core/agent/settings'
import { otherModels, readRoles, ROLE_NAMES, rolesIn } from '../../core/agent/roles'
import { hashTasks, type LoadedStream } from '../streams/stream-library'
import { sha256, type RunParts } from './prepare-run'
import { nameOfModel } from '../ground/model-file'
import { isOver } from './run-entry'
import type { RunQueue } from './run-queue'
import type { RunViews } from './run-views'

/** What a person chooses; everything left out has a default. */
export interface StartRunInput {
  /** Bundled name or path. */
  readonly stream: string
  readonly method: string
  /** Absolute GGUF path. Default: the bundled demo model. */
  readonly model?: string
  /** Default 1. */
  readonly seed?: number
  /** Default: the method's own K. */
  readonly k?: number | null
  /** Default: all. */
  readonly tasks?: number | null
  /** Id or absolute folder. Default: a fresh memory named after the run. */
  readonly memoryId?: string | null
  readonly temperature?: number
  readonly maxTokens?: number
  /** Default: once through the stream. */
  readonly protocol?: Protocol
  /** Default: what the model was trained for, as far as memory allows. */
  readonly contextSize?: number
  /** `PRESET` or `PRESET/BENCHMARK` of the method: fills in K, temperature, lengths and settings that are left out. */
  readonly preset?: string
  /** Settings of the methods, by method id. Default: none changed. */
  readonly settings?: SettingChanges
  /** Path of a soft prompt's adapter or description, served with any method. Default: the one in use in the memory. */
  readonly softPrompt?: string
  /** Whether a soft prompt is served at all. Default true. */
  readonly useSoftPrompt?: boolean
}

export interface RunDraftsDeps extends RunParts {
  readonly runs: RunQueue
  readonly views: RunViews
  readonly clock: Clock
  readonly softPromptTraining: Pick<SoftPromptTraining, 'requireTrainable'>
  readonly demoModel: string
  readonly appVersion: string
  /** Tokens that a model was trained for; null where that is not known. */
  readonly trainContext: (model: string) => Promise<number | null>
  /** About how many weights a model has; null where that is not known. */
  readonly weights: (model: string) => Promise<number | null>
  /** In which form a model is shown attempts, as was measured or chosen; null where neither is known. */
  readonly attemptForm: (model: string) => Promise<AttemptForm | null>
  /** Whether a model uses tools well. */
  readonly usesTools: (model: string) => Promise<boolean>
}

/** Starting runs: fills in defaults, checks everything that can be checked at once, and makes jobs of them. */
export type RunDrafts = ReturnType<typeof createRunDrafts>

/** The stream of the first-start demo and the methods it compares. */
export const DEMO = {
  stream: DEMO_STREAM,
  methods: METHODS.filter(({ info }) => info.suggested?.includes('demo')).map(({ info }) => info.id),
}

/** Creates it. */
export function createRunDrafts(deps: RunDraftsDeps) {
  const { runs, views, clock, streams, memories } = deps

  const makeRecord = async (
    runInput: StartRunInput,
    stream: LoadedStream,
    foreignAttemptId?: string,
  ): Promise<RunRecord> => {
    const input = await withPreset(runInput, stream.info.environment, deps)
    const method = findMethod(input.method)
    const model = input.model ?? deps.demoModel
    const settings = await settle(input, method, stream.info.environment, model, deps)
    const environment = await deps.environment(stream.info.environment, input.settings ?? {})
    const prompts = await deps.prompts()
    requireTemplates(method, environment.id, prompts)
    const hash = await deps.hasher.hash(model)
    const count = Math.min(input.tasks ?? stream.tasks.length, stream.tasks.length)
    const id = foreignAttemptId ?? newRunId(clock.now(), stream.info.id, method.info.id)
    const seed = input.seed ?? 1
    const title = `${method.info.title}, ${stream.info.title}, seed ${seed}`
    const total = scheduledTotal(count, input.protocol ?? ONCE)
    await requireTraining(input, total, model, deps.softPromptTraining)
    const softPrompt = await chooseSoftPrompt(
      input,
      { path: model, sha256: hash.sha256 },
      environment.id,
      input.memoryId ? memories.folder(input.memoryId) : null,
    )
    if ((softPrompt || trainsSoftPrompt(input.method, input.settings)) && isQuestions(environment)) {
      throw new LoamError('SOFT_PROMPT', 'Planner and executor are not served a soft prompt.', {
        suggestion: 'Leave the soft prompt out for questions.',
      })
    }
    requireRoles(environment.id, settings)
    const others = otherModels(model, settings)
    const hashOf = async (path: string) => [path, await deps.hasher.hash(path)] as const
    const otherHashes = Object.fromEntries(await Promise.all(others.map(hashOf)))
    const embedder = await deps.embedder()
    const memory = embedder.id === LEXICAL_ID ? null : await openIfMade(memories, input.memoryId)
    const encoder = {
      id: embedder.id,
      dimension: embedder.dimension,
      ...(await calibrate(embedder, memory)),
    }
    const memoryId = await labMemory(memories, input.memoryId ?? null, title)
    const config = runConfigSchema.parse({
      stream: stream.info.id,
      method: method.info.id,
      model,
      seed,
      k: kOf(input, method, settings),
      tasks: input.tasks ?? null,
      memoryId,
      temperature: input.temperature,
      maxTokens: input.maxTokens,
      protocol: input.protocol,
      contextSize: input.contextSize,
      preset: input.preset,
      encoder,
      settings,
      softPrompt: softPrompt?.adapter,
      softPromptFacts: softPrompt ? factsOf(softPrompt) : undefined,
    })
    return {
      format: 1,
      id,
      config,
      total,
      createdAt: clock.now().toISOString(),
      appVersion: deps.appVersion,
      modelName: nameOfModel(model),
      memoryPath: memories.folder(memoryId),
      hashes: {
        model: hash,
        stream: await hashTasks(stream.tasks.slice(0, count)),
        prompt: sha256(environment.systemPrompt),
        templates: prompts.hashOf(method.info.id),
        ...(softPrompt && { softPrompt: softPrompt.info.adapterSha256 }),
        ...(others.length > 0 && { otherModels: otherHashes }),
      },
    }
  }

  return {
    async start(input: StartRunInput): Promise<RunInfo> {
      const stream = await streams.load(input.stream)
      const record = await makeRecord(input, stream)
      const info = await runs.start(record)
      views.follow('run', titleOf(record, stream.info.title), [record.id])
      return info
    },
    /** Fills in defaults and checks everything, under an id of the caller's, without starting or storing anything. */
    draft: async (id: string, input: StartRunInput): Promise<RunRecord> =>
      makeRecord(input, await streams.load(input.stream), id),
    /** Puts a paused run back in line with those of its series, as jobs again when they no longer are. */
    async resume(runId: string): Promise<RunInfo> {
      if (memories.isMine(runs.record(runId).config.memoryId))
        throw new LoamError('CONFLICT', 'This run of an earlier Loam learns in what is now My memory.', {
          suggestion: 'Start it anew: it then works in a copy.',
        })
      const info = await runs.resume(runId)
      for (const id of runs.withMates(runId)) {
        if (views.isFollowed(id) || isOver(runs.head(id))) continue
        const record = runs.record(id)
        const stream = await streams.load(record.config.stream).catch(() => null)
        views.follow('run', titleOf(record, stream?.info.title), [id])
      }
      return info
    },
    /** The methods that suggest themselves for it, over its stream on the demo model, each in a fresh memory. */
    async startDemo(
      input: { tasks?: number | null; seed?: number } = {},
    ): Promise<{ jobId: string; runIds: string[] }> {
      const stream = await streams.load(DEMO.stream)
      const records = []
      for (const method of DEMO.methods)
        records.push(await makeRecord({ ...input, stream: DEMO.stream, method }, stream))
      const series = records[0]?.id
      for (const record of records) await runs.start({ ...record, ...(series !== undefined && { series }) })
      const runIds = records.map((record) => record.id)
      return { jobId: views.follow('demo', 'Demo: without and with memory', runIds).id, runIds }
    },
  }
}

/** What is asked for, with what its preset fills in. @throws LoamError `BAD_INPUT` for a preset that the method does not have */
export const withPreset = async (
  input: StartRunInput,
  environment: string,
  { demoModel, trainContext }: Pick<RunDraftsDeps, 'demoModel' | 'trainContext'>,
): Promise<StartRunInput> =>
  input.preset === undefined
    ? input
    : applyPreset(input, environment, await trainContext(input.model ?? demoModel))

/** The memory that a run learns in: the one that is named, a copy of My memory where that is named, else a new one. */
async function labMemory(
  memories: RunDraftsDeps['memories'],
  name: string | null,
  title: string,
): Promise<string> {
  if (name === null) return (await memories.create(title)).id
  return memories.isMine(name)
    ? (await memories.copy(MY_MEMORY, `${title}, from My memory`)).id
    : memories.resolve(name)
}

/** A memory; null where it is not made yet, as those of an experiment are not while it is checked. */
async function openIfMade(
  memories: RunDraftsDeps['memories'],
  id: string | null | undefined,
): Promise<StoredMemory | null> {
  if (!id) return null
  try {
    return await memories.open(id)
  } catch (error) {
    if (error instanceof LoamError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** When, what and how, and something that no other run has. */
function newRunId(now: Date, stream: string, method: string): string {
  const time = now.toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '-')
  const name = basename(stream, extname(stream))
    .replace(/[^a-zA-Z0-9-]+/g, '-')
    .slice(0, 30)
  return `run-${time}-${name}-${method}-${randomBytes(3).toString('hex')}`
}

/** `Case bank on House rules: Harbor`; without a title the file's name is there. */
const titleOf = ({ config: { method, stream } }: RunRecord, title: string | undefined): string =>
  `${findMethod(method).info.title} on ${title ?? nameOfModel(stream)}`

/** How many items a run recalls for each task; 0 where its method counts none. */
const kOf = ({ k }: StartRunInput, { info }: Method, settings: SettingChanges): number =>
  info.usesK ? (k ?? usualK(info, readPresentation(settings))) : 0

/** How many items a run would recall for each task in an environment; 0 where its method counts none. */
export async function recallCount(
  input: StartRunInput,
  environment: string,
  deps: Parameters<typeof settle>[4],
): Promise<number> {
  const method = findMethod(input.method)
  return kOf(input, method, await settle(input, method, environment, input.model ?? deps.demoModel, deps))
}

/** Every setting of a run. How memory is shown goes by what is known of the model where nobody says it; as in its paper with a preset, and for the demo model. */
async function settle(
  { settings, preset }: StartRunInput,
  method: Method,
  environment: string,
  model: string,
  {
    demoModel,
    weights,
    attemptForm,
    usesTools,
  }: Pick<RunDraftsDeps, 'demoModel' | 'weights' | 'attemptForm' | 'usesTools'>,
): Promise<SettingChanges> {
  const changes = checkRunSettings(settingsIn(method.defaultsFor?.(environment) ?? {}, settings ?? {}))
  if (preset !== undefined || model === demoModel) return settledPresentation(changes, AS_PAPERS)
  return settledPresentation(
    await suitedToModel(environment, changes, model, usesTools),
    presentationFor(await weights(model), method.info.recalls.length > 0, await attemptForm(model)),
  )
}

/** Settings of questions as suit a model that uses tools badly, where nobody chose them: one reply, and no judge that cannot judge. */
export async function suitedToModel(
  environment: string,
  changes: SettingChanges,
  model: string,
  usesTools: RunDraftsDeps['usesTools'],
): Promise<SettingChanges> {
  const judge = readRoles(changes).judge.model ?? model
  const isDirect = mayAnswerDirectly(environment, changes) && !(await usesTools(model))
  const isStated =
    asksQuestions(environment) && readSettings(AGENT, changes).grade === 'auto' && !(await usesTools(judge))
  if (!isDirect && !isStated) return changes
  const suited = { ...(isDirect && { direct: 'on' }), ...(isStated && { grade: 'stated' }) }
  return { ...changes, [AGENT.id]: { ...changes[AGENT.id], ...suited } }
}

/** Settings of planner and executor that hold without them, too. */
const OF_ANY_ANSWER: ReadonlySet<string> = new Set(['direct', 'grade', 'told', 'tokenBudget', 'timeBudget'])

const asksQuestions = (environment: string): boolean =>
  ENVIRONMENTS.find(({ id }) => id === environment)?.play === 'questions'

/** Whether questions may be answered in one reply: nobody chose anything of planner and executor. */
export function mayAnswerDirectly(environment: string, changes: SettingChanges): boolean {
  const { planner, executor } = readRoles(changes)
  return (
    asksQuestions(environment) &&
    readSettings(AGENT, changes).direct === 'auto' &&
    Object.keys(changes[AGENT.id] ?? {}).every((name) => OF_ANY_ANSWER.has(name)) &&
    planner.model === null &&
    executor.model === null
  )
}

/** What was chosen, over what the method does in an environment by itself. */
const settingsIn = (defaults: SettingChanges, choice: SettingChanges): SettingChanges => ({
  ...choice,
  ...Object.fromEntries(
    Object.entries(defaults).map(([group, values]) => [group, { ...values, ...choice[group] }]),
  ),
})

/** Refuses a model for a role that nobody has in this environment: it would change nothing and pass for a comparison. */
function requireRoles(environment: string, settings: SettingChanges): void {
  const module = ENVIRONMENTS.find(({ id }) => id === environment)
  const roles = readRoles(settings)
  const present = module ? rolesIn(module) : ROLE_NAMES
  const idle = ROLE_NAMES.filter((name) => roles[name].model !== null && !present.includes(name))
  if (idle.length === 0) return
  throw new LoamError(
    'BAD_INPUT',
    `${module?.words.title ?? environment}: these tasks have no ${idle.join(' and no ')}.`,
    {
      suggestion: `Leave ${idle.map((name) => `--${name}`).join(' and ')} out, or choose other tasks.`,
    },
  )
}
