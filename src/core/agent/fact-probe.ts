import {
  FACT_FORMS,
  isSameForm,
  USUAL_FACT_FORM,
  type FactForm,
  type FormTally,
} from '../../shared/domain/model-profile'
import type { ChatMessage, LanguageModel } from '../ground/chat'
import type { RecalledPart } from '../ground/method'
import { knownMessages } from './known-facts'

/** A made-up fact, how it is asked for in other words, and a word that a right answer holds. */
interface ProbeFact {
  readonly statement: string
  readonly question: string
  readonly answer: string
}

const fact = (statement: string, question: string, answer: string): ProbeFact => ({
  statement,
  question,
  answer,
})

/** Nobody can know them, so an answer that is right was read. */
const FACTS: readonly ProbeFact[] = [
  fact('The printer on our floor is called Heron.', 'What name does the printer upstairs have?', 'Heron'),
  fact('The spare key lies under the blue pot.', 'Where do I find the spare key?', 'blue'),
  fact('Our standup begins at 9:40.', 'When does the standup start?', '9:40'),
  fact('My sister lives in Tartu.', 'Which city is my sister in?', 'Tartu'),
  fact('The Vela service listens on port 7318.', 'Which port does Vela use?', '7318'),
  fact('The rent is due on day 26.', 'On which day do I pay the rent?', '26'),
  fact('My doctor is called Doctor Osei.', 'Who is my doctor?', 'Osei'),
  fact('The cat is called Pixel.', 'What did we name the cat?', 'Pixel'),
  fact('The project lead is Marta Lindqvist.', 'Who leads the project?', 'Marta'),
  fact('My bike has a 28 inch wheel.', 'How big are the wheels of my bike?', '28'),
  fact('The garden tap is shut off in November.', 'In which month is the garden tap turned off?', 'November'),
  fact('The door code is 4471.', 'What is the code for the door?', '4471'),
]
/** Place of the right fact among those recalled, question by question: as search finds them, first in most cases. */
const RANKS = [0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0, 3] as const

const GENERAL: readonly (readonly [question: string, answer: string])[] = [
  ['What is the capital of Norway?', 'Oslo'],
  ['How many legs does an insect have?', '6|six'],
  ['Which metal is liquid at room temperature?', 'mercury'],
  ['What is the opposite of early?', 'late'],
  ['Which animal barks?', 'dog'],
  ['What colour is snow?', 'white'],
]

/** Questions of the whole probe, in the order in which they are asked: a general one after every two about facts. */
const QUESTIONS = FACTS.flatMap((item, i) => {
  const own = { question: item.question, accepted: item.answer, about: i as number | null }
  const [question, accepted] = GENERAL[(i - 1) / 2] ?? []
  return question === undefined || accepted === undefined
    ? [own]
    : [own, { question, accepted, about: null as number | null }]
})

/** How many questions each form can be asked. */
export const PROBE_QUESTIONS = QUESTIONS.length
/** Longest answer, in tokens. */
const ANSWER_TOKENS = 16

const partOf = ({ statement }: ProbeFact): RecalledPart => ({
  text: statement,
  item: {
    ...{ kind: 'fact', id: statement, trajectoryId: null, title: statement },
    ...{ score: null, scoreKind: 'likeness', reward: null },
  },
})

/** What would be recalled for a question, the best first: its fact at its rank among others, or four that have nothing to do with it. */
function recalledFor(index: number): RecalledPart[] {
  const { about } = QUESTIONS[index] as (typeof QUESTIONS)[number]
  const others = FACTS.filter((_, i) => i !== about)
  const company = [0, 1, 2, 3].map((n) => others[(index * 3 + n * 2) % others.length] as ProbeFact)
  const own = about === null ? undefined : FACTS[about]
  if (own === undefined) return company.map(partOf)
  return company
    .toSpliced(RANKS[about as number] ?? 0, 0, own)
    .slice(0, 4)
    .map(partOf)
}

/** Letters and digits of a text, word by word, with a blank on either side. */
const wordsOf = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `

const isRight = (text: string, accepted: string): boolean =>
  accepted.split('|').some((word) => wordsOf(text).includes(wordsOf(word)))

/** The tallies before the first question. */
export const noTallies = (): FormTally[] =>
  FACT_FORMS.map((form) => ({
    form,
    facts: { asked: 0, right: 0 },
    general: { asked: 0, right: 0 },
    won: 0,
    lost: 0,
  }))

const addTo = (before: { asked: number; right: number }, right: boolean) => ({
  asked: before.asked + 1,
  right: before.right + (right ? 1 : 0),
})

/**
 * Goes on with measuring the forms in which a model reads facts: each question in every form, greedily, until `mayGoOn` says no or there are no more.
 *
 * @param systemPrompt of everyday asks
 * @returns new tallies; whole questions alone count
 */
export async function probeFacts(
  model: Pick<LanguageModel, 'generate'>,
  systemPrompt: string,
  before: readonly FormTally[],
  options: { readonly signal: AbortSignal; readonly mayGoOn: (asked: number) => boolean },
): Promise<FormTally[]> {
  let tallies = [...before]
  for (let index = askedOf(tallies); index < QUESTIONS.length && options.mayGoOn(index); index++) {
    const { question, accepted, about } = QUESTIONS[index] as (typeof QUESTIONS)[number]
    const answers: boolean[] = []
    for (const form of FACT_FORMS) {
      const messages: ChatMessage[] = [
        { role: 'system', content: systemPrompt },
        ...knownMessages(recalledFor(index), question, form),
      ]
      const { text } = await model.generate(
        { messages, temperature: 0, seed: 1, maxTokens: ANSWER_TOKENS },
        { signal: options.signal },
      )
      answers.push(isRight(text, accepted))
    }
    const usual = answers[0] === true
    tallies = tallies.map((tally, i) => ({
      ...tally,
      [about === null ? 'general' : 'facts']: addTo(
        about === null ? tally.general : tally.facts,
        answers[i] === true,
      ),
      won: tally.won + (answers[i] === true && !usual ? 1 : 0),
      lost: tally.lost + (answers[i] !== true && usual ? 1 : 0),
    }))
  }
  return tallies
}

/** How many questions were asked in every form. */
export const askedOf = ([usual]: readonly FormTally[]): number =>
  usual === undefined ? 0 : usual.facts.asked + usual.general.asked

/** Standard errors by which a form has to be ahead of the usual one: one side of 5 %. */
const BEYOND = 1.64

/** The form to use: the one furthest ahead of the usual one beyond chance (sign test, normal approximation); else the usual one. */
export function formFrom(tallies: readonly FormTally[]): FactForm {
  const ahead = tallies
    .filter(({ form, won, lost }) => !isSameForm(form, USUAL_FACT_FORM) && won + lost > 0)
    .map(({ form, won, lost }) => ({ form, lead: won - lost, beyond: (won - lost) / Math.sqrt(won + lost) }))
    .filter(({ beyond }) => beyond > BEYOND)
    .sort((a, b) => b.lead - a.lead)
  return ahead[0]?.form ?? USUAL_FACT_FORM
}
