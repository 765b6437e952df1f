import type { TaskLengths } from '../../core/soft-prompts/forecast'
import { otherModels } from '../../core/agent/roles'
import { openEpisode, type Environment } from '../../core/ground/environment'
import { NOTHING_RECALLED } from '../../core/ground/method'
import { buildMessages } from '../../core/ground/prompt'
import type { Embedder } from '../../core/ground/ports'
import { isQuestions, type QuestionEnvironment } from '../../core/ground/question-environment'
import { checkRunSettings } from '../../core/lab/setting-groups'
import { ONCE, scheduledTotal } from '../../core/lab/protocol'
import { LEXICAL_ID } from '../../core/retrieval/lexical-embedder'
import { findMethod } from '../../core/methods'
import { DEMO_STREAM } from '../../core/tasks/generators'
import { cannotWrite, layoutWords, type ModelFit, type ModelInfo } from '../../shared/domain/model'
import type { Preflight, PreflightNote } from '../../shared/domain/preflight'
import type { RunInfo } from '../../shared/domain/run'
import type { SettingChanges } from '../../shared/domain/setting'
import type { StreamInfo, Task } from '../../shared/domain/task'
import { toErrorShape } from '../../shared/errors'
import { msPerAttempt, type TimedStep } from '../../shared/figures/pace'
import { readReference } from '../ground/model-reference'
import { nameOfModel } from '../ground/model-file'
import { requireTemplates, type LoadedPrompts } from '../ground/prompts'
import type { StreamLibrary } from '../streams/stream-library'
import { withPreset, type StartRunInput } from './run-drafts'

/** Tasks that are looked at for their prompts. */
const LOOKED_AT = 20
/** Characters that a token stands for in prompts, about; a prompt twice as dense does not exist in any vocabulary of words. */
const PER_TOKEN = 3.5
/** Earlier runs that the pace is measured over. */
const PACE_OVER = 10
const USUAL_REPLY = 512

export interface PreflightDeps {
  readonly streams: StreamLibrary
  readonly environment: (id: string, settings: SettingChanges) => Promise<Environment | QuestionEnvironment>
  readonly prompts: () => Promise<LoadedPrompts>
  readonly embedder: () => Promise<Embedder>
  /** What is known of the files that were found. */
  readonly foundModels: () => Promise<readonly ModelInfo[]>
  /** Rejects when a model is not there. */
  readonly identify: (model: string) => Promise<unknown>
  readonly fit: (path: string, contextSize: number | null) => Promise<ModelFit>
  /** Names of the tool servers that are on. */
  readonly tools: () => Promise<readonly string[]>
  /** The encoder that a memory was indexed with; null for one that does not exist. */
  readonly memoryEmbedder: (memoryId: string) => Promise<string | null>
  /** How many items a run recalls for each task, in an environment. */
  readonly k: (run: StartRunInput, environment: string) => Promise<number>
  readonly runs: () => readonly RunInfo[]
  readonly steps: (runId: string) => readonly TimedStep[]
  readonly demoModel: string
  /** What training its own soft prompts adds, in words; null for runs that train none. Rejects where it cannot be. */
  readonly trainingCost: (
    run: Pick<StartRunInput, 'method' | 'settings' | 'k' | 'softPrompt' | 'useSoftPrompt'>,
    total: number,
    model: string,
    tasks?: TaskLengths,
  ) => Promise<string | null>
  /** Tokens that a model was trained for; null where that is not known. */
  readonly trainContext: (model: string) => Promise<number | null>
}

/** Looks at a run before it is started: whether it can go well, what it takes and how long. */
export interface RunPreflight {
  /** Never rejects for what is wrong with the run: that is said in its notes. */
  check(input: StartRunInput): Promise<Preflight>
}

