import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answered, refusal, type AnswerInput, type Protocol } from '../../../src/main/api/proxy-answer'
import type { MemoryProxy, ProxyReply } from '../../../src/main/share/proxy/memory-proxy'
import { LoamError } from '../../../src/shared/errors'
import { NO_USAGE } from '../../../src/shared/domain/usage'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A model that answers when it is told to, with one piece before. */
function rig(input: Partial<AnswerInput>) {
  let resolve: (reply: ProxyReply) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const replying = new Promise<ProxyReply>((yes, no) => {
    resolve = yes
    fail = no
  })
  const proxy = {
    complete: async (
      _: unknown,
      __: unknown,
      { onToken, onAttempt }: { onToken?: (text: string) => void; onAttempt?: (id: string) => void },
    ) => {
      if (input.first) onAttempt?.('att-1')
      const result = await replying
      onToken?.(result.result.text)
      return result
    },
  } as unknown as MemoryProxy
  const app = new Hono()
  app.get('/', (context) =>
    answered(context, proxy, {
      ...{ asked: {} as AnswerInput['asked'], request: { messages: [] }, protocol: 'chat', framing: null },
      whole: ({ result }) => ({ said: result.text }),
      piece: (text) => [{ piece: text }],
      last: () => [{ type: 'last' }],
      ...input,
    }),
  )
  const say = (text: string): void =>
    resolve({
      attempt: 'att-1',
      round: 0,
      result: { text, finish: 'end', usage: NO_USAGE },
      log: {},
    } as unknown as ProxyReply)
  return { answer: Promise.resolve(app.request('/')), say, fail }
}

it('begins a whole reply with blanks where a client waits for long, and the JSON stays the same', async () => {
  const { answer, say } = rig({})
  let response: Response | null = null
  void answer.then((one) => (response = one))
  await vi.advanceTimersByTimeAsync(119_000)
  expect(response).toBeNull()
  await vi.advanceTimersByTimeAsync(2_000)
  const begun = await answer
  expect(begun.headers.get('content-type')).toBe('application/json')
  const text = begun.text()
  await vi.advanceTimersByTimeAsync(30_000)
  say('late')
  await vi.advanceTimersByTimeAsync(0)
  expect(await text).toMatch(/^ {3,5}\{"said":"late"\}$/)
})

it('says at once what comes at once, with its attempt', async () => {
  const { answer, say } = rig({ schema: { type: 'object' } })
  say('no JSON')
  const response = await answer
  expect(response.headers.get('x-loam-attempt')).toBe('att-1')
  expect(response.headers.get('x-loam-warning')).toBe('the reply does not meet the schema')
  expect(await response.json()).toEqual({ said: 'no JSON' })
})

it.each([
  [
    'marked',
    ': waiting\n\n',
    'data: {"piece":"x"}\n\n: x-loam-warning: the reply does not meet the schema\n\ndata: {"type":"last"}\n\ndata: [DONE]\n\n',
  ],
  [
    'named',
    ': waiting\n\n',
    'data: {"piece":"x"}\n\n: x-loam-warning: the reply does not meet the schema\n\nevent: last\ndata: {"type":"last"}\n\n',
  ],
  ['lines', ' ', '{"piece":"x"}\n{"type":"last"}\n'],
  ['list', ' ', '{"piece":"x"}\n,{"type":"last"}\n]'],
] as const)('keeps a stream of %s alive while a model is waited for', async (framing, pulse, rest) => {
  const { answer, say } = rig({ framing, schema: { type: 'object' } })
  const text = answer.then((response) => response.text())
  await vi.advanceTimersByTimeAsync(21_000)
  say('x')
  await vi.advanceTimersByTimeAsync(0)
  expect(await text).toBe(`${framing === 'list' ? '[' : ''}${pulse}${pulse}${rest}`)
})

