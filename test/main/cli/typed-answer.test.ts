import { expect, test } from 'vitest'
import { openTyping } from '../../../src/main/cli/typed-answer'

/** What a terminal shows of an answer that grows so; `type` null: where there is none. */
function shownOf(parts: readonly string[], answer: string, isTerminal = true): string {
  let screen = ''
  const typing = openTyping({
    type: isTerminal ? (text) => void (screen += text) : null,
    out: (line) => void (screen += `${line}\n`),
  })
  for (const part of parts) typing.grow(part)
  typing.end(answer)
  return screen
}

test('an answer is typed as it grows, and ended once', () => {
  expect(shownOf(['', '\n', 'Par', 'Paris is', 'Paris is'], 'Paris is it.')).toBe('Paris is it.\n')
  expect(shownOf(['Par'], 'Paris.', false)).toBe('Paris.\n')
  expect(shownOf([], 'Paris.')).toBe('Paris.\n')
})

test('what was typed and is not the answer stays, and the answer follows', () => {
  expect(shownOf(['Let me look', 'Let me look. {'], '42')).toBe('Let me look. {\n\n42\n')
  expect(shownOf(['{"tool": "calc', '<think>so'], '42')).toBe('42\n')
  expect(shownOf(['No. No. No.'], 'No.')).toBe('No. No. No.\n')
})
