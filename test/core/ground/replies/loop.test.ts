import { describe, expect, test } from 'vitest'
import { isLooping, loopStart, withoutLoop } from '../../../../src/core/ground/replies/loop'

const SENTENCE = 'The sea is a vast and endless blue that never sleeps. '

describe('a text that repeats itself', () => {
  test('keeps what was said before, and the first saying', () => {
    const good = 'Here is a poem.\n'
    expect(withoutLoop(good + SENTENCE.repeat(5))).toEqual({
      text: `${good}${SENTENCE.trim()}`,
      looped: true,
    })
  })

  test('in a cycle of lines that differ in their numbers', () => {
    const lines = (from: number) => `${from}. Wash the dishes well\n${from + 1}. Dry the dishes well\n`
    expect(withoutLoop(lines(1) + lines(3) + lines(5))).toEqual({ text: lines(1).trim(), looped: true })
  })

  test('in a piece of a sentence that never ends', () => {
    const piece = ' a canvas of endless blue,'
    expect(withoutLoop(`The sun sets on the horizon,${piece.repeat(6)}`)).toEqual({
      text: `The sun sets on the horizon,${piece}`,
      looped: true,
    })
    expect(loopStart(`The sun sets on the horizon,${piece.repeat(3)}`)).toBeNull()
  })

  test('in items of one line that are counted on', () => {
    const items = (most: number) =>
      Array.from({ length: most }, (_, i) => `${i + 1}. The Smallest`).join(', ')
    const { text, looped } = withoutLoop(`Three names: ${items(40)}`)
    expect(looped).toBe(true)
    expect(text).toMatch(/^Three names: 1\. The Smallest/)
    expect(text.length).toBeLessThan(60)
    expect(loopStart(`Three names: ${items(3)}`)).toBeNull()
  })

  test('in one short piece', () => {
    expect(withoutLoop(`The address is 10${'.1'.repeat(80)}`)).toEqual({
      text: 'The address is 10.1',
      looped: true,
    })
  })
})

test.each([
  [
    'a refrain with verses between',
    ['One', 'Two', 'Three', 'Four'].map((n) => `${n} went out.\nRow the boat.\nRow it well.\n`).join(''),
  ],
  ['closing brackets', '}\n'.repeat(12)],
  ['a rule of dashes', '-'.repeat(200)],
  ['a sentence said three times', SENTENCE.repeat(3)],
  ['rows of a table that differ', Array.from({ length: 20 }, (_, i) => `| ${i} | ${i * i} |\n`).join('')],
  [
    'items of one line that differ',
    Array.from({ length: 30 }, (_, i) => `${i}. Item ${'x'.repeat(i)}, `).join(''),
  ],
  ['nothing', ''],
])('%s is no loop', (_name, text) => {
  expect(loopStart(text)).toBeNull()
})

test('a call or a form may repeat itself for long before it is a loop', () => {
  const call = '{"tool": "create_goal", "arguments": {"objective": "crystal_glass_'
  expect(isLooping(call + 'a_lollipop_'.repeat(40), 'in-forms')).toBe(false)
  expect(isLooping(call + 'a_lollipop_'.repeat(100), 'in-forms')).toBe(true)
  expect(isLooping(call + Array.from({ length: 200 }, (_, i) => `0,${i},`).join(''), 'in-forms')).toBe(false)
  expect(isLooping(call + 'a_lollipop_'.repeat(40), true)).toBe(true)
  expect(isLooping(call + 'a_lollipop_'.repeat(400))).toBe(false)
  expect(isLooping(`{ "reply": "${'The Alma lies at berth 7. '.repeat(6)}`, 'in-forms')).toBe(true)
})
