import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CallToolResultSchema,
  ErrorCode,
  McpError,
  ToolListChangedNotificationSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import { abortable, abortError, isAbortError } from '../../core/ground/abort'
import { RestartPolicy } from '../ground/restart-policy'
import { checkedAnswer } from './answer-lines'
import { answerHouse, type HouseServices } from './house-requests'
import { ProcessTransport, type ProcessServer } from './process-transport'
import { resultText } from './result-text'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { guardedFetch } from '../net/guarded-fetch'

interface HttpServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A server at an address: one on this machine, or anywhere when `network` is on. The address is checked after its name is
 * resolved, redirects are not followed, so its headers go nowhere else.
 */
function httpTransport(server: HttpServer, network: boolean): StreamableHTTPClientTransport {
  const reach = guardedFetch(network ? 'any' : 'loopback')
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { ...server.headers } },
    fetch: async (url, init) => checkedAnswer(await reach(url, init), server.url),
  })
}

/** Milliseconds a server has to start and tell its tools. */
const START_MS = 60_000
/** Milliseconds a server that let a call run out has to show that it still answers. */
const PING_MS = 2000
const MOST_PAGES = 20

/** A server and how it is reached. */
export interface ServerSpec {
  readonly id: string
  readonly at:
    | ({ readonly kind: 'process' } & ProcessServer)
    | ({ readonly kind: 'http'; readonly network: boolean } & HttpServer)
  /** What Loam does for it when it asks. Default: nothing, as for every server that is not Loam's own. */
  readonly house?: HouseServices
}

export interface ConnectionOptions {
  /** Name and version that servers are told. */
  readonly client: { readonly name: string; readonly version: string }
  /** Milliseconds before the first, second and third restart within 5 minutes. Default 250, 1000, 4000. */
  readonly backOffMs?: readonly number[]
}

/** A tool's answer, before limits and names of this run. */
export interface RawResult {
  readonly text: string
  readonly failed: boolean
}

interface Live {
  readonly client: Client
  readonly transport: ProcessTransport | ReturnType<typeof httpTransport>
  tools: readonly Tool[]
}

/**
 * One server, started when it is first needed. One that is lost is started again, with back-off, by the next call; after three
 * times within five minutes calls fail until some time has passed.
 */
export class ServerConnection {
  readonly #restarts: RestartPolicy
  #live: Live | null = null
  #opening: Promise<Live> | null = null
  /** Why the server was lost last; null when it never was. */
  #lost: string | null = null
  #closed = false

  constructor(
    private readonly spec: ServerSpec,
    private readonly options: ConnectionOptions,
  ) {
    this.#restarts = new RestartPolicy(options.backOffMs ? { backOffMs: options.backOffMs } : {})
  }

  get id(): string {
    return this.spec.id
  }

  /** Process of a server that runs as one. */
  get pid(): number | undefined {
    return this.#live?.transport instanceof ProcessTransport ? this.#live.transport.pid : undefined
  }

  /** The tools as the server told them last. */
  get tools(): readonly Tool[] {
    return this.#live?.tools ?? []
  }

  /** Starts the server when it does not run and answers its tools. @throws Error with the reason */
  async open(): Promise<readonly Tool[]> {
    return (await this.#connected()).tools
  }

  /** Uses a tool. Whatever goes wrong is the answer; rejects only when `signal` aborts, which the server is told. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: { readonly timeMs: number; readonly signal?: AbortSignal },
  ): Promise<RawResult> {
    const { timeMs, signal } = options
    let live: Live
    try {
      if (signal?.aborted) throw abortError()
      live = await (signal ? abortable(this.#connected(), signal) : this.#connected())
    } catch (error) {
      if (isAbortError(error)) throw error
      return { failed: true, text: `The server "${this.id}" could not be reached: ${messageOf(error)}` }
    }
    try {
      const result = await live.client.callTool(
        { name: tool, arguments: { ...args } },
        CallToolResultSchema,
        // A signal of its own: the SDK never takes its listener back.
        { timeout: timeMs, maxTotalTimeout: timeMs, ...(signal && { signal: AbortSignal.any([signal]) }) },
      )
      const parsed = CallToolResultSchema.parse(result)
      return { text: resultText(parsed), failed: parsed.isError === true }
    } catch (error) {
      if (signal?.aborted) throw abortError()
      if (error instanceof McpError && error.code === (ErrorCode.RequestTimeout as number)) {
        this.#check(live)
        return { failed: true, text: `The tool did not answer within ${timeMs / 1000} s.` }
      }
      if (live !== this.#live)
        return { failed: true, text: `The server "${this.id}" was lost: ${this.#lost}.` }
      if (this.spec.at.kind === 'http' && !(error instanceof McpError))
        await this.#leave(live, messageOf(error))
      return { failed: true, text: messageOf(error) }
    }
  }

  /** Ends the server and everything it started. */
  async close(): Promise<void> {
    this.#closed = true
    const live = this.#live ?? (await this.#opening?.catch(() => null)) ?? null
    this.#live = null
    await live?.client.close().catch(() => undefined)
  }

  /** A server at an address may have been started anew and know nothing of this connection: the next call makes another. */
  async #leave(live: Live, reason: string): Promise<void> {
    await live.client.close().catch(() => undefined)
    this.#lost = reason
  }

  /** A server that let a call run out and does not answer a ping either is ended, so that the next call gets a new one. */
  #check(live: Live): void {
    live.client.ping({ timeout: PING_MS }).catch(() => {
      if (live.transport instanceof ProcessTransport)
        live.transport.kill('it no longer answered and was ended')
    })
  }

  #connected(): Promise<Live> {
    if (this.#closed) return Promise.reject(new Error('it is closed'))
    if (this.#live) return Promise.resolve(this.#live)
    return (this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    }))
  }

  async #open(): Promise<Live> {
    if (this.#lost !== null) {
      const wait = this.#restarts.next()
      if (wait === null) throw new Error(`it was lost too often (${this.#lost}); wait a few minutes`)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    const { at } = this.spec
    const transport = at.kind === 'process' ? new ProcessTransport(at) : httpTransport(at, at.network)
    const client = new Client(this.options.client)
    if (this.spec.house) answerHouse(client, this.spec.house)
    const live: Live = { client, transport, tools: [] }
    const getEnding = (): string =>
      (transport instanceof ProcessTransport ? transport.ending : null) ?? 'the connection was closed'
    client.onclose = () => {
      this.#lost = getEnding()
      if (this.#live === live) this.#live = null
    }
    try {
      await client.connect(transport, { timeout: START_MS })
      live.tools = await listTools(client)
    } catch (error) {
      const reason =
        transport instanceof ProcessTransport && transport.ending !== null ? getEnding() : messageOf(error)
      await client.close().catch(() => undefined)
      this.#lost = reason
      throw new Error(reason, { cause: error })
    }
    client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
      live.tools = await listTools(client)
    })
    if (this.#closed) {
      await client.close()
      throw new Error('it is closed')
    }
    this.#live = live
    return live
  }
}

async function listTools(client: Client): Promise<Tool[]> {
  const tools: Tool[] = []
  let cursor: string | undefined
  for (let count = 0; count < MOST_PAGES; count++) {
    const answer = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: START_MS })
    tools.push(...answer.tools)
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return tools
}

/** What went wrong, down to the reason underneath (a refused connection hides behind "fetch failed"). */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const text =
    error instanceof AggregateError && error.message === ''
      ? error.errors.map(messageOf).join('; ')
      : error.message
  return cause instanceof Error && !text.includes(cause.message) ? `${text} (${cause.message})` : text
}
