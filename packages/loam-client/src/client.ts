/** Where Loam answers, and with which key. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:7333`. */
  readonly url: string
  /** As `loam keys create` or the server printed it. */
  readonly key: string
  /** Default: the global one. */
  readonly fetch?: typeof fetch
}

/** What one call may be told. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** What a tool of the memory server answers: for a reader, and for a program. */
export interface ToolAnswer {
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A call that Loam refused, in its words. */
export class LoamFailure extends Error {
  constructor(
    /** Such as `NOT_FOUND`; `UNREADABLE` where the answer was none of Loam's. */
    readonly code: string,
    message: string,
    readonly suggestion: string,
    /** Of HTTP; 200 where a tool refused. */
    readonly status: number,
  ) {
    super(message)
    this.name = 'LoamFailure'
  }
}

type Call = (input?: object, options?: CallOptions) => Promise<unknown>

/** What REST answers, by area and name; `posts` names the calls that are sent by POST. */
export function createReader<Calls>(options: ClientOptions, posts: readonly string[]): Calls {
  const areas = new Map<string, unknown>()
  return standIn((area) => {
    const calls = areas.get(area) ?? standIn((name) => restCall(options, `${area}/${name}`, posts))
    areas.set(area, calls)
    return calls
  }) as Calls
}

function restCall(options: ClientOptions, path: string, posts: readonly string[]): Call {
  return async (input = {}, { signal } = {}) => {
    const isPost = posts.includes(path)
    const query = isPost ? '' : `?${new URLSearchParams(fieldsOf(input)).toString()}`
    const response = await send(options, `/api/${path}${query}`, {
      method: isPost ? 'POST' : 'GET',
      ...(isPost && { body: JSON.stringify(input) }),
      ...(signal && { signal }),
    })
    return answerOf(response)
  }
}

/** Fields of an address: `{ a: { b: [1] } }` is `a[b][0]=1`. What is null or absent keeps its default. */
function fieldsOf(input: object, prefix = ''): [string, string][] {
  return Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
    const field = prefix === '' ? name : `${prefix}[${name}]`
    if (value === null || value === undefined) return []
    return typeof value === 'object' ? fieldsOf(value, field) : [[field, String(value)]]
  })
}

/** The tools of a memory server (`loam mcp memory --port`), over streamable HTTP. */
export function createMemory<Tools>(options: ClientOptions): Tools {
  let session: Promise<string> | null = null
  let count = 0
  const ask = async (method: string, params: object, id: string | null, signal?: AbortSignal) => {
    count += 1
    return send(options, '/mcp', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: count, method, params }),
      headers: {
        accept: 'application/json, text/event-stream',
        ...(id !== null && { 'mcp-session-id': id }),
      },
      ...(signal && { signal }),
    })
  }
  const begin = async (): Promise<string> => {
    const response = await ask('initialize', HELLO, null)
    await messageOf(response)
    return response.headers.get('mcp-session-id') ?? ''
  }
  const call = async (
    name: string,
    input: object,
    signal?: AbortSignal,
    isSecond = false,
  ): Promise<ToolAnswer> => {
    session ??= begin()
    const before = session
    const id = await before.catch((error: unknown) => {
      session = null
      throw error
    })
    const response = await ask('tools/call', { name, arguments: input }, id, signal)
    // A server that began anew, or let this session go, knows it no more: nothing was done.
    if (response.status === 404 && !isSecond) {
      if (session === before) session = null
      await response.body?.cancel()
      return call(name, input, signal, true)
    }
    return toolAnswer(await messageOf(response))
  }
  return standIn(
    (name): Call =>
      (input = {}, { signal } = {}) =>
        call(`memory_${name}`, input, signal),
  ) as Tools
}

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'loam-client', version: '1.0.0' },
}

interface ToolResult {
  readonly isError?: boolean
  readonly content?: readonly { readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

function toolAnswer(message: Record<string, unknown>): ToolAnswer {
  const { isError, content = [], structuredContent: data = {} } = message as ToolResult
  const text = content.map((part) => part.text ?? '').join('\n')
  if (isError === true) throw new LoamFailure('REFUSED', text, '', 200)
  return { text, data }
}

/** The result of a message, as JSON or as the event of a stream. */
async function messageOf(response: Response): Promise<Record<string, unknown>> {
  if (!response.ok) await answerOf(response)
  const text = await response.text()
  const line = text.split('\n').findLast((one) => one.startsWith('data: {'))
  const { result, error } = parsed(line?.slice(6) ?? text, response.status) as {
    result?: Record<string, unknown>
    error?: { code: number; message: string }
  }
  if (error) throw new LoamFailure(String(error.code), error.message, '', response.status)
  return result ?? {}
}

async function answerOf(response: Response): Promise<unknown> {
  const answer = parsed(await response.text(), response.status)
  if (response.ok) return answer
  const { code, cause, message, suggestion } = answer as Partial<Record<string, string>>
  throw new LoamFailure(
    code ?? 'REFUSED',
    cause ?? message ?? 'The call was refused.',
    suggestion ?? '',
    response.status,
  )
}

function parsed(text: string, status: number): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new LoamFailure(
      'UNREADABLE',
      'The answer is no JSON.',
      'Check that the address is that of Loam.',
      status,
    )
  }
}

function send(options: ClientOptions, path: string, { headers, ...init }: RequestInit): Promise<Response> {
  return (options.fetch ?? fetch)(options.url.replace(/\/$/, '') + path, {
    ...init,
    headers: {
      authorization: `Bearer ${options.key}`,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
}

/** An object whose every name stands for something; that of promises is none, so that it can be awaited and logged. */
const standIn = (of: (name: string) => unknown): object =>
  new Proxy(
    {},
    { get: (_target, name) => (typeof name === 'string' && name !== 'then' ? of(name) : undefined) },
  )
