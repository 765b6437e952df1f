import { describe, expect, test } from 'vitest'
import { withNamesOf } from '../../../../src/core/memory/guides/names'
import type { GuideText } from '../../../../src/shared/domain/guide'

const document = (howToUse: string, context = ''): GuideText => ({
  context,
  howToUse,
  whenToUse: '',
  bestPractices: '',
})
const TOLD = ['Raven rules: paid paid, vendor upper.', 'Raven rules: overdue 17.', 'Raven invoices']

describe('names of a document', () => {
  test('are those it was told, everywhere, where it has made up others in their place', () => {
    const written = document(
      'Harbor rules: paid paid, vendor upper, overdue 17.',
      'The rules of Harbor for invoices.',
    )
    expect(withNamesOf(TOLD, written)).toEqual(
      document('Raven rules: paid paid, vendor upper, overdue 17.', 'The rules of Raven for invoices.'),
    )
  })

  test('stay where a source has them, where something else follows, or where it could mean several', () => {
    for (const text of [
      'Note paid invoices first.',
      'Look at Harbor for overdue.',
      'Raven rules: overdue 17.',
    ])
      expect(withNamesOf(TOLD, document(text))).toEqual(document(text))
    const both = [...TOLD, 'Harbor rules: paid 3.']
    expect(withNamesOf(both, document('Harbor rules: paid paid.'))).toEqual(
      document('Harbor rules: paid paid.'),
    )
    const two = ['Raven rules: paid 3.', 'Cedar rules: paid 4.']
    expect(withNamesOf(two, document('Harbor rules: paid 3.'))).toEqual(document('Harbor rules: paid 3.'))
  })

  test('are compared whole, and code of another word is left alone', () => {
    const written = document('Harbor rules: paid paid. See HarborMaster and `harbor`.')
    expect(withNamesOf(TOLD, written).howToUse).toBe('Raven rules: paid paid. See HarborMaster and `harbor`.')
  })
})
