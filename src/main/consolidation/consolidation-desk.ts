import { mkdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import {
  distilAttempt,
  planDistillation,
  type DistilledAttempt,
  type Expert,
} from '../../core/consolidation/distil'
import { estimateTraining, type TrainingEstimate } from '../../core/consolidation/estimate'
import { chooseLengths } from '../../core/consolidation/lengths'
import { chooseReservedTokens } from '../../core/consolidation/reserved-tokens'
import { holdOut, type TrainingSample } from '../../core/consolidation/samples'
import type { TrainingProgress } from '../../core/consolidation/train'
import type { Clock } from '../../core/ports'
import type { Environment } from '../../core/tasks/environment'
import { trainingSettingsSchema, type TrainingSettings } from '../../shared/domain/soft-prompt'
import { LoamError } from '../../shared/errors'
import { readModelShape, type ModelShape } from '../adapters/ggml/model-shape'
import { throwIfAborted } from '../adapters/llama/abort'
import type { EngineLanguageModel } from '../adapters/llama/supervisor'
import { readVocabulary } from '../adapters/llama/vocabulary'
import type { FileHasher } from '../models/model-hash'
import type { SpaceDesk } from '../spaces/space-desk'
import type { StreamLibrary } from '../streams/stream-library'
import type { TrainerBackend, TrainingJob, TrainingResult } from './protocol'
import { openShelf } from './shelf'
import { writeSoftPrompt, type SoftPromptFile } from './soft-prompt-file'
import { trainInChild, type TrainingWatch } from './trainer'
import { untieCost, writeUntied, type UntieCost } from './untie'

/** What a person chooses; everything left out has a default. */
export interface ConsolidateInput {
  /** Id or absolute folder of the space whose successes are distilled. */
  readonly space: string
  /** Bundled name or path of a stream; says which environment it is for. */
  readonly stream: string
  /** Absolute GGUF path. Default: the bundled demo model. */
  readonly model?: string
  /** Successes shown to the teacher and to the student. Default 20 and 8. */
  readonly teacher?: number
  readonly student?: number
  /** Most attempts learned from, the newest ones. Default 64. */
  readonly attempts?: number
  /** `recorded` learns what the attempts did, instead of what the teacher would do. Default `teacher`. */
  readonly actions?: 'teacher' | 'recorded'
  /** Learn the teacher's distribution over its K likeliest tokens. Default: its tokens alone. */
  readonly topK?: number | null
  readonly settings?: Partial<TrainingSettings>
  /** Allows an untied copy of a model with tied embeddings to be written. Default false. */
  readonly untie?: boolean
  readonly backend?: TrainerBackend
  /** Whether it is put to use at once. Default true. */
  readonly use?: boolean
}

/** What would be done, before it is. */
export interface ConsolidationPlan {
  readonly environment: string
  readonly attempts: readonly { readonly id: string; readonly instruction: string }[]
  /** Rounds, each of which the teacher acts in once. */
  readonly rounds: number
  readonly reservedIds: readonly number[]
  /** Good to about a quarter; the longest sequence is guessed from the attempts' own prompts. */
  readonly estimate: TrainingEstimate
  /** Set when the model needs an untied copy first. */
  readonly untie: UntieCost | null
}

export type ConsolidationStage =
  | { readonly kind: 'copying'; readonly done: number; readonly total: number }
  | { readonly kind: 'distilling'; readonly done: number; readonly total: number }
  | { readonly kind: 'training'; readonly progress: TrainingProgress }

export interface ConsolidationResult {
  readonly file: SoftPromptFile
  /** The model it fits: the one asked for, or its untied copy. */
  readonly model: string
}

export interface ConsolidationDeps {
  readonly clock: Clock
  readonly spaces: SpaceDesk
  readonly streams: StreamLibrary
  readonly hasher: FileHasher
  readonly environment: (id: string) => Promise<Environment>
  readonly loadModel: (path: string, signal: AbortSignal | undefined) => Promise<EngineLanguageModel>
  /** Frees the engine's memory before training. */
  readonly unloadModel: () => Promise<void>
  /** True while a run uses the engine. */
  readonly engineTaken: () => boolean
  readonly demoModel: string
  /** Where untied copies are kept. */
  readonly modelFolder: string
  /** For the self-test's result and checkpoints. */
  readonly dataPath: string
  readonly threads: () => number
  /** Default: a process of its own. */
  readonly train?: (job: TrainingJob, watch: TrainingWatch) => Promise<TrainingResult>
}

/** Distils a space's successes into a soft prompt. */
export interface ConsolidationDesk {
  plan(input: ConsolidateInput): Promise<ConsolidationPlan>
  consolidate(
    input: ConsolidateInput,
    options?: { readonly signal?: AbortSignal; readonly onStage?: (stage: ConsolidationStage) => void },
  ): Promise<ConsolidationResult>
}

const DEFAULTS = { teacher: 20, student: 8, attempts: 64 } as const
/** Successes looked through for different tasks. */
const MOST_SUCCESSES = 4096
const LEAST_ATTEMPTS = 2
const REPLY_TOKENS = 512

export function createConsolidationDesk(deps: ConsolidationDeps): ConsolidationDesk {
  const prepare = async (input: ConsolidateInput) => {
    const { info } = await deps.streams.load(input.stream)
    const environment = await deps.environment(info.environment)
    const bank = await deps.spaces.open(input.space)
    const successes = await bank.recentSuccesses(MOST_SUCCESSES, { environment: environment.id })
    const { teacher = DEFAULTS.teacher, student = DEFAULTS.student, attempts = DEFAULTS.attempts } = input
    const planned = planDistillation(successes, teacher, student, attempts)
    if (planned.length < LEAST_ATTEMPTS)
      throw new LoamError(
        'BAD_INPUT',
        `The space holds ${planned.length} solved tasks of ${environment.id}; at least ${LEAST_ATTEMPTS} are needed.`,
        { suggestion: 'Run a stream in this space first.' },
      )
    const settings = trainingSettingsSchema.parse(input.settings ?? {})
    const asked = input.model ?? deps.demoModel
    const shape = await readModelShape(asked)
    const { vocabulary, taken } = await readVocabulary(asked)
    const reservedIds = chooseReservedTokens(vocabulary, settings.length, taken)
    if (reservedIds.length < settings.length)
      throw new LoamError(
        'TRAINER_MODEL',
        `${basename(asked)} has ${reservedIds.length} tokens that no text uses; a soft prompt of ${settings.length} needs as many.`,
        { suggestion: `Choose a length of at most ${reservedIds.length}, or another model.` },
      )
    // Only control and user-defined tokens are found in text.
    const named = reservedIds.every((id) => [3, 4].includes(vocabulary.types[id] ?? 0))
    const reservedTokens = named ? reservedIds.map((id) => vocabulary.texts[id] ?? '') : null
    return { environment, planned, teacher, student, settings, asked, shape, reservedIds, reservedTokens }
  }

  const baseModel = async (
    path: string,
    untie: boolean,
    signal: AbortSignal | undefined,
    onBytes: (done: number, total: number) => void,
  ): Promise<string> => {
    const cost = await untieCost(path)
    if (cost === null) return path
    const copy = join(deps.modelFolder, `${basename(path, extname(path))}-untied.gguf`)
    if ((await untiedCopyIsOf(copy, path)) === true) return copy
    if (!untie)
      throw new LoamError(
        'TRAINER_MODEL',
        `${basename(path)} uses its embeddings a second time to make its output, so an adapter would change both. An untied copy is needed: ${megabytes(cost.bytes)} on disk, ${megabytes(cost.extraBytes)} more memory when it is loaded, the same answers.`,
        {
          suggestion: `Allow the copy (--untie); it is written to ${copy}. Or take a model with untied embeddings.`,
        },
      )
    await mkdir(deps.modelFolder, { recursive: true })
    await writeUntied(path, copy, { ...(signal && { signal }), onBytes })
    return copy
  }

  const distil = async (
    model: EngineLanguageModel,
    planned: readonly DistilledAttempt[],
    systemPrompt: string,
    input: ConsolidateInput,
    signal: AbortSignal | undefined,
    onStage: (stage: ConsolidationStage) => void,
  ): Promise<TrainingSample[]> => {
    const call = { ...(signal && { signal }) }
    const { topK } = input
    const expert: Expert = {
      async reply(messages) {
        const { text, finish } = await model.generate({ messages, maxTokens: REPLY_TOKENS }, call)
        return finish === 'max-tokens' ? null : text
      },
      tokenize: (messages, reply) => model.tokenize(messages, reply, call),
      distributions: topK ? (messages, reply) => model.distributions(messages, reply, topK, call) : null,
    }
    const samples: TrainingSample[] = []
    for (const [index, one] of planned.entries()) {
      throwIfAborted(signal)
      onStage({ kind: 'distilling', done: index, total: planned.length })
      try {
        samples.push(...(await distilAttempt(one, systemPrompt, input.actions ?? 'teacher', expert)))
      } catch (error) {
        if (!(error instanceof LoamError) || error.code !== 'CONTEXT_OVERFLOW') throw error
        throw new LoamError('CONTEXT_OVERFLOW', error.why, {
          suggestion: `Show the teacher fewer than ${one.many.length} attempts (--teacher), or take a model with a larger context.`,
        })
      }
    }
    return samples
  }

  return {
    async plan(input) {
      const { environment, planned, settings, shape, asked, reservedIds } = await prepare(input)
      const longest = planned.map(({ attempt, few }) => {
        const own = Math.max(
          0,
          ...attempt.rounds.map(({ usage }) => usage.promptTokens + usage.completionTokens),
        )
        return own + few.length * DIALOG_TOKENS + settings.length
      })
      return {
        environment: environment.id,
        attempts: planned.map(({ attempt }) => ({ id: attempt.id, instruction: attempt.task.instruction })),
        rounds: planned.reduce((sum, { attempt }) => sum + attempt.rounds.length, 0),
        reservedIds,
        estimate: estimateTraining(shape.sizes, chooseLengths(longest, 4), 'auto', Number.POSITIVE_INFINITY),
        untie: await untieCost(asked),
      }
    },

    async consolidate(input, { signal, onStage = () => undefined } = {}) {
      const began = deps.clock.now()
      const prepared = await prepare(input)
      const { environment, planned, teacher, student, settings, reservedIds, reservedTokens, shape } =
        prepared
      if (deps.engineTaken())
        throw new LoamError('CONFLICT', 'A run is using the model.', {
          suggestion: 'Wait until it is done, or pause it.',
          retryable: true,
        })
      const path = await baseModel(prepared.asked, input.untie ?? false, signal, (done, total) =>
        onStage({ kind: 'copying', done, total }),
      )
      const hash = await deps.hasher.hash(path, signal)
      const model = await deps.loadModel(path, signal)
      const { systemPrompt } = environment
      const samples = await distil(model, planned, systemPrompt, input, signal, onStage)
      await deps.unloadModel()
      const parts = holdOut(samples, settings.holdOut, settings.seed)
      const name = `${environment.id}-${stamp(began)}`
      const shelf = openShelf(deps.spaces.folder(input.space))
      await mkdir(shelf.folder, { recursive: true })
      const train = deps.train ?? trainInChild
      const result = await train(
        {
          model: path,
          reservedIds,
          ...parts,
          settings,
          backend: input.backend ?? 'cpu',
          threads: deps.threads(),
          transposes: 'auto',
          checkpoint: join(shelf.folder, 'training.checkpoint.json'),
          selfTest: join(deps.dataPath, 'trainer-self-test.json'),
          memoryLimit: null,
        },
        {
          ...(signal && { signal }),
          onProgress: (progress) => onStage({ kind: 'training', progress }),
        },
      )
      const info = {
        createdAt: began.toISOString(),
        environment: environment.id,
        space: input.space,
        baseModel: describe(path, shape, hash),
        reservedIds,
        reservedTokens,
        teacher,
        student,
        objective: input.topK ? { topK: input.topK } : ('tokens' as const),
        settings,
        trajectories: idsOf(parts.train),
        heldOut: idsOf(parts.heldOut),
        outcome: result.outcome,
      }
      const file = await writeSoftPrompt(shelf.folder, name, info, result.deltas)
      if (input.use ?? true)
        await shelf.use(environment.id, basename(file.adapter), deps.clock.now().toISOString())
      return { file, model: path }
    },
  }
}

/** Tokens one replayed attempt is guessed to take in a prompt. */
const DIALOG_TOKENS = 120

const idsOf = (samples: readonly TrainingSample[]): string[] => [...new Set(samples.map(({ id }) => id))]

const stamp = (time: Date): string =>
  time.toISOString().slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-')

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

const describe = (path: string, shape: ModelShape, hash: { sha256: string; sizeBytes: number }) => ({
  name: basename(path, extname(path)),
  architecture: shape.architecture,
  ...hash,
  width: shape.sizes.width,
  vocabulary: shape.sizes.vocabulary,
})

/** Whether `copy` is there and an untied copy of `source`, judged by sizes. */
async function untiedCopyIsOf(copy: string, source: string): Promise<boolean> {
  try {
    const [made, original] = await Promise.all([readModelShape(copy), readModelShape(source)])
    const { weightBytes } = original.sizes
    return !made.tied && made.sizes.weightBytes > weightBytes && made.sizes.layers === original.sizes.layers
  } catch (error) {
    if (error instanceof LoamError) return false
    throw error
  }
}
