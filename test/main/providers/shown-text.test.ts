import { describe, expect, it } from 'vitest'
import type { ChatTool } from '../../../src/core/ground/chat'
import { VisibleText } from '../../../src/main/providers/llama-cpp/visible-text'

const TOOL: ChatTool = { name: 'find_order', description: '', inputSchema: { type: 'object' } }

/** What is shown of a reply that comes letter by letter, before its end and with it. */
function shown(
  reply: string,
  text: string,
  tools: readonly ChatTool[] = [TOOL],
): [before: string, all: string] {
  const pieces: string[] = []
  const watcher = new VisibleText((piece) => pieces.push(piece), tools)
  for (const letter of reply) watcher.push(letter)
  const before = pieces.join('')
  watcher.end(text)
  return [before, pieces.join('')]
}

describe('what is shown of a reply while it is written', () => {
  it.each([
    ['text', 'Hello there.', 'Hello there.'],
    ['a thought and text', '<think>Two and two.</think>\n\nFour it is.', 'Four it is.'],
    [
      'gpt-oss',
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello',
      'Hello',
    ],
    ['gpt-oss at once', '<|channel|>final<|message|>Hello there<|return|>', 'Hello there'],
    ['Functionary', 'all\nHello there', 'Hello there'],
  ])('is its text, as it comes: %s', (_what, reply, text) => {
    const [before, all] = shown(reply, text)
    expect(all).toBe(text)
    expect(before.length).toBeGreaterThan(0)
    // Without tools its prompt has named the receiver already.
    if (!reply.startsWith('all\n')) expect(shown(reply, text, [])[1]).toBe(text)
  })

  it.each([
    [
      'Qwen',
      'Let me look. <tool_call>\n{"name": "find_order", "arguments": {}}\n</tool_call>',
      'Let me look.',
    ],
    ['Llama', '{"name": "find_order", "parameters": {}}', ''],
    ['Mistral', '[TOOL_CALLS]find_order[ARGS]{}', ''],
    ['gpt-oss', '<|channel|>commentary to=functions.find_order <|constrain|>json<|message|>{}<|call|>', ''],
    ['Functionary', 'find_order\n{"note": "x"}', ''],
  ])('is nothing of a call: %s', (_what, reply, text) => {
    expect(shown(reply, text)).toEqual([text, text])
  })

  it('comes at the end where it only looked like a call', () => {
    const text = 'I know that a < b. And so on.'
    expect(shown(text, text)).toEqual(['I know that a', text])
    expect(shown(text, text, [])[0]).toBe(text)
  })
})
