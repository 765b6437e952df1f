import { describe, expect, it } from 'vitest'
import { languageOf } from '../../../src/core/ground/language'
import { EVERYDAY_ASKS } from '../../../src/core/retrieval/everyday-asks'

describe('the language of a text', () => {
  it.each([
    ['de', 'Wie spät ist es in Tokio?'],
    ['de', 'Schreib mir eine kurze Mail an meinen Vermieter'],
    ['fr', 'Quelle heure est-il ?'],
    ['fr', 'Écris un courriel à mon propriétaire'],
    ['es', '¿Qué hora es?'],
    ['es', 'El cielo es azul.'],
    ['en', 'What is the capital of Norway?'],
    [null, 'ok'],
    [null, 'SELECT * FROM a'],
  ] as const)('is %s: %s', (language, text) => {
    expect(languageOf(text)).toBe(language)
  })

  it('is no other than English for anything that people ask in English', () => {
    const other = EVERYDAY_ASKS.filter((text) => !['en', null].includes(languageOf(text)))
    expect(other).toEqual([])
  })
})
