import { expect, test } from 'vitest'
import {
  exactMatch,
  judgeAnswer,
  normalizeAnswer,
  statesReference,
  tokenF1,
} from '../../../src/core/tasks/qa/text-metrics'
import type { GenerateRequest, LanguageModel } from '../../../src/core/ground/ports'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'

test('answers are compared without case, punctuation and articles', () => {
  expect(normalizeAnswer('  The Eiffel-Tower, in a  "Park"! ')).toBe('eiffeltower in park')
  expect(normalizeAnswer('Ünïted Štätes')).toBe('ünïted štätes')
  expect(exactMatch('The Beatles.', ['Rolling Stones', 'beatles'])).toBe(1)
  expect(exactMatch('Beatles band', ['beatles'])).toBe(0)
  expect(exactMatch('x', [])).toBe(0)
})

test('token F1 counts shared words with repetition and takes the best reference', () => {
  // 2 shared of 3 and 4 words: 2 * 2 / 7.
  expect(tokenF1('red green blue', ['red green black white'])).toBeCloseTo(4 / 7)
  // Only one of the two "red" is shared: 2 * 1 / 3.
  expect(tokenF1('red red', ['red'])).toBeCloseTo(2 / 3)
  expect(tokenF1('red', ['green', 'the red'])).toBe(1)
  expect(tokenF1('', ['red'])).toBe(0)
  expect(tokenF1('the', ['a'])).toBe(1)
  expect(tokenF1('red', [])).toBe(0)
})

test('a sentence states a known answer as whole words, small numbers also in words, and not where it denies it', () => {
  expect(statesReference('The largest ocean on Earth is the Pacific Ocean.', ['Pacific'])).toBe(1)
  expect(statesReference('There are seven days in a week.', ['7'])).toBe(1)
  expect(statesReference("L'empereur de France is the French monarch.", ['Paris'])).toBe(0)
  expect(statesReference('It is not Paris but Lyon.', ['Paris', 'lyon'])).toBe(1)
  expect(statesReference('It is not Paris.', ['Paris'])).toBe(0)
  expect(statesReference('A Parisian said so.', ['Paris'])).toBe(0)
  expect(statesReference('Anything', ['one two three four five six seven'])).toBeNull()
})

function judge(...replies: string[]): { model: LanguageModel; asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = []
  const model: LanguageModel = {
    name: 'judge',
    path: '/judge.gguf',
    contextSize: 512,
    countTokens: () => Promise.resolve([]),
    generate(request) {
      asked.push(request)
      return Promise.resolve({ text: replies.shift() ?? '', usage: NO_USAGE, finish: 'end' })
    },
  }
  return { model, asked }
}

test('a judge is held to a verdict, asked twice at most, and what cannot be read counts nowhere', async () => {
  const input = { question: 'Who? {{answer}}', references: ['Ada'], answer: 'Ada L.' }
  const template = 'Q {{question}} R {{reference}} A {{answer}}'
  const clear = judge('{"rationale":"r","judgement":"correct"}')
  expect(await judgeAnswer(clear.model, template, input)).toMatchObject({ score: 1, rationale: 'r' })
  expect(clear.asked[0]?.messages[0]?.content).toBe('Q Who? {{answer}} R ["Ada"] A Ada L.')
  expect(clear.asked[0]?.constraint).toMatchObject({ kind: 'json-schema' })
  const second = judge('{"ratio', '```json\n{"rationale":"no","judgement":"Incorrect"}\n```')
  expect(await judgeAnswer(second.model, template, input)).toMatchObject({ score: 0 })
  const talks = judge('<think>Hm.</think>Here it is:\n{"rationale": "same", "judgement": "correct"}\nDone.')
  expect(await judgeAnswer(talks.model, template, input)).toMatchObject({ score: 1, rationale: 'same' })
  expect(talks.asked).toHaveLength(1)
  const mute = judge('{"judgement":"maybe"}', '')
  expect(await judgeAnswer(mute.model, template, input)).toMatchObject({ score: null, reply: '' })
  expect(mute.asked).toHaveLength(2)
})