// Codex gives a stream up in which 300 s long no event comes; a comment is none.
it('keeps a stream alive by events where the protocol has some for it', async () => {
  const { answer, say } = rig({
    ...{ framing: 'named', protocol: 'anthropic' },
    first: () => [{ type: 'message_start' }],
    pulse: () => [{ type: 'ping' }],
  })
  const text = answer.then((response) => response.text())
  await vi.advanceTimersByTimeAsync(21_000)
  say('x')
  await vi.advanceTimersByTimeAsync(0)
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n'
  expect(await text).toBe(
    `event: message_start\ndata: {"type":"message_start"}\n\n${ping}${ping}data: {"piece":"x"}\n\nevent: last\ndata: {"type":"last"}\n\n`,
  )
})

it.each([
  ['chat', 'marked', 'data: {"error":{"message":"It broke. Try again.","type":"invalid_request_error"'],
  ['responses', 'named', 'event: error\ndata: {"type":"error","message":"It broke. Try again."'],
  ['anthropic', 'named', 'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error"'],
  ['ollama', 'lines', '{"error":"It broke. Try again."}\n'],
  [
    'gemini',
    'events',
    'data: {"error":{"code":400,"message":"It broke. Try again.","status":"INVALID_ARGUMENT"}}',
  ],
] as const)('says in the words of %s that a reply broke off', async (protocol, framing, text) => {
  const { answer, fail } = rig({ protocol, framing })
  const body = answer.then((response) => response.text())
  // The stream has begun with a sign of life.
  await vi.advanceTimersByTimeAsync(10_001)
  fail(new LoamError('BAD_INPUT', 'It broke.', { suggestion: 'Try again.' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(await body).toContain(text)
})

it.each([
  ['chat', 'marked', 400, /^\{"error":\{"message":"The model's maximum context length/],
  [
    'anthropic',
    'named',
    400,
    /^\{"type":"error","error":\{"type":"invalid_request_error","message":"prompt is too long/,
  ],
  ['ollama', 'lines', 400, /^\{"error":"The input exceeds the context length/],
  ['gemini', 'list', 400, /^\{"error":\{"code":400,"message":"The input token count exceeds/],
  ['responses', 'named', 200, /event: response\.failed\ndata: .*"error":\{"code":"context_length_exceeded"/],
] as const)(
  'says before a stream of %s begins that a dialog is too long',
  async (protocol, framing, status, text) => {
    const { answer, fail } = rig({ protocol, framing, first: () => [{ type: 'first' }] })
    fail(new LoamError('CONTEXT_OVERFLOW', 'It has 9 tokens of 8.', { suggestion: 'Less.' }))
    const response = await answer
    expect(response.status).toBe(status)
    expect(await response.text()).toMatch(text)
  },
)

const reach = new LoamError('MODEL_SERVER', 'example.org could not be reached.', { suggestion: 'Look.' })
const long = new LoamError('CONTEXT_OVERFLOW', 'It has 9 tokens of 8.', { suggestion: 'Less.' })
const UNREACHED = 'example.org could not be reached. Look.'

it.each<[Protocol, object, RegExp]>([
  [
    'chat',
    { error: { message: UNREACHED, type: 'server_error', param: null, code: 'model_server' } },
    /maximum context length .*"code":"context_length_exceeded"/,
  ],
  [
    'responses',
    { error: { message: UNREACHED, type: 'server_error', param: null, code: 'model_server' } },
    /exceeds the context window .*"code":"context_length_exceeded"/,
  ],
  [
    'anthropic',
    { type: 'error', error: { type: 'api_error', message: UNREACHED } },
    /"invalid_request_error","message":"prompt is too long: /,
  ],
  ['ollama', { error: UNREACHED }, /exceeds the context length/],
  [
    'gemini',
    { error: { code: 502, message: UNREACHED, status: 'UNAVAILABLE' } },
    /input token count exceeds the maximum number of tokens allowed.*INVALID_ARGUMENT/,
  ],
])(
  'says in the form of %s that an upstream is away, and that a dialog is too long',
  async (protocol, body, words) => {
    const away = refusal(reach, protocol)
    expect([away.status, await away.json()]).toEqual([502, body])
    const overflow = refusal(long, protocol)
    expect(overflow.status).toBe(400)
    expect(await overflow.text()).toMatch(words)
  },
)
