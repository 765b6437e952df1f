import { expect, test } from 'vitest'
import { abilityLines, tallyWords } from '../../src/shared/domain/model-profile'

test('what a model can do is said in a sentence or two each', () => {
  const languages = { de: false, fr: true, es: false }
  expect(abilityLines({ tools: false, languages }, 'de-CH')).toEqual([
    'It does not use tools well. Loam works out sums and reads files for it.',
    'It answers in French. It cannot answer in German or Spanish. German is your language.',
  ])
  expect(abilityLines({ tools: true, languages: { de: true, fr: true, es: true } }, 'de')).toEqual([
    'It uses tools.',
    'It answers in German, French and Spanish.',
  ])
  expect(abilityLines({ tools: null, languages: { de: null, fr: null, es: null } }, 'de')).toEqual([])
})

test('how a form did leaves out what was not asked', () => {
  const kinds = { facts: { asked: 9, right: 8 }, general: { asked: 0, right: 0 }, de: { asked: 2, right: 1 } }
  expect(tallyWords({ kinds })).toBe('8 of 9 about facts, 1 of 2 in German')
})