/** Creates it. */
export const createPreflight = (deps: PreflightDeps): RunPreflight => ({
  async check(runInput) {
    const notes: PreflightNote[] = []
    /** Answers what a step came to, or null and why it cannot go well. */
    const attempt = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
      try {
        return await work()
      } catch (error) {
        const { code, cause, suggestion } = toErrorShape(error)
        notes.push({ level: 'refuse', text: cause, suggestion, code })
        return null
      }
    }
    const stream = await attempt(() => deps.streams.load(runInput.stream))
    const filled = stream && (await attempt(() => withPreset(runInput, stream.info.environment, deps)))
    const input = filled ?? runInput
    const model = input.model ?? deps.demoModel
    const settings = (await attempt(() => checkRunSettings(input.settings ?? {}))) ?? {}
    const method = await attempt(() => findMethod(input.method))
    const environment = stream && (await attempt(() => deps.environment(stream.info.environment, settings)))
    if (method && environment)
      await attempt(async () => requireTemplates(method, environment.id, await deps.prompts()))
    const matches = await deps.foundModels()
    for (const path of [model, ...otherModels(model, settings)]) {
      await attempt(() => deps.identify(path))
      notes.push(...unusableNotes(matches.find((one) => one.path === path)))
    }
    const local = readReference(model) === null
    const fit =
      local && notes.length === 0 ? await attempt(() => deps.fit(model, input.contextSize ?? null)) : null
    if (fit) notes.push(...memoryNotes(fit), ...layoutNotes(fit))
    const contextSize = input.contextSize ?? fit?.contextSize ?? null
    const tasks = stream?.tasks.slice(0, Math.min(input.tasks ?? LOOKED_AT, LOOKED_AT)) ?? []
    const promptTokens = environment && (await longestPrompt(environment, tasks))
    if (contextSize !== null && promptTokens !== null)
      notes.push(...roomNotes(promptTokens, contextSize, input.maxTokens ?? USUAL_REPLY, nameOfModel(model)))
    if (environment && isQuestions(environment)) notes.push(...toolNotes(await deps.tools()))
    notes.push(...(await embedderNotes(input, deps, method?.info.assumesMeaning)))
    const total =
      stream &&
      scheduledTotal(
        Math.min(input.tasks ?? stream.tasks.length, stream.tasks.length),
        input.protocol ?? ONCE,
      )
    if (method && total !== null && local) {
      const cost = await attempt(() =>
        deps.trainingCost({ ...input, settings }, total, model, lengthsOf(environment, promptTokens)),
      )
      if (cost)
        notes.push({ level: 'warn', text: cost, suggestion: 'Fewer steps or a shorter prompt take less.' })
    }
    const pace = paceOf(deps, model, input.method)
    const etaMs = total === null || pace === null ? null : pace * total
    const file = matches.find((one) => one.path === model)
    if (stream && file) notes.push(...(await purposeNotes(file, stream.info, deps)))
    if (etaMs !== null && total !== null) notes.push(...timeNotes(etaMs, total))
    const k = method && environment && (await attempt(() => deps.k(input, environment.id)))
    return { notes, fit, contextSize, promptTokens, k, etaMs }
  },
})

/** What is known of a run's prompts before anything is recalled; undefined for planned work, and where no prompt could be made. */
const lengthsOf = (
  environment: Environment | QuestionEnvironment | null,
  prompt: number | null,
): TaskLengths | undefined =>
  environment === null || prompt === null || isQuestions(environment)
    ? undefined
    : { system: Math.ceil(environment.systemPrompt.length / PER_TOKEN), prompt }

function unusableNotes(model: ModelInfo | undefined): PreflightNote[] {
  const why = model && cannotWrite(model)
  if (!why) return []
  return [
    { level: 'refuse', text: `${model.name} cannot be used: ${why}`, suggestion: 'Choose another model.' },
  ]
}

/** What a model was not made for. */
async function purposeNotes(
  { name, demo, base }: ModelInfo,
  { title, environment }: StreamInfo,
  { streams }: PreflightDeps,
): Promise<PreflightNote[]> {
  if (base === true)
    return [
      {
        level: 'warn',
        text: `${name} goes on with texts; nobody trained it to do tasks.`,
        suggestion: 'Choose a model that was made for dialogs.',
      },
    ]
  if (!demo || (await streams.load(DEMO_STREAM)).info.environment === environment) return []
  return [
    {
      level: 'warn',
      text: `${name} was made for the demo's own worlds, and not for ${title}: it will solve next to nothing.`,
      suggestion: 'Choose another model, or a generated world.',
    },
  ]
}

/** Longer than somebody waits who has not been told. */
const LONG_MS = 3_600_000

