import { describe, expect, test } from 'vitest'
import { LEAST_LIKENESS, likeness } from '../../../src/core/retrieval/likeness'

describe('a request and a key are about the same', () => {
  test.each([
    ['On what port can I reach Vela?', 'Which port does our Vela service use?'],
    ['When do they collect the garbage?', 'On which day is the garbage collected?'],
    ['What am I allergic to?', 'I am allergic to nuts.'],
    ['Wie ist das Passwort der Hütte?', 'Das Passwort der Hütte ist marmot-221.'],
  ])('%s, %s', (request, key) => {
    expect(likeness(request, key)).toBeGreaterThanOrEqual(LEAST_LIKENESS)
  })
})

describe('they are not where the word differs that matters', () => {
  test.each([
    ['What is the capital of Japan?', 'What is the capital of Norway?'],
    ['what is the capital of japan', 'what is the capital of norway'],
    ['At how many degrees Celsius does water boil?', 'At how many degrees Celsius does water freeze?'],
    ['What is the wifi password of the office?', 'What is the wifi password of the cabin?'],
    ['Which bread does Tom like?', 'Which bread does Ana like?'],
    ['Is the red and yellow key ours?', 'Is the blue and yellow key ours?'],
    ['Write a poem about the sea.', 'The wifi password of the cabin is marmot-221.'],
    ['Good morning!', 'I am allergic to nuts.'],
    ['', 'I am allergic to nuts.'],
  ])('%s, %s', (request, key) => {
    expect(likeness(request, key)).toBeLessThan(LEAST_LIKENESS)
  })
})
