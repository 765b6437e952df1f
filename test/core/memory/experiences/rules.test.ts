import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  madeUpRules,
  rulesIn,
  rulesOf,
  unshownRules,
  withoutRules,
} from '../../../../src/core/memory/experiences/rules'

test('an enumeration behind a colon is read statement by statement, prose as one', () => {
  expect(rulesOf(['Harbor rules: cancelled K, price cents.', 'Check the sum, then answer with it.'])).toEqual(
    ['harbor rules: cancelled k', 'harbor rules: price cents', 'check the sum, then answer with it.'],
  )
  expect(rulesOf('- Note the codes: read the whole book before you write, then stop')).toHaveLength(1)
  expect(rulesOf('')).toEqual([])
})

test('statements are left out one by one, a line with none left goes, and nothing else changes', () => {
  const given = ['Harbor rules: cancelled K, price cents.', 'Look twice.']
  expect(withoutRules(given, (rule) => rule.endsWith('cancelled k'))).toEqual([
    'Harbor rules: price cents.',
    'Look twice.',
  ])
  expect(withoutRules(given, (rule) => rule.startsWith('harbor'))).toEqual(['Look twice.'])
  expect(withoutRules(given, () => false)).toBe(given)
  expect(withoutRules('Harbor rules: a 1, b 2.', (rule) => rule.endsWith('b 2'))).toBe('Harbor rules: a 1.')
})

test('a plan takes over what it says word for word', () => {
  const rules = rulesOf(['Harbor rules: cancelled K, price cents.'])
  const plan = '1. Note Harbor rules: cancelled K, price ?.\n2. Look up price first.'
  expect(rulesIn(plan, rules)).toEqual(['harbor rules: cancelled k'])
})

test('what speaks of a thing in the log and says what stands nowhere in it is made up', () => {
  const log = 'Task: Count the cancelled orders.\n[("cancelled", "K")]'
  expect(madeUpRules(['Harbor rules: cancelled K, cancelled X, price cents.'], log)).toEqual([
    'harbor rules: cancelled x',
  ])
  expect(madeUpRules(['Look cancelled orders up in the book.'], log)).toEqual([])
  // Prose is held against the log by the things it names.
  expect(
    madeUpRules(
      ['Join `order_lines` before you count.', 'Count orders of "K".', 'Use at most 3 rounds.'],
      log,
    ),
  ).toEqual(['join `order_lines` before you count.'])
  expect(madeUpRules('Orders above 1,200 are cancelled.', `${log}\n1200`)).toEqual([])
})

test('a statement is shown where one text holds all of its words', () => {
  const given = ['Harbor rules: cancelled K, price cents.', 'Look twice before writing.']
  expect(unshownRules(given, ["[('cancelled', 'K')]", "[('price', 3400)]"])).toEqual([
    'harbor rules: price cents',
  ])
})

const SESSIONS = resolve('../shared/data/lifelongagentbench')
test.skipIf(!existsSync(SESSIONS))(
  'what models say of their own work is borne out by it far more often than by other work',
  () => {
    const entries = JSON.parse(readFileSync(join(SESSIONS, 'db_bench.json'), 'utf8')) as unknown[]
    type Session = {
      sample_index: number
      turns: { completion: string | null; observation: string | null }[]
    }
    const sessions = readFileSync(join(SESSIONS, 'db_graded_sessions.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Session)
      .filter(({ turns }) => turns.length > 1)
      .slice(0, 200)
    const logs = sessions.map(({ sample_index, turns }) =>
      [
        JSON.stringify(entries[sample_index]),
        ...turns.flatMap(({ completion, observation }) => [completion ?? '', observation ?? '']),
      ].join('\n'),
    )
    const counts = { sentences: 0, own: 0, other: 0 }
    for (const [i, { turns }] of sessions.entries())
      for (const { completion } of turns) {
        const prose = (completion ?? '').split('Action:')[0] ?? ''
        const rest = (logs[i] ?? '').replace(prose, '')
        for (const sentence of prose.split(/(?<=[.!?])\s+/)) {
          if (sentence.split(' ').length < 5 || sentence.includes('\n') || sentence.includes(': ')) continue
          counts.sentences++
          counts.own += madeUpRules(sentence, rest).length
          counts.other += madeUpRules(sentence, logs[(i + 37) % logs.length] ?? '').length
        }
      }
    expect(counts.sentences).toBeGreaterThan(1000)
    expect(counts.own / counts.sentences).toBeLessThan(0.03)
    expect(counts.other / counts.sentences).toBeGreaterThan(0.2)
  },
)