function timeNotes(etaMs: number, total: number): PreflightNote[] {
  if (etaMs <= LONG_MS) return []
  const fewer = Math.max(1, Math.floor((total * LONG_MS) / etaMs))
  return [
    {
      level: 'warn',
      text: `It takes about ${Math.round(etaMs / LONG_MS)} hours at the pace of earlier runs.`,
      suggestion: `About ${fewer} tasks take one hour.`,
    },
  ]
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

function memoryNotes({ ram, vram, fits, contextSize, trainContext, path }: ModelFit): PreflightNote[] {
  if (fits) return []
  const place = vram !== null && vram.needed > vram.free ? vram : ram
  return [
    {
      level: 'refuse',
      text: `${nameOfModel(path)} with a context of ${contextSize} tokens needs ${gigabytes(place.needed)} of ${place === ram ? 'memory' : 'GPU memory'}; ${gigabytes(place.free)} are free.`,
      suggestion:
        contextSize > 512 && contextSize >= (trainContext ?? 0) / 2
          ? 'Choose a smaller context, or a smaller model.'
          : 'Choose a smaller model, or close other programs.',
    },
  ]
}

function layoutNotes({ layout, path }: ModelFit): PreflightNote[] {
  const words = layout && layoutWords(layout)
  if (!words) return []
  return [
    {
      level: 'warn',
      text: `${nameOfModel(path)}: ${words}`,
      suggestion: 'Models made for dialogs carry a template; another build of this one may have it.',
    },
  ]
}

/** What the first prompt of a task has at least, in tokens, roughly: nothing is recalled yet. */
async function longestPrompt(
  environment: Environment | QuestionEnvironment,
  tasks: readonly Task[],
): Promise<number | null> {
  const lengths: number[] = []
  for (const task of tasks) {
    if (isQuestions(environment)) {
      lengths.push(environment.plannerPrompt.length + task.instruction.length)
      continue
    }
    try {
      const episode = await openEpisode(environment, task)
      const { systemPrompt } = environment
      const messages = buildMessages({
        ...{ systemPrompt, parts: NOTHING_RECALLED, rounds: [] },
        ...{ instruction: task.instruction, context: episode.context },
      })
      episode.close()
      lengths.push(messages.reduce((sum, { content }) => sum + content.length, 0))
    } catch {
      // A task that only opens with a model to play its user.
    }
  }
  return lengths.length === 0 ? null : Math.ceil(Math.max(...lengths) / PER_TOKEN)
}

function roomNotes(prompt: number, context: number, reply: number, model: string): PreflightNote[] {
  const suggestion = 'Give the model a larger context, or choose one that reads more.'
  if (prompt > context * 2)
    return [
      {
        level: 'refuse',
        text: `The first tasks' prompts, up to about ${prompt} tokens, are longer than the ${context} that ${model} reads.`,
        suggestion,
      },
    ]
  if (prompt + reply <= context) return []
  return [
    {
      level: 'warn',
      text: `The first tasks' prompts, up to about ${prompt} tokens, leave little or no room for replies in the ${context} that ${model} reads.`,
      suggestion,
    },
  ]
}

const toolNotes = (tools: readonly string[]): PreflightNote[] =>
  tools.length > 0
    ? []
    : [
        {
          level: 'warn',
          text: 'These tasks are answered with tools, and every tool server is turned off.',
          suggestion: 'Turn some on in the settings.',
        },
      ]

async function embedderNotes(
  { memoryId }: StartRunInput,
  deps: PreflightDeps,
  assumesMeaning: string | undefined,
): Promise<PreflightNote[]> {
  let encoder: string
  try {
    encoder = (await deps.embedder()).id
  } catch (error) {
    const { code, cause, suggestion } = toErrorShape(error)
    return [{ level: 'refuse', text: cause, suggestion, code }]
  }
  const notes: PreflightNote[] =
    assumesMeaning === undefined || encoder !== LEXICAL_ID
      ? []
      : [
          {
            level: 'warn',
            text: `${assumesMeaning} assumes an embedding model that compares meaning; the built-in word matcher compares words.`,
            suggestion:
              'Choose an embedding model first; the settings and "loam embedders" list what there is.',
          },
        ]
  const before = memoryId ? await deps.memoryEmbedder(memoryId) : null
  if (before === null || before === encoder) return notes
  return [
    ...notes,
    {
      level: 'warn',
      text: `This memory was indexed with ${before}, and ${encoder} is chosen now: it is indexed anew first.`,
      suggestion: `Choose ${before} in the settings to leave it as it is.`,
    },
  ]
}

function paceOf({ runs, steps }: PreflightDeps, model: string, method: string): number | null {
  const uniformFields = runs()
    .filter(({ config, done }) => config.model === model && config.method === method && done > 0)
    .slice(0, PACE_OVER)
  return msPerAttempt(uniformFields.flatMap(({ id }) => [...steps(id)]))
}
