import { expect, it } from 'vitest'
import { wholePart } from '../../src/core/ground/cut-json'
import { readNested } from '../../src/core/ground/nested'
import { echoGate } from '../../src/core/ground/replies/echo'
import { withoutLoop } from '../../src/core/ground/replies/loop'
import { readReply as readAction } from '../../src/core/ground/replies/read-reply'
import { takeThoughts } from '../../src/core/ground/replies/thoughts'
import { parseToolUse } from '../../src/core/tasks/tool-use/grammar'
import { readingOf } from '../../src/core/verdict/message-reader'
import { FormText } from '../../src/main/providers/form-text'
import { readReply } from '../../src/main/providers/openai/read-reply'
import { ThoughtFilter } from '../../src/main/providers/thought-filter'
import { answerReader } from '../../src/main/share/proxy/read-answer'

const tool = {
  name: 'f',
  description: '',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
}
const nothing = (): void => undefined

function* piecesOf(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
}
const event = (delta: object): string => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`
/** The answer of a server, cut where networks may cut it. */
async function streamed(text: string, size: number): Promise<void> {
  const source = { host: 'h', model: 'm', tools: [tool], onToken: nothing, onCall: nothing }
  async function* pieces() {
    await Promise.resolve()
    yield* piecesOf(`${text}data: [DONE]\n\n`, size)
  }
  const answer = {
    pieces: pieces(),
    type: 'text/event-stream',
    drop: nothing,
    status: 200,
    retryAfterMs: null,
  }
  await readReply({ ...answer, text: () => Promise.resolve('') }, source).catch(nothing)
}

const rules = { tools: [tool], words: { f: 'f', call: null }, code: 'f', plain: 'f' }
const isEcho = echoGate('Say what is true of the boats in the harbor, and nothing else.', rules)

/** What reads a whole reply of a model at once, in the host. */
const WHOLE: Readonly<Record<string, (text: string) => unknown>> = {
  'an action': (text) => readAction({ text }, rules),
  'an action of a reply that was cut': (text) => readAction({ text, cut: true }, rules),
  'an action of published form': parseToolUse,
  thoughts: takeThoughts,
  loops: withoutLoop,
  echoes: (text) => isEcho(text),
  'JSON that was cut': wholePart,
  'JSON in JSON': readNested,
  'what a message says of an answer': readingOf,
}

/** What reads answers of models' servers while they come, and what passes the gateway. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a text while it is written': (text) => {
    const form = new FormText(nothing)
    for (const piece of piecesOf(text, 8)) form.push(piece)
  },
  'a thought while it is written': (text) => {
    const filter = new ThoughtFilter()
    for (const piece of piecesOf(text, 8)) filter.push(piece)
  },
  'a line of a server in small pieces': (text) => streamed(`data: ${text}`, 32),
  'words of a server': (text) =>
    streamed([...piecesOf(text, 64)].map((content) => event({ content })).join(''), 4096),
  'a call of a server that says its name each time': (text) => {
    const call = (args: string): string =>
      event({ tool_calls: [{ index: 0, id: 'i', function: { name: 'f', arguments: args } }] })
    return streamed(['{"a":"', ...piecesOf(text, 64)].map(call).join(''), 4096)
  },
  'an answer that passes the gateway': async (text) => {
    const reader = answerReader({ take: nothing } as never, 'text/event-stream')
    for (const piece of piecesOf(`data: ${text}`, 32)) await reader.bytes(Buffer.from(piece))
    await reader.end()
  },
}

const SEEDS = [
  ...[
    ' ',
    '\n',
    '\r',
    '{',
    '[',
    '[{',
    '{ ',
    '"',
    '\\',
    '}',
    '{}',
    '{"a":',
    '{"a":"b",',
    '["a",',
    'f(',
    'f(a="',
  ],
  ...['```', '```json\n{', '<think>', '</think>', '<tool_call>', '<tool_call>{"name":"f",', '<function=f>'],
  ...['<function=f><parameter=a>', '[TOOL_CALLS]', '[TOOL_CALLS][{"name":"f","arguments":{', 'Action: f\n'],
  ...['Action: f ```json\n', 'Final Answer: ', '{"tool":"f","arguments":{', '{"name":"f","arguments":{"a":'],
  ...['{"reply":"', 'to=f <|message|>', '<invoke name="f">', '<|tool', 'data: {', 'ab ', '. '],
  ...[
    'f(a="b")\n',
    '{"a":1},',
    'Action: f {"a":"b"}\n',
    '<tool_call>{"name":"f","arguments":{"a":"b"}}</tool_call>\n',
  ],
]

/** Milliseconds of processor time, which other programs on the machine do not change much. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The longest reply that there is (`MOST_WRITTEN`). */
const LONGEST_REPLY = 1024 * 1024
/** Milliseconds of processor time that one may take. The worst takes a third of it. */
const MOST_MS = 200

it.each(Object.keys(WHOLE))('takes no longer than a blink, whatever it meets: %s', async (name) => {
  const worse: string[] = []
  for (const seed of SEEDS)
    for (const length of [4096, 256 * 1024, LONGEST_REPLY]) {
      const text = seed.repeat(Math.ceil(length / seed.length)).slice(0, length)
      let least = Infinity
      // Other programs take processor time from this one's caches: the best of three counts.
      for (let i = 0; i < 3 && least > MOST_MS; i++)
        least = Math.min(least, await cost(() => WHOLE[name]?.(text)))
      if (least > MOST_MS) worse.push(`${JSON.stringify(seed)} ${length}: ${Math.round(least)} ms`)
    }
  expect(worse).toEqual([])
})

it.each(Object.keys(READERS))(
  'takes linear time, whatever it meets: %s',
  { timeout: 600_000 },
  async (name) => {
    const read = READERS[name]
    const worse: string[] = []
    for (const seed of SEEDS) {
      const text = (length: number): string => seed.repeat(Math.ceil(length / seed.length)).slice(0, length)
      const run = (length: number): Promise<number> => cost(() => read?.(text(length)))
      await run(2000)
      const small = await run(40_000)
      // Four times the text: what is quadratic takes sixteen times as long. What is too quick to be measured passes.
      const large = await run(160_000)
      if (large > Math.max(10 * small, 400))
        worse.push(`${JSON.stringify(seed)}: ${Math.round(small)} ms, then ${Math.round(large)} ms`)
    }
    expect(worse).toEqual([])
  },
)
