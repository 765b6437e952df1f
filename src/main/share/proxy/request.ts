import type { CallOptions, GenerateRequest, LanguageModel, ToolCall } from '../../../core/ground/chat'
import type { Method } from '../../../core/ground/method'
import type { Usage } from '../../../shared/domain/trajectory'
import type { PROXY_MODES } from '../../../shared/domain/sharing'
import type { StoredMemory } from '../../memory-store/memory'
import type { OpenAttempt, Speaker } from './open-attempts'
import type { RecallInRequest } from './show-recalled'

/** What the proxy does for a client: put in what was remembered, keep what happened, both, or pass through. */
export type ProxyMode = (typeof PROXY_MODES)[number]

/** How one client is served. */
export interface ClientTerms {
  readonly memory: StoredMemory
  readonly mode: ProxyMode
  /** Most tokens that are put into a request. */
  readonly budget: number
  readonly method: Method
  readonly k: number
  /** Cases and lessons of this environment are recalled, and new ones kept in it. */
  readonly environment: string
  /** Whether the model judges attempts whose outcome nobody says. */
  readonly judge: boolean
  /** Who writes in the user's name. */
  readonly speaker: Speaker
}

/** What was put into a request, and what it took. */
export interface ProxiedRequest {
  readonly at: string
  readonly client: string
  readonly attempt: string
  readonly round: number
  readonly model: string
  readonly recalled: OpenAttempt['recalled']
  /** Milliseconds that recalling took before the model was asked. */
  readonly recallMs: number
  readonly promptTokens: number
  readonly completionTokens: number
}

export type Outcome = 'success' | 'failure'

/** What became of an attempt. */
export interface SettledAttempt {
  readonly attempt: string
  readonly outcome: Outcome | 'unknown'
  /** Who said so: the client, the rules by what the person wrote next, the judge, or nobody. */
  readonly by: 'client' | 'rule' | 'judge' | 'nobody'
  /** Whether it was written into the memory. */
  readonly kept: boolean
}

/** Who asks, and with which model. */
export interface Asked {
  readonly client: string
  readonly terms: ClientTerms
  readonly model: LanguageModel
}

/** A request as memory sees it. */
export type OpenInput = Pick<GenerateRequest, 'messages'> & RecallFor

export type RecallFor = Pick<GenerateRequest, 'tools'> & Pick<CallOptions, 'signal'>

/** A request with what its attempt and the conversation before it recalled. */
export interface OpenedRequest {
  readonly attempt: string
  readonly round: number
  /** What stands in the conversation from memory: each before the message of the person at `index`. */
  readonly puts: readonly { readonly index: number; readonly recall: RecallInRequest }[]
  /** Keeps how it was answered, and answers what is told of the request. */
  finish(answer: AnswerKept): Promise<ProxiedRequest>
}

/** What is kept of an answer. `reply` null: none came. */
export interface AnswerKept {
  readonly reply: { readonly content: string; readonly toolCalls?: readonly ToolCall[] } | null
  readonly ending: OpenAttempt['ending']
  readonly model: string
  readonly usage: Usage
  /** The beliefs that the model was told of the call it wrote first, by id. Default: none. */
  readonly heldBy?: readonly string[]
}
