import { describe, expect, it } from 'vitest'
import type { ChatTool, GenerateResult } from '../../../src/core/ground/chat'
import { FormText } from '../../../src/main/providers/form-text'
import { generateWithTools } from '../../../src/main/providers/generic-tools'

const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
const LOOK: ChatTool = {
  name: 'look_up',
  description: 'Looks something up.',
  inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
}

/** What comes of a form that is written letter by letter, with what was shown on the way. */
async function written(form: string, finish: GenerateResult['finish'] = 'end') {
  const shown: string[] = []
  const result = await generateWithTools(
    (_request, { onToken } = {}) => {
      for (const letter of form) onToken?.(letter)
      return Promise.resolve({ text: form, usage, finish })
    },
    { messages: [{ role: 'user', content: 'How much ink?' }], tools: [LOOK] },
    { onToken: (text) => shown.push(text) },
  )
  return { ...result, shown }
}

describe('tools for a model that knows none', () => {
  it('an answer is shown while it is written', async () => {
    const text = 'Forty “pieces”\n\tof ink: 4 \\ 1 = "40" 😀'
    const { shown, ...result } = await written(JSON.stringify({ reply: text }))
    expect(result.text).toBe(text)
    expect(shown.join('')).toBe(text)
    expect(shown.length).toBeGreaterThan(20)
  })

  it('an answer that was cut is what was written of it, without its form', async () => {
    const { text, shown, finish } = await written('{ "reply": "Forty \\"pie\\', 'max-tokens')
    expect([text, shown.join(''), finish]).toEqual(['Forty "pie', 'Forty "pie', 'max-tokens'])
  })

  it('a call that was cut is not made, and says why', async () => {
    const { text, toolCalls, shown } = await written('{"tool": "look_up", "arguments": {"it', 'max-tokens')
    expect([text, shown]).toEqual(['', []])
    expect(toolCalls).toMatchObject([
      {
        name: 'look_up',
        arguments: {},
        problem: expect.stringContaining('cut at the length limit') as unknown,
      },
    ])
  })

  it('a call shows nothing', async () => {
    const { toolCalls, shown } = await written('{"tool": "look_up", "arguments": {"item": "ink"}}')
    expect(toolCalls).toMatchObject([{ name: 'look_up', arguments: { item: 'ink' } }])
    expect(shown).toEqual([])
  })
})

it('escapes that come in pieces are read whole', () => {
  const shown: string[] = []
  const text = new FormText((piece) => shown.push(piece))
  for (const piece of ['{"re', 'ply":"a\\', 'n\\u00', 'e9\\ud83d', '\\ude00" ', '}"more']) text.push(piece)
  expect(shown.join('')).toBe('a\né😀')
})
