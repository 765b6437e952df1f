import { expect, test } from 'vitest'
import { REFLECT_FORM } from '../../../../src/core/methods/brew/messages'

// As a small model wrote them.
test('an insight that only names its concept again is left out', () => {
  const useful = { concept: 'inventory', insight: 'Quote the column names of inventory.' }
  const empty = [
    { concept: 'looks-up', insight: 'looks-up' },
    { concept: 'Does not work with table', insight: 'Does not work with table' },
    { concept: 'Status of orders', insight: 'orders.' },
    { concept: 'inventory', insight: '' },
  ]
  expect(REFLECT_FORM.read({ insights: [...empty.slice(0, 3), useful] })).toEqual([useful])
  expect(REFLECT_FORM.read({ insights: empty })).toBeNull()
})
