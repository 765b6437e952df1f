import type { TeacherDistribution } from '../../core/soft-prompts/samples'
import type { RecommendedSampling } from '../../core/ground/chat'
import type { ChatMessage, GenerateRequest, GenerateResult, OutputConstraint } from '../../core/ground/ports'
import type {
  ChatLayout,
  ModelFit,
  ModelLoadOptions,
  ModelSpeed,
  PromptReuse,
  ThreadCounts,
} from '../../shared/domain/model'
import type { LoamErrorShape } from '../../shared/errors'

/** What goes with each kind of request that has an answer. */
interface EngineInputs {
  load: {
    readonly options: ModelLoadOptions
    /** What the model is called by from here on. */
    readonly slot: number
    /** Slots that stay loaded; all others are freed first. */
    readonly keep: readonly number[]
  }
  unload: unknown
  /** What a model would take, without loading it. */
  fit: { readonly options: ModelLoadOptions }
  /** Whether it could be loaded beside what is there. */
  room: { readonly options: ModelLoadOptions }
  generate: {
    readonly slot: number
    readonly request: EngineGenerateRequest
    /** Whether pieces of text are to be sent while it is written. */
    readonly stream: boolean
  }
  'count-tokens': { readonly slot: number; readonly texts: readonly string[] }
  tokenize: { readonly slot: number; readonly messages: readonly ChatMessage[]; readonly reply: string }
  distributions: EngineInputs['tokenize'] & { readonly k: number }
  /** `folder`: absolute path of an embedding model's folder, or of a GGUF file. */
  embed: { readonly folder: string; readonly texts: readonly string[] }
}

/** What comes with every call. */
interface CallHead {
  /** Correlates the answer; unique per supervisor. */
  readonly id: number
  /** Which work it belongs to, for the log. Default: none that is known. */
  readonly trail?: string | undefined
}

/** What the host asks of the engine process. */
export type EngineRequest =
  | { [K in EngineCallKind]: EngineInputs[K] & CallHead & { readonly kind: K } }[EngineCallKind]
  /** Stops the call `target`; it has no answer of its own. */
  | { readonly kind: 'abort'; readonly target: number }
  /** While `held`, all requests hold for one that a person waits for in another process. */
  | { readonly kind: 'hold'; readonly held: boolean }
  | { readonly kind: 'shutdown' }

/** A generate request as it crosses to the engine. `rawPrompt` replaces the messages: no chat template at all. */
export interface EngineGenerateRequest extends Omit<GenerateRequest, 'constraint'> {
  /** The engine compiles any that parses. */
  readonly constraint?: OutputConstraint
  readonly rawPrompt?: string
  /** A person waits for the reply: all others hold meanwhile. Default: nobody does. */
  readonly first?: boolean
  /** Whose prompt it is: each lane keeps what it read for its next one. Default `run`. */
  readonly lane?: PromptLane
  /** Default `exact`. */
  readonly reuse?: PromptReuse
}

/** Whose prompts begin alike: those of runs and of everything that nobody waits for, of asks, and of programs that are connected. */
export type PromptLane = 'run' | 'ask' | 'program'

/** What tells the engine, in its environment, which device of ONNX's runtime its encoders are tried on. */
export const ENCODER_DEVICE = 'LOAM_ENCODER_DEVICE'

/** What a load answers with. */
export interface LoadedModelInfo {
  readonly name: string
  readonly path: string
  /** Tokens one sequence can hold. */
  readonly contextSize: number
  /** Sequences beside its own, for requests that a person waits for. */
  readonly reserve: number
  /** `cpu`, `cuda`, `metal` or `vulkan`. */
  readonly gpu: string
  readonly gpuLayers: number
  /** Names of the cards that llama.cpp sees; absent where no layer is on one. */
  readonly cards?: string[]
  /** CPU threads that it is worked out with. */
  readonly threads: ThreadCounts
  /** How fast it is with these; absent where that was not tried. */
  readonly speed?: ModelSpeed
  /** Why no GPU is used although one was to be; null when one is, or none was wanted. */
  readonly gpuAbsence: string | null
  /** How its dialogs are laid out. */
  readonly layout: ChatLayout
  /** How its makers want it sampled; absent where they do not say. */
  readonly recommended?: RecommendedSampling
  /** Whether the template has a place for tools, and for thoughts. */
  readonly templateCan: { readonly tools: boolean; readonly thinking: boolean }
}

export interface EngineGenerateResult extends GenerateResult {
  /** Tokens written per second, prompt time left out; null when nothing was written. */
  readonly tokensPerSecond: number | null
}

/** A prompt and the reply to it as tokens; the reply ends with the model's end of turn. */
export interface TokenizedReply {
  readonly prompt: readonly number[]
  readonly reply: readonly number[]
  /** Where in the prompt a soft prompt stands: 1 behind a BOS token, else 0. */
  readonly softAt: number
}

/** Vectors laid end to end, so that one buffer crosses. */
export interface EmbedResult {
  readonly dimension: number
  readonly values: Float32Array
}

/** The answer to each kind of request. */
export interface EngineAnswers {
  load: LoadedModelInfo
  unload: null
  fit: ModelFit
  room: boolean
  generate: EngineGenerateResult
  'count-tokens': number[]
  tokenize: TokenizedReply
  distributions: TeacherDistribution[]
  embed: EmbedResult
}
export type EngineCallKind = keyof EngineAnswers

/** What the engine process tells the host. */
export type EngineEvent =
  | { readonly kind: 'ready'; readonly pid: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: EngineAnswers[EngineCallKind] }
  | { readonly kind: 'error'; readonly id: number; readonly error: LoamErrorShape }
  | { readonly kind: 'text'; readonly id: number; readonly text: string }
  /** A call is held for one that a person waits for, or goes on. */
  | { readonly kind: 'held'; readonly id: number; readonly held: boolean }
  /** Resident memory in bytes. */
  | { readonly kind: 'memory'; readonly bytes: number }
  /** A line for the log, with the work that was under way in the engine. */
  | {
      readonly kind: 'log'
      readonly level: 'warn' | 'error'
      readonly message: string
      readonly trails: readonly string[]
    }
