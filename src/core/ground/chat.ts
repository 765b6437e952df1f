import type { Usage } from '../../shared/domain/usage'
import type { DeclaredConstraint } from './constraint'

/** A tool that a model may call. A `ToolInfo` is one. */
export interface ChatTool {
  readonly name: string
  readonly description: string
  /** JSON schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A model's wish to use a tool. */
export interface ToolCall {
  /** Unique within a dialog; the answer names it. */
  readonly id: string
  /** As the model wrote it. */
  readonly name: string
  /** Empty when they could not be read; then `problem` is set. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Set when nothing can be called: an unknown tool, or arguments that are no JSON object. In words that can be sent back to the model. */
  readonly problem?: string
}

/** A picture that goes with a message; `data` in base64, `type` as `image/png`. */
export interface ChatImage {
  readonly type: string
  readonly data: string
}

/** One turn of a dialog. */
export type ChatMessage =
  | {
      readonly role: 'system' | 'user'
      readonly content: string
      /** Only for models that take pictures (`ModelAbilities.images`). */
      readonly images?: readonly ChatImage[]
    }
  | {
      readonly role: 'assistant'
      readonly content: string
      /** Tools it asked for in this turn. */
      readonly toolCalls?: readonly ToolCall[]
    }
  /** What a tool answered to the call `callId`. */
  | { readonly role: 'tool'; readonly content: string; readonly callId: string; readonly name: string }

/** Whether a model thinks before it replies, and for how many tokens at most. */
export type Thinking = 'off' | 'on' | { readonly budget: number }

/** How the next token is drawn where the temperature is above 0. What is left out is the program's own. */
export interface Sampling {
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
}

/** Sampling with its temperature. */
export type RecommendedSampling = Sampling & { readonly temperature: number }

/** How models that say nothing of it are sampled where people and programs do not say either. */
export const USUAL_SAMPLING: RecommendedSampling = { temperature: 0.7, topP: 0.9, topK: 40, minP: 0.05 }

/** What is asked of a model. */
export interface GenerateRequest {
  /** Rendered as the model's makers mean it; content is never parsed for special tokens. */
  readonly messages: readonly ChatMessage[]
  /** Tools the reply may call. Default: none. Not together with `constraint`. */
  readonly tools?: readonly ChatTool[]
  /** `auto` (default) leaves it to the model; `required` asks for a call. */
  readonly toolChoice?: 'auto' | 'required'
  /** A form the reply is held to. */
  readonly constraint?: DeclaredConstraint
  /** Default `off`. A model that cannot think replies at once. */
  readonly thinking?: Thinking
  /** 0 is greedy. Default 0. */
  readonly temperature?: number
  readonly sampling?: Sampling
  /**
   * Ends a reply that says the same again and again; the repetition is not part of it. `in-forms`: only where it does so for long, since calls and
   * forms may hold data that repeat themselves. Default false.
   */
  readonly stopLoops?: boolean | 'in-forms'
  /** Makes sampling repeatable. Default 0. */
  readonly seed?: number
  /** Most tokens to write, thoughts among them. Default 512. */
  readonly maxTokens?: number
  /** Texts that end the reply; they are not part of it. */
  readonly stop?: readonly string[]
  /** Which call of an attempt at which task this is, from 0: for models that only say again what they once said. Default: not told. */
  readonly about?: { readonly task: string; readonly call: number }
  /** Whose temperature, seed, length and thinking count where they are left out; a model file has Loam's alone. Default `loam`. */
  readonly defaults?: 'loam' | 'server'
  /** What the reply begins with, written already: only what follows is written. Only for models that can. Default: nothing. */
  readonly beginning?: string
  /** Puts the soft prompt the model was loaded with at the head of the prompt. Default false. */
  readonly softPrompt?: boolean
}

/** What a model answered. */
export interface GenerateResult {
  /** The reply alone: no thought, no markup of tools. */
  readonly text: string
  /** What it thought before; absent when it did not. Never part of a reply, never recalled. */
  readonly thought?: string
  /** Calls in the order they were written; absent when there are none. */
  readonly toolCalls?: readonly ToolCall[]
  /** `completionTokens` counts thoughts too. */
  readonly usage: Usage
  /** `loop`: it was ended since it began to repeat itself. */
  readonly finish: 'end' | 'stop' | 'max-tokens' | 'tool-calls' | 'loop'
}

/** Whether a reply was ended before its end: what is whole of it may still be of use. */
export const isUnfinished = (finish: GenerateResult['finish']): boolean =>
  finish === 'max-tokens' || finish === 'loop'

/** A piece of a call while it is written. `text` adds to its arguments, which are the beginning of one JSON object; the first piece of a call is empty. */
export interface CallPiece {
  /** Which call of the reply, from 0. */
  readonly index: number
  readonly name: string
  readonly text: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Called with each piece of the reply as it is written; thoughts and calls are not among them. */
  readonly onToken?: (text: string) => void
  /** Called with pieces of calls where they can be told while they are written; the result has all of them in any case. */
  readonly onCall?: (piece: CallPiece) => void
  /** Called when the reply is held for one that a person waits for, and when it goes on. That time is not the reply's own. */
  readonly onHeld?: (held: boolean) => void
}

/** What a model, with the program that runs it, can do. */
export interface ModelAbilities {
  /** Calls tools that are handed over with their schemas. */
  readonly tools: boolean
  /** What replies can be held to: any grammar (and JSON schemas), JSON schemas, or nothing. */
  readonly constraint: 'grammar' | 'json-schema' | 'none'
  /** Its thoughts come apart from its replies, and can be switched off. */
  readonly thinking: boolean
  readonly softPrompts: boolean
  /** Takes pictures with a message. Default: it does not, or nobody says. */
  readonly images?: boolean
  /** Goes on with a reply that is begun, to the letter. Default: it cannot. */
  readonly goesOn?: boolean
}

/**
 * The one port to language models. `generate` rejects with `CONTEXT_OVERFLOW` when prompt and reply do not fit, `GRAMMAR` for a
 * constraint it cannot hold to, `ENGINE_DIED` or `MODEL_SERVER` when what runs the model fails, and an AbortError when `signal` fires.
 */
export interface LanguageModel {
  readonly name: string
  /** What it was chosen by: a GGUF's absolute path, or `PROVIDER:NAME@PLACE`. */
  readonly path: string
  /** Tokens one dialog can hold. */
  readonly contextSize: number
  /** Default: replies held to grammars, nothing else. */
  readonly can?: ModelAbilities
  /** How its makers want it sampled; absent where they do not say. */
  readonly recommended?: RecommendedSampling
  /** Something worth knowing that is no problem, e.g. that another chat layout stands in for its own; absent when there is nothing. */
  readonly note?: string
  generate(request: GenerateRequest, options?: CallOptions): Promise<GenerateResult>
  /**
   * Says something about a picture, a recording or a film. Absent where what runs the model takes none. Rejects as `generate` does; a
   * model that takes none of this kind refuses in words.
   */
  describe?(
    media: { readonly kind: 'image' | 'audio' | 'video'; readonly type: string; readonly data: string },
    question: string,
    options?: CallOptions,
  ): Promise<GenerateResult>
  /** Tokens of plain text, by this model's tokenizer; an estimate that is rather too high where that cannot be asked. */
  countTokens(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<number[]>
}
