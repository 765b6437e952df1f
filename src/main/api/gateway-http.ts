import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { LanguageModel, ToolCall } from '../../core/ground/chat'
import { sideWorkOf } from '../../core/verdict/side-request'
import { NO_USAGE, type Usage } from '../../shared/domain/usage'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { Logger } from '../ground/logger'
import { dialectAt } from '../share/proxy/dialects'
import {
  isJson,
  readInput,
  type Dialect,
  type ReadAnswer,
  type ReadMessage,
  type ReadRequest,
} from '../share/proxy/dialects/dialect'
import { heardMessage } from '../share/proxy/heard-text'
import { putTexts } from '../share/proxy/json-places'
import { recallMark } from '../share/proxy/attempt-record'
import type { MemoryProxy } from '../share/proxy/memory-proxy'
import type { AnswerKept, Asked, ClientTerms, OpenedRequest } from '../share/proxy/request'
import { answerReader, type AnswerReader } from '../share/proxy/read-answer'
import { endingOfAnswer } from '../share/proxy/rule-attempt'
import {
  translateAnswer,
  translateFailure,
  translatePassage,
  translationFor,
  type TranslatedPassage,
} from '../share/proxy/translate/passage'
import { headersBut, passOn, type Header, type Passage, type Upstream } from '../share/proxy/upstream'
import { parseJsonBody } from '../ground/json-body'

/** What the gateway passes requests on with. */
export interface GatewayDeps {
  readonly proxy: MemoryProxy
  readonly upstream: Upstream
  readonly termsOf: (client: string) => Promise<ClientTerms>
  /** Counts tokens and writes what a method writes; never answers a client. */
  readonly model: () => Promise<LanguageModel>
  readonly logger?: Pick<Logger, 'warn'>
}

/** A request of a client, as it came. */
export interface GatewayRequest {
  readonly client: string
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Path with its query, without Loam's key. */
  readonly path: string
  /** Names of headers that carried Loam's key and do not go on. */
  readonly ownHeaders: RegExp
  readonly body: Uint8Array
  /** Whether the client sends a key of its own to its provider. */
  readonly hasOwnKey: boolean
}

/** Responses that a later one can go on from. */
const MOST_RESPONSES = 500

/** Passes requests on, byte for byte but for what memory puts in, and reads along. */
export function createGateway({ proxy, upstream, termsOf, model, logger }: GatewayDeps) {
  const dialogs = new Map<string, { readonly client: string; readonly messages: readonly ReadMessage[] }>()
  let unread = 0
  const passUnread = (what: string, error?: unknown): void => {
    unread++
    logger?.warn('The memory proxy passed on what it could not read', {
      what,
      unread,
      ...(error !== undefined && { problem: toErrorShape(error) }),
    })
  }

  /** What memory needs of a request; null where it passes as it is. */
  const readOf = async (dialect: Dialect, json: string, client: string): Promise<ReadRequest | null> => {
    try {
      const read = await readRequest(dialect, json)
      if (read === null) passUnread(dialect.id)
      const earlier = read?.previous ? dialogs.get(read.previous) : undefined
      if (!read || earlier?.client !== client) return read
      // The server holds what came before, so nothing can be put in there.
      const before = earlier.messages.map(({ message }) => ({ message, place: null }))
      return { ...read, messages: [...before, ...read.messages] }
    } catch (error) {
      passUnread(dialect.id, error)
      return null
    }
  }

  const openFor = async (
    client: string,
    read: ReadRequest,
    signal: AbortSignal,
  ): Promise<OpenedRequest | null> => {
    try {
      const request: Asked = { client, terms: await termsOf(client), model: await model() }
      if (request.terms.mode === 'off') return null
      const messages = read.messages.map(({ message }) => message)
      // Only whether there are tools counts: attempts are not shown as turns here.
      return await proxy.open(request, { messages, tools: [], signal })
    } catch (error) {
      if (!signal.aborted)
        logger?.warn('Nothing was recalled for a request', { problem: toErrorShape(error) })
      return null
    }
  }

  const remember = (read: ReadRequest, client: string, answer: ReadAnswer): void => {
    if (answer.id === null) return
    const reply: ReadMessage = { message: { role: 'assistant', ...replyOf(answer) }, place: null }
    dialogs.set(answer.id, { client, messages: [...read.messages, reply] })
    const [oldest] = dialogs.keys()
    if (dialogs.size > MOST_RESPONSES && oldest !== undefined) dialogs.delete(oldest)
  }

  return {
    /** Requests and answers that passed and could not be read. */
    unread: (): number => unread,
    /** Answers one request with what the upstream says. */
    async pass({
      client,
      incoming,
      outgoing,
      path,
      ownHeaders,
      body,
      hasOwnKey,
    }: GatewayRequest): Promise<Response> {
      const method = incoming.method ?? 'GET'
      const dialect = method === 'POST' ? dialectAt(path.split('?')[0] ?? path) : null
      if (dialect) translationFor(upstream.dialect, dialect)
      const json = dialect ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8') : ''
      const read = dialect ? await readOf(dialect, json, client) : null
      const goneSignal = leaveSignal(outgoing)
      const isAside = read !== null && isSideWork(read)
      const opening = read && !isAside ? await openFor(client, read, goneSignal) : null
      const puts = putsOf(opening, read)
      const headers = headersBut(incoming.rawHeaders, ownHeaders).flat()
      const own = {
        ...{ method, path, headers, signal: goneSignal },
        body: puts.some(({ text }) => text !== '') ? Buffer.from(await putTexts(json, puts)) : body,
      }
      const translated = dialect && (await translatePassage(upstream, dialect, own))
      const passage = translated?.passage ?? own
      let reader: AnswerReader | null = null
      const end = async (ending: AnswerKept['ending'], isOver: boolean): Promise<void> => {
        const { answer, isRead } = (await reader?.end()) ?? { answer: null, isRead: false }
        if (isOver && reader && !isRead) passUnread(`an answer of ${dialect?.id ?? ''}`)
        const usage = usageOf(answer)
        const name = read?.model ?? ''
        if (isAside) proxy.beside(client, name, usage)
        if (!opening || !read) return
        const isAnswered = answer !== null && isRead
        if (isAnswered && isOver) remember(read, client, answer)
        await opening.finish({
          reply: isAnswered ? replyOf(answer) : null,
          ending: ending ?? (isAnswered ? endingOfAnswer(read, answer) : null),
          ...{ model: name, usage },
        })
      }
      const answer = await answerOf(upstream, passage, !hasOwnKey, () =>
        end(goneSignal.aborted ? 'interrupted' : 'lost', false),
      )
      const status = answer.statusCode ?? 502
      const type = answer.headers['content-type'] ?? ''
      const translation = translated && status < 300 ? translateAnswer(translated, type) : null
      if (dialect && status < 300) reader = translation?.reader ?? answerReader(dialect, type)
      const attempt = opening?.attempt ?? null
      writeHead(outgoing, answer, { translated, type: translation?.type ?? null, attempt })
      try {
        if (translated && !translation) outgoing.write(await translateFailure(dialect, answer))
        else
          for await (const chunk of answer as AsyncIterable<Buffer>) {
            const piece = translation ? await translation.bytes(chunk) : chunk
            if (piece.length > 0 && !outgoing.write(piece)) await drained(outgoing, goneSignal)
            // A long event is read apart: the client has it by then.
            if (!translation) await reader?.bytes(chunk)
          }
        if (translation) outgoing.write(await translation.end())
        await end(status >= 400 ? 'lost' : null, true)
        outgoing.end()
      } catch {
        // Some clients leave once they have read the last event; then the answer is whole.
        const isWhole = goneSignal.aborted && reader?.isWhole() === true
        await end(isWhole ? null : goneSignal.aborted ? 'interrupted' : 'lost', isWhole)
        // The client sees the connection end where the upstream's did.
        outgoing.destroy()
      }
      return RESPONSE_ALREADY_SENT
    },
  }
}

