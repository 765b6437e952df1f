import { PROBE_LANGUAGES } from '../../../shared/domain/model-profile'
import { languageOf } from '../../ground/language'
import type { Probe, ProbeQuestion } from './probe'

/** Questions that are answered in a sentence. */
const QUESTIONS: Readonly<Record<(typeof PROBE_LANGUAGES)[number], readonly string[]>> = {
  de: ['Warum ist der Himmel blau?', 'Was ist ein Apfel?', 'Wozu braucht man einen Regenschirm?'],
  fr: ['Pourquoi le ciel est-il bleu ?', 'Qu’est-ce qu’une pomme ?', 'À quoi sert un parapluie ?'],
  es: ['¿Por qué el cielo es azul?', '¿Qué es una manzana?', '¿Para qué sirve un paraguas?'],
}
/** Right ones of each language that are enough. */
const ENOUGH = 2
/** Enough of a sentence to tell its language. */
const ANSWER_TOKENS = 16

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()

/** Which languages a model answers in; a question said again is no answer. @param systemPrompt of everyday asks */
export const languageProbe = (systemPrompt: string): Probe => ({
  id: 'languages',
  version: 1,
  activity: 'Asking in other languages',
  forms: ['other languages'],
  needs: Object.fromEntries(PROBE_LANGUAGES.map((language) => [language, ENOUGH])),
  blocks: PROBE_LANGUAGES.map((language) =>
    QUESTIONS[language].map((question): ProbeQuestion => ({
      kind: language,
      request: () => ({
        messages: [
          { role: 'system', content: systemPrompt },
          { role: 'user', content: question },
        ],
        maxTokens: ANSWER_TOKENS,
      }),
      isRight: ({ text }) => {
        const own = lettersOf(text).replace(lettersOf(question), '')
        return languageOf(own) === language
      },
    })),
  ),
})
