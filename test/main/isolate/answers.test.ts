import { expect, it } from 'vitest'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  bindingsIn,
  messageIn,
  MOST_VALUES,
  valueIn,
  vectorsIn,
} from '../../../src/main/ground/isolate/answers'
import { READ_IN_HOST } from '../../../src/main/ground/isolate/foreign-answer'
import { resultText } from '../../../src/main/mcp/result-text'

it('reads an answer whose values and nesting have bounds, and says which is broken', () => {
  expect(valueIn('{"a":[1,"b"]}', 4)).toEqual({ a: [1, 'b'] })
  expect(() => valueIn('{"a":[1,"b"]}', 3)).toThrow('more than 3 values')
  expect(() => valueIn(`${'['.repeat(300)}${']'.repeat(300)}`, 1000)).toThrow('more than 200 deep')
  expect(() => valueIn('{', 10)).toThrow(SyntaxError)
})

it('reads vectors and bindings, and nothing else in their place', () => {
  const data = [{ index: 1, embedding: [0.5, 2] }]
  expect(vectorsIn(JSON.stringify({ data }))).toEqual([{ index: 1, vector: new Float32Array([0.5, 2]) }])
  expect(() => vectorsIn('{"data":[{"index":-1,"embedding":[]}]}')).toThrow()
  const bindings = [{ x: { type: 'uri', value: 'u' }, y: { value: 'v' } }, {}]
  expect(bindingsIn(JSON.stringify({ results: { bindings } }))).toEqual(['u', 'v'])
  expect(() => bindingsIn('{}')).toThrow()
})

it('takes of a message of a tool server what is shown, and fails the call where that is too much', () => {
  const answer = (result: object): unknown => messageIn(JSON.stringify({ jsonrpc: '2.0', id: 7, result }))
  const many = Array.from({ length: MOST_VALUES }, (_, i) => i)
  const textOf = (message: unknown): string =>
    resultText(CallToolResultSchema.parse((message as { result: unknown }).result))
  expect(textOf(answer({ content: [], structuredContent: { many } }))).toBe(JSON.stringify({ many }))
  const both = { content: [{ type: 'text', text: 'said' }], structuredContent: { many } }
  expect(answer(both)).toEqual({ jsonrpc: '2.0', id: 7, result: { content: both.content } })
  const tools = [{ name: 'look', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }]
  expect(answer({ tools })).toMatchObject({
    result: { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
  })
  expect(JSON.stringify(answer({ tools }))).not.toContain('outputSchema')
  const content = Array.from({ length: MOST_VALUES }, () => ({ type: 'text', text: 'x' }))
  expect(answer({ content })).toMatchObject({
    id: 7,
    error: { message: expect.stringContaining('too long') as string },
  })
  expect(() => messageIn(JSON.stringify({ jsonrpc: '2.0', method: 'm', params: { many } }))).toThrow('values')
})

/** What costs the host most of so many characters. */
const WORST: Readonly<Record<string, (length: number) => string>> = {
  'open lists': (length) => '['.repeat(length),
  lists: (length) => `[${'[],'.repeat(length / 3 - 1)}0]`,
  objects: (length) => `[${'{"a":{}},'.repeat(length / 9 - 1)}0]`,
  numbers: (length) => `[${'1,'.repeat(length / 2 - 2)}1]`,
  texts: (length) => `[${'"a",'.repeat(length / 4 - 2)}1]`,
  keys: (length) => `{${Array.from({ length: length / 12 }, (_, i) => `"k${i}":{}`).join(',')}}`,
  vectors: (length) => `{"data":[${'{"index":1,"embedding":[1]},'.repeat(length / 28 - 1)}{}]}`,
  bindings: (length) => `{"results":{"bindings":[${'{"a":{"value":"b"}},'.repeat(length / 20 - 2)}{}]}}`,
}

it.each(Object.entries(WORST))('of answers that the host reads itself none costs much: %s', (_, text) => {
  const read = (length: number): number => {
    const answer = text(length)
    const before = process.cpuUsage()
    for (const work of [
      () => valueIn(answer, MOST_VALUES),
      () => vectorsIn(answer),
      () => bindingsIn(answer),
      () => messageIn(answer),
    ])
      try {
        work()
      } catch {
        // What it is refused for is not asked here.
      }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  read(READ_IN_HOST / 8)
  const half = Math.min(read(READ_IN_HOST / 2), read(READ_IN_HOST / 2))
  const whole = Math.min(read(READ_IN_HOST), read(READ_IN_HOST))
  // All four readers together, of processor time. Twice the text takes about twice as long; what is too quick to be measured passes.
  expect(whole).toBeLessThan(Math.max(100, 4 * half))
})