/** What memory needs of a request in JSON, without the middle of long messages; null where there is nothing. */
async function readRequest(dialect: Dialect, json: string): Promise<ReadRequest | null> {
  const body = await parseJsonBody(json)
  await setImmediate()
  const read = isJson(body) ? dialect.read(body) : null
  return (
    read && {
      ...read,
      messages: read.messages.map(({ message, place }) => ({ message: heardMessage(message), place })),
    }
  )
}

/** Says what the upstream said at the head of its answer, and what is Loam's own. `type`: of a translated answer. */
function writeHead(
  outgoing: ServerResponse,
  answer: IncomingMessage,
  about: {
    readonly translated: TranslatedPassage | null
    readonly type: string | null
    readonly attempt: string | null
  },
): void {
  const { translated, type, attempt } = about
  const own: Header[] = [
    ...(translated ? [['content-type', type ?? 'application/json'] as const] : []),
    ...(translated?.lost ? [['x-loam-warning', `lost in translation: ${translated.lost}`] as const] : []),
    ...(attempt === null ? [] : [['x-loam-attempt', attempt] as const]),
  ]
  const dropped = translated ? /^content-(?:length|type)$/i : /^$/
  outgoing.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage,
    [...headersBut(answer.rawHeaders, dropped), ...own].flat(),
  )
  outgoing.flushHeaders()
}

/** What the upstream begins to say; `lose` is called where it cannot be reached. @throws LoamError `MODEL_SERVER` */
async function answerOf(
  upstream: Upstream,
  passage: Passage,
  withKey: boolean,
  lose: () => Promise<void>,
): Promise<IncomingMessage> {
  try {
    return await passOn(upstream, passage, withKey)
  } catch (error) {
    await lose()
    throw new LoamError('MODEL_SERVER', `${upstream.base.host} could not be reached.`, {
      suggestion: 'Check that it runs, and the address the proxy was started with.',
      retryable: true,
      underlying: error,
    })
  }
}

/** What goes into a request, and where. */
const putsOf = (opening: OpenedRequest | null, read: ReadRequest | null) =>
  (opening?.puts ?? []).flatMap(({ index, recall }) => {
    const place = read?.messages[index]?.place
    return place ? [{ place, text: recallMark(recall) }] : []
  })

/** Fires when a client leaves before it is answered. */
function leaveSignal(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller.signal
}

const drained = (outgoing: ServerResponse, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    outgoing.once('drain', resolve)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

const isSideWork = ({ messages, maxTokens, tools }: ReadRequest): boolean =>
  sideWorkOf({
    system: messages.find(({ message }) => message.role === 'system')?.message.content ?? '',
    user: messages.findLast(({ message }) => message.role === 'user')?.message.content ?? '',
    ...{ maxTokens, tools },
  }) !== null

const replyOf = ({ text, calls }: ReadAnswer) => {
  const toolCalls = [...calls.values()].map(({ name, input }, i): ToolCall => ({
    id: String(i),
    name,
    arguments: readInput(input),
  }))
  return { content: text, ...(toolCalls.length > 0 && { toolCalls }) }
}

const usageOf = (answer: ReadAnswer | null): Usage =>
  answer === null
    ? NO_USAGE
    : { ...NO_USAGE, promptTokens: answer.promptTokens, completionTokens: answer.completionTokens }
