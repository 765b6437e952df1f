import { describe, expect, it } from 'vitest'
import type { CallPiece, ChatTool, GenerateResult } from '../../../src/core/ground/chat'
import { CallsInProgress } from '../../../src/main/providers/live-arguments'
import { withCalls } from '../../../src/main/providers/tool-calls'
import { AnthropicEvents } from '../../../src/main/share/proxy/anthropic-local'
import { LiveCalls, restOf, type ClientCallPiece } from '../../../src/main/share/proxy/live-calls'
import { chatCalls } from '../../../src/main/share/proxy/openai-chat'
import { ResponseEvents } from '../../../src/main/share/proxy/openai-responses'
import { NO_USAGE } from '../../../src/shared/domain/usage'

const tool = (name: string, ...args: string[]): ChatTool => ({
  ...{ name, description: '' },
  inputSchema: { type: 'object', properties: Object.fromEntries(args.map((one) => [one, {}])) },
})
const TOOLS = [tool('write_file', 'path', 'content', 'options'), tool('look', 'at', 'tags')]

/** Calls as models of several families write them. */
const REPLIES: Readonly<Record<string, string>> = {
  hermes:
    '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt", "content": "Grüße \\"dir\\"\\n\\u00e9 {x}"}}\n</tool_call>\n<tool_call>\n{"name": "look", "arguments": {"at": -2.50, "tags": ["a", {"b": [true, null]}]}}\n</tool_call>',
  llama: '{"name": "look", "parameters": {"at": "the harbour", "tags": []}}',
  mistral: '[TOOL_CALLS][{"name": "look", "arguments": {"at": 3}}, {"name": "look", "arguments": {}}]',
  mistralNew: '[TOOL_CALLS]look[ARGS]{"at": "pier 4"}',
  functionary: '>>>look\n{"at": "pier 4"}',
  wrapped: '{"tool_calls": [{"type": "function", "function": {"name": "look", "arguments": {"at": 1}}}]}',
  loose: '{"name": "look", "arguments": {"at": \'pier\', "tags": [1,]}}',
  renames: '{"name": "write_file", "arguments": {"Path": "a", "content": "b"}}',
  python: '[look(at="pier 4")]',
  text: 'The set {1, 2} has no call in it.',
}

/** What a client is told while a reply is written in pieces of so many signs. */
function tell(reply: string, size: number) {
  const pieces: ClientCallPiece[] = []
  const calls = new LiveCalls((piece) => pieces.push(piece))
  const progress = new CallsInProgress(TOOLS, (piece: CallPiece) => calls.piece(piece))
  for (let end = size; end < reply.length + size; end += size) progress.see(reply.slice(0, end))
  const early = pieces.filter(({ text }) => text !== '').length
  const finish = 'end' as const
  const result = calls.end(withCalls<GenerateResult>({ text: reply, finish, usage: NO_USAGE }, TOOLS))
  return { pieces, early, result }
}

describe('calls while they are written', () => {
  it.each(Object.entries(REPLIES))('say of %s what the result says', (name, reply) => {
    for (const size of [1, 3, 7, 1000]) {
      const { pieces, early, result } = tell(reply, size)
      const texts = new Map<string, string>()
      for (const { id, text } of pieces) texts.set(id, (texts.get(id) ?? '') + text)
      const told = [...texts].map(([id, text]) => ({ id, arguments: JSON.parse(text) as unknown }))
      expect(told).toEqual(
        (result.toolCalls ?? []).map(({ id, arguments: input }) => ({ id, arguments: input })),
      )
      if (['hermes', 'llama', 'mistralNew', 'functionary', 'wrapped'].includes(name) && size < 10)
        expect(early).toBeGreaterThan(1)
    }
    expect(tell(reply, 3).result.toolCalls?.length ?? 0).toBe({ hermes: 2, mistral: 2, text: 0 }[name] ?? 1)
  })

  it('come sign by sign inside long texts', () => {
    const content = 'line of code;\n'.repeat(40)
    const reply = `{"name": "write_file", "arguments": ${JSON.stringify({ path: 'a', content })}}`
    expect(tell(reply, 5).early).toBeGreaterThan(100)
  })
})

