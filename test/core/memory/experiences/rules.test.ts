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
})

test('a statement is shown where one text holds all of its words', () => {
  const given = ['Harbor rules: cancelled K, price cents.', 'Look twice before writing.']
  expect(unshownRules(given, ["[('cancelled', 'K')]", "[('price', 3400)]"])).toEqual([
    'harbor rules: price cents',
  ])
})
