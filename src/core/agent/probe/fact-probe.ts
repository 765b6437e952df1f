import { FACT_FORMS, factFormWords } from '../../../shared/domain/model-profile'
import type { RecalledPart } from '../../ground/method'
import { knownMessages } from '../known-facts'
import type { Probe, ProbeQuestion } from './probe'

type Question = readonly [kind: 'facts' | 'general', text: string, accepted: string]

/**
 * What is recalled, the best first, and what is asked with it: mostly about the first fact, as search finds them, now and then about the second, and
 * something that has nothing to do with any. Nobody can know the facts, so an answer that is right was read.
 */
const BLOCKS: readonly { readonly facts: readonly string[]; readonly questions: readonly Question[] }[] = [
  {
    facts: [
      'The printer on our floor is called Heron.',
      'Our standup begins at 9:40.',
      'The rent is due on day 26.',
      'My sister lives in Tartu.',
    ],
    questions: [
      ['facts', 'What is the name of our printer?', 'Heron'],
      ['facts', 'What name does the printer upstairs have?', 'Heron'],
      ['facts', 'When does the standup start?', '9:40'],
      ['general', 'What is the capital of Norway?', 'Oslo'],
    ],
  },
  {
    facts: [
      'The Vela service listens on port 7318.',
      'The project lead is Marta Lindqvist.',
      'The door code is 4471.',
      'The cat is called Pixel.',
    ],
    questions: [
      ['facts', 'Which port does Vela use?', '7318'],
      ['facts', 'On what port can I reach Vela?', '7318'],
      ['facts', 'Who leads the project?', 'Marta'],
      ['general', 'Which animal barks?', 'dog|dogs'],
    ],
  },
  {
    facts: [
      'The spare key lies under the blue pot.',
      'My doctor is called Ayo Osei.',
      'The garden tap is shut off in November.',
      'My bike has a 28 inch wheel.',
    ],
    questions: [
      ['facts', 'Where do I find the spare key?', 'blue'],
      ['facts', 'What is the spare key under?', 'blue'],
      ['facts', 'Where is our other key?', 'blue'],
      ['general', 'What colour is snow?', 'white'],
    ],
  },
]
/** Longest answer, in tokens. */
const ANSWER_TOKENS = 16

const partOf = (statement: string): RecalledPart => ({
  text: statement,
  item: {
    ...{ kind: 'fact', id: statement, trajectoryId: null, title: statement },
    ...{ score: null, scoreKind: 'likeness', reward: null },
  },
})

/** Letters and digits of a text, word by word, with a blank on either side. */
const wordsOf = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `

/** Whether a text holds one of several words. */
const holds = (text: string, accepted: string): boolean =>
  accepted.split('|').some((word) => wordsOf(text).includes(wordsOf(word)))

/** In which form a model reads facts best. @param systemPrompt of everyday asks */
export const factProbe = (systemPrompt: string): Probe => ({
  id: 'facts',
  version: 2,
  activity: 'Asking about made-up facts',
  forms: FACT_FORMS.map(factFormWords),
  blocks: BLOCKS.map(({ facts, questions }) =>
    questions.map(([kind, text, accepted]): ProbeQuestion => ({
      kind,
      request: (form) => ({
        messages: [
          { role: 'system', content: systemPrompt },
          ...knownMessages(facts.map(partOf), text, FACT_FORMS[form] ?? FACT_FORMS[0]),
        ],
        maxTokens: ANSWER_TOKENS,
        stop: ['\n'],
      }),
      isRight: (reply) => holds(reply.text, accepted),
    })),
  ),
})