it('finds what is missing behind a beginning, at every cut', () => {
  const value = { a: 'x"\\é😀', b: [1, { c: null, d: [] }, true], e: {}, f: -1.5 }
  const whole = JSON.stringify(value)
  let count = 0
  for (let cut = 0; cut <= whole.length; cut++) {
    const rest = restOf(whole.slice(0, cut), value)
    // Words and names come whole or not at all.
    if (rest === null) continue
    count++
    expect(JSON.parse(whole.slice(0, cut) + rest)).toEqual(value)
  }
  expect(count).toBeGreaterThan(whole.length / 3)
  expect(restOf('{"a":"y', value)).toBeNull()
  expect(restOf('{"z":1', value)).toBeNull()
  expect(restOf('{"a":"x"', { a: 'xy' })).toBeNull()
})

describe('writers of streams', () => {
  const parts: ClientCallPiece[] = [
    { id: 'call_1', name: 'look', text: '' },
    { id: 'call_1', name: 'look', text: '{"at":' },
    { id: 'call_1', name: 'look', text: '1}' },
    { id: 'call_2', name: 'look', text: '' },
    { id: 'call_2', name: 'look', text: '{}' },
  ]
  const result: GenerateResult = {
    ...{ text: 'I look.', finish: 'tool-calls', usage: NO_USAGE },
    toolCalls: [
      { id: 'call_1', name: 'look', arguments: { at: 1 } },
      { id: 'call_2', name: 'look', arguments: {} },
    ],
  }

  it('number calls as Chat does', () => {
    const delta = chatCalls()
    expect(parts.map(delta)).toEqual([
      {
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } }],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
      {
        tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'look', arguments: '' } }],
      },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
    ])
  })

  it('open and close blocks as Anthropic does', () => {
    const events = new AnthropicEvents('msg_1', 'm')
    const all = [
      ...events.begin(),
      ...events.text('I look.'),
      ...parts.flatMap((part) => events.call(part)),
      ...events.end(result),
    ] as { type: string; index?: number; delta?: object }[]
    expect(all.map(({ type, index }) => `${type} ${String(index ?? '')}`.trim())).toEqual([
      'message_start',
      ...['content_block_start 0', 'content_block_delta 0', 'content_block_stop 0'],
      ...['content_block_start 1', 'content_block_delta 1', 'content_block_delta 1', 'content_block_stop 1'],
      ...['content_block_start 2', 'content_block_delta 2', 'content_block_stop 2'],
      ...['message_delta', 'message_stop'],
    ])
    expect(all.at(-2)?.delta).toMatchObject({ stop_reason: 'tool_use' })
  })

  it('add up to the output of a response', () => {
    const head = { id: 'r', model: 'm', created: 1 }
    const body = { model: 'm', input: 'Look.' }
    const events = new ResponseEvents(head, body)
    const all = [
      ...events.begin(),
      ...events.text('I look.'),
      ...parts.flatMap((part) => events.call(part)),
      ...events.end({ ...head, loam: null }, result),
    ] as {
      type: string
      sequence_number: number
      delta?: string
      item?: object
      response?: { output: object[] }
    }[]
    expect(all.map(({ sequence_number: number }) => number)).toEqual(all.map((_, i) => i))
    const output = all.at(-1)?.response?.output ?? []
    expect(all.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toEqual(
      output,
    )
    expect(output).toMatchObject([
      { type: 'message', content: [{ text: 'I look.' }] },
      { type: 'function_call', call_id: 'call_1', arguments: '{"at":1}' },
      { type: 'function_call', call_id: 'call_2', arguments: '{}' },
    ])
    const deltas = all.filter(({ type }) => type === 'response.function_call_arguments.delta')
    expect(deltas.map(({ delta }) => delta)).toEqual(['{"at":', '1}', '{}'])
  })
})
