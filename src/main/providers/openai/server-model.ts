import type { CallOptions, GenerateRequest, GenerateResult, LanguageModel } from '../../../core/ground/chat'
import { addUsage, NO_USAGE } from '../../../shared/domain/usage'
import { LoamError } from '../../../shared/errors'
import { samplingOfFamily } from '../../gguf/gguf-words'
import { generateWithTools, turnsOfTwo } from '../generic-tools'
import { withCalls } from '../tool-calls'
import { below } from './address'
import { callServer, pauseBefore } from './call-server'
import { readReply, type ReadReply } from './read-reply'
import {
  MAY_PASS,
  refusalError,
  refusedField,
  saidBy,
  saysNoTools,
  saysOverflow,
  saysRoles,
  saysUnknownForm,
} from './refusal'
import { askTokens, type ServerFacts } from './server-facts'
import type { OpenAiSettings } from './settings'
import { DEFAULT_MAX_TOKENS, requestBody, withMedia, withoutFields, type MediaPart } from './write-request'

/** Everything needed to speak with one model of one server. */
export interface ServerModelOrder {
  /** What the model was chosen by. */
  readonly path: string
  readonly model: string
  readonly base: URL
  readonly key: string | null
  readonly contextSize: number
  readonly facts: ServerFacts
  readonly settings: OpenAiSettings
  /** Runs work when the server has a place for it. */
  readonly inTurn: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

/** Bytes of UTF-8 a token stands for at least, in most vocabularies and languages: counts are rather too high than too low. */
const BYTES_PER_TOKEN = 3
/** A prompt has to leave at least this much room for the reply. */
const LEAST_ROOM = 16

const estimate = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

/** The server, or its model, cannot be handed tools. */
class ToolsRefused extends Error {}

/** A model of a server behind the chat port. */
export function serverModel(order: ServerModelOrder): LanguageModel {
  const { base, key, facts, settings, model, inTurn } = order
  const { host } = base
  const recommended = samplingOfFamily(model)
  const silenceMs = settings.timeoutS * 1000
  // Once a server has refused forms, fields or tools it is not asked for them again.
  let plain = false
  const refused = new Set<string>()
  let toldTools = false
  // Nor are roles that its template does not know.
  let twoRoles = false
  // Tokens that a model which thinks whatever it is told gets for that, once its thoughts have eaten up a reply.
  let thoughtRoom = 0

  const send = async (
    request: GenerateRequest,
    { signal, onToken, onCall }: CallOptions,
    media?: MediaPart,
  ): Promise<ReadReply> => {
    let isShown = false
    const note = (): void => void (isShown = true)
    const telling = { onToken: noting(onToken, note), onCall: noting(onCall, note) }
    for (let attempt = 0; ; attempt += 1) {
      let wish: number | null = null
      try {
        const turns = twoRoles ? { ...request, messages: turnsOfTwo(request.messages) } : request
        const body = requestBody(model, turns, facts.kind, plain || media !== undefined)
        const answer = await callServer({
          url: below(base, 'chat/completions'),
          body: withoutFields(media ? withMedia(body, media) : body, refused),
          key,
          signal,
          silenceMs,
        })
        if (answer.status < 300)
          return await readReply(answer, { host, model, tools: request.tools ?? [], ...telling })
        const { status, type } = answer
        wish = answer.retryAfterMs
        const words = await answer.text()
        const text = saidBy(words) ?? ''
        if (request.tools && saysNoTools(text)) throw new ToolsRefused()
        if (!twoRoles && saysRoles(text)) {
          twoRoles = true
          attempt -= 1
          continue
        }
        const field = status === 400 || status === 422 ? refusedField(text) : null
        if (field !== null && !refused.has(field)) {
          refused.add(field)
          attempt -= 1
          continue
        }
        if (status === 400 && !plain && !saysOverflow(text) && saysUnknownForm(text) && mayGoPlain(request)) {
          plain = true
          continue
        }
        const refusal = refusalError({ host, model, status, type, body: words })
        if (status < 500 && !MAY_PASS.has(status)) throw refusal
        if (attempt >= settings.retries || refusal.code === 'CONTEXT_OVERFLOW') throw refusal
      } catch (error) {
        const again = error instanceof LoamError && error.retryable && !isShown && attempt < settings.retries
        if (!again) throw error
      }
      await pauseBefore(attempt + 1, wish, signal)
    }
  }

  /** With tools as the server takes them: handed over, or told of in the prompt where it refuses them. */
  const ask: LanguageModel['generate'] = async (request, options = {}) => {
    const began = performance.now()
    const roomy = (): GenerateRequest => withRoom(request, thoughtRoom, order.contextSize)
    let { counted, ...reply } = await send(roomy(), options)
    let before = NO_USAGE
    if (thoughtRoom === 0 && wasAllThought(reply)) {
      thoughtRoom = THOUGHT_ROOM
      before = usageOf(request, reply, counted, 0)
      ;({ counted, ...reply } = await send(roomy(), options))
    }
    const usage = addUsage(before, usageOf(request, reply, counted, performance.now() - began))
    const { tools = [] } = request
    return { ...(reply.toolCalls || tools.length === 0 ? reply : withCalls(reply, tools)), usage }
  }
  const askWithTools: LanguageModel['generate'] = async (request, options) => {
    if (!toldTools) {
      try {
        return await ask(request, options)
      } catch (error) {
        if (!(error instanceof ToolsRefused)) throw error
        toldTools = true
      }
    }
    return generateWithTools(ask, request, options)
  }

  return {
    name: model,
    path: order.path,
    contextSize: order.contextSize,
    can: facts.can,
    ...(recommended && { recommended }),
    generate: (request, options = {}) =>
      inTurn(async () => {
        checkRequest(request, order)
        return askWithTools(request, options)
      }, options.signal),
    describe: (media, question, options = {}) =>
      inTurn(async () => {
        const began = performance.now()
        const request: GenerateRequest = { messages: [{ role: 'user', content: question }], maxTokens: 1024 }
        const { counted, ...reply } = await send(request, options, media)
        return { ...reply, usage: usageOf(request, reply, counted, performance.now() - began) }
      }, options.signal),
    countTokens: async (texts, { signal } = {}) => {
      const request = { base, key, signal, silenceMs }
      if (!facts.tokenizes) return texts.map(estimate)
      return Promise.all(
        texts.map((text) =>
          inTurn(async () => (await askTokens(request, facts.kind, model, text)) ?? estimate(text), signal),
        ),
      )
    },
  }
}

/** A listener, and a note that it was told something. */
const noting = <T>(tell: ((piece: T) => void) | undefined, note: () => void) =>
  tell &&
  ((piece: T): void => {
    note()
    tell(piece)
  })

/** Most tokens that a thought gets beside those of its reply. */
const THOUGHT_ROOM = 4096

/** Whether a reply ended at its limit before its thoughts did. */
const wasAllThought = ({ text, thought, toolCalls, finish }: Omit<ReadReply, 'counted'>): boolean =>
  finish === 'max-tokens' && thought !== undefined && text.trim() === '' && toolCalls === undefined

/** The same request with room for thoughts, as far as the context has it. */
function withRoom(request: GenerateRequest, room: number, contextSize: number): GenerateRequest {
  const { maxTokens = DEFAULT_MAX_TOKENS } = request
  const prompt = request.messages.reduce((sum, { content }) => sum + estimate(content), 0)
  const remainingCount = Math.min(room, contextSize - prompt - maxTokens - LEAST_ROOM)
  return remainingCount > 0 ? { ...request, maxTokens: maxTokens + remainingCount } : request
}

/** A form that was asked for by a schema may be left out: the reply is checked by who asked. */
const mayGoPlain = ({ constraint }: GenerateRequest): boolean => constraint?.kind !== 'gbnf'

/** Refuses what cannot be done before anything is sent. */
function checkRequest(request: GenerateRequest, { base, contextSize, facts }: ServerModelOrder): void {
  if (request.softPrompt === true) {
    throw new LoamError('SOFT_PROMPT', `${base.host} cannot be given a soft prompt.`, {
      suggestion: 'Soft prompts work with models on this machine.',
    })
  }
  if (request.constraint?.kind === 'gbnf' && facts.can.constraint !== 'grammar') {
    throw new LoamError('GRAMMAR', `${base.host} cannot hold replies to a grammar.`, {
      suggestion: 'Use a GGUF on this machine, llama-server or vLLM.',
    })
  }
  // What is surely too long is not sent: some servers cut it without a word, Ollama always.
  const longest = facts.kind === 'ollama' ? 5 : 8
  const least = request.messages.reduce((sum, { content }) => sum + content.length / longest, 0)
  if (least > contextSize - LEAST_ROOM) {
    throw new LoamError(
      'CONTEXT_OVERFLOW',
      `The prompt has at least ${Math.ceil(least)} tokens; the model reads ${contextSize}.`,
      { suggestion: 'Recall less, or have the server load the model with a larger context.' },
    )
  }
}

function usageOf(
  request: GenerateRequest,
  reply: Omit<ReadReply, 'counted'>,
  tokens: ReadReply['counted'],
  ms: number,
): GenerateResult['usage'] {
  const prompt = request.messages.map(({ content }) => content).join('\n')
  return {
    promptTokens: tokens?.prompt || estimate(prompt),
    completionTokens: tokens?.completion || estimate(`${reply.thought ?? ''}${reply.text}`),
    reusedTokens: tokens?.reused ?? 0,
    ms,
  }
}
