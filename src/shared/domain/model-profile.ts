import { z } from 'zod'
import { LANGUAGE_NAMES, type Language } from './language'
import { count, instant, milliseconds } from './units'

/** How facts stand before a question: as a list in the same message, or as earlier turns of the dialog. */
export const factFormSchema = z.object({
  place: z.enum(['list', 'turns']),
  /** Where the fact stands that fits best. */
  best: z.enum(['first', 'last']),
  /** Most facts that are shown. */
  most: z.number().int().min(1).max(4),
})
export type FactForm = z.infer<typeof factFormSchema>

/** The form seen best before a model was measured. */
export const USUAL_FACT_FORM: FactForm = { place: 'list', best: 'first', most: 2 }

/** The forms that a model is measured with, the usual one first. */
export const FACT_FORMS: readonly [FactForm, ...FactForm[]] = [
  USUAL_FACT_FORM,
  { place: 'list', best: 'last', most: 2 },
  { place: 'list', best: 'first', most: 1 },
  { place: 'list', best: 'first', most: 4 },
  { place: 'turns', best: 'last', most: 2 },
]

/** `2 facts in a list, the best first`. */
export const factFormWords = ({ place, best, most }: FactForm): string =>
  `${most === 1 ? 'one fact' : `${most} facts`} ${place === 'list' ? 'in a list' : 'as earlier turns'}${most === 1 ? '' : `, the best ${best}`}`

/** How solved attempts stand before a task: as earlier turns, retold as text, or not at all unless they are at the same task. The usual one first. */
export const ATTEMPT_FORMS = ['turns', 'text', 'none'] as const
export const attemptFormSchema = z.enum(ATTEMPT_FORMS)
export type AttemptForm = z.infer<typeof attemptFormSchema>

export const ATTEMPT_FORM_WORDS: Readonly<Record<AttemptForm, string>> = {
  turns: 'as earlier turns of the dialog',
  text: 'retold before the task',
  none: 'only where the task is the same',
}

/** What is found out about a model, in the order in which it is asked. */
export const PROBES = ['facts', 'tools', 'languages', 'attempts', 'roles', 'relations'] as const
export type ProbeId = (typeof PROBES)[number]

/** Labelled judgements, and how many a model has to have right before it judges or writes for Loam. */
export const ROLE_QUESTION_COUNT = 58
export const LEAST_FOR_ROLES = 46

/** Labelled next messages, and how many a model has to have right before it reads those of a person: as often as two readers agreed on 228. */
export const RELATION_QUESTION_COUNT = 70
export const LEAST_FOR_RELATIONS = 54

/** Languages that a model is asked in, beside English. */
export const PROBE_LANGUAGES = ['de', 'fr', 'es'] as const satisfies readonly Language[]

const tallySchema = z.object({ asked: count, right: count })

/** How one form did, by kind of question. */
export const formTallySchema = z.object({ form: z.string(), kinds: z.record(z.string(), tallySchema) })
export type FormTally = z.infer<typeof formTallySchema>

/** What was found out about a model. Kept by the hash of its file, or by where it is served and what it is called there. */
export const modelProfileSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The form that facts are shown in: the usual one, unless another was better beyond chance. `choice`: what a person chose instead. */
  facts: z.object({ form: factFormSchema, choice: factFormSchema.nullable() }),
  /** The same for attempts; null while it is not known. */
  attempts: z.object({ form: attemptFormSchema.nullable(), choice: attemptFormSchema.nullable() }),
  /** Whether it calls tools as they are meant; null while that is not known. */
  tools: z.boolean().nullable(),
  /** Whether it answers in a language; null while that is not known. */
  languages: z.record(z.enum(PROBE_LANGUAGES), z.boolean().nullable()),
  /** Whether it may judge and write for Loam: it made labelled judgements as people did. Null while that is not known. */
  roles: z.boolean().nullable(),
  /** Whether it may read a person's next messages for Loam: it told labelled ones apart as people did. Null while that is not known. */
  relations: z.boolean().nullable(),
  tallies: z.record(z.enum(PROBES), z.array(formTallySchema)),
  /** Answers so far, and all that are wanted; some turn out not to be needed. */
  asked: count,
  questions: count,
  ms: milliseconds,
  measuredAt: instant,
})
export type ModelProfile = z.infer<typeof modelProfileSchema>

/** Whether a model is measured to the end. */
export const isMeasured = ({ asked, questions }: Pick<ModelProfile, 'asked' | 'questions'>): boolean =>
  asked >= questions

/** Answers that were really asked for. */
export const replyCount = ({ tallies }: Pick<ModelProfile, 'tallies'>): number =>
  Object.values(tallies)
    .flat()
    .flatMap(({ kinds }) => Object.values(kinds))
    .reduce((sum, { asked }) => sum + asked, 0)

const listOf = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`

/** What questions are called in the plural, by their kinds. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  ...{ facts: 'about facts', general: 'others', tasks: 'tasks', asks: 'asks', statements: 'judgements' },
  messages: 'next messages',
  ...Object.fromEntries(PROBE_LANGUAGES.map((language) => [language, `in ${LANGUAGE_NAMES[language]}`])),
}

/** `9 of 9 about facts, 1 of 3 others`. */
export const tallyWords = ({ kinds }: Pick<FormTally, 'kinds'>): string =>
  Object.entries(kinds)
    .filter(([, { asked }]) => asked > 0)
    .map(([kind, { asked, right }]) => `${right} of ${asked} ${KIND_WORDS[kind] ?? kind}`)
    .join(', ')

/** Whether a model judges and writes for Loam, in words; empty while that is not known. */
export function roleLine({ roles, tallies }: Pick<ModelProfile, 'roles' | 'tallies'>): string {
  if (roles === null) return ''
  if (roles) return 'It judges and writes for Loam.'
  const { asked = 0, right = 0 } = tallies.roles[0]?.kinds['statements'] ?? {}
  return `It does not judge or write for Loam: ${right} of ${asked} test judgements were right, and ${LEAST_FOR_ROLES} of ${ROLE_QUESTION_COUNT} are needed. Loam works without.`
}

/** Whether a model reads next messages for Loam, in words; empty while that is not known. */
export function relationLine({ relations, tallies }: Pick<ModelProfile, 'relations' | 'tallies'>): string {
  if (relations === null) return ''
  if (relations) return 'It reads your next messages for Loam.'
  const { asked = 0, right = 0 } = tallies.relations[0]?.kinds['messages'] ?? {}
  return `It does not read your next messages for Loam: it told ${right} of ${asked} test messages apart, and ${LEAST_FOR_RELATIONS} of ${RELATION_QUESTION_COUNT} are needed. Loam works without.`
}

/** What a model can and cannot do, as far as it is known: a sentence or two each. @param locale of the person who reads it */
export function abilityLines(
  { tools, languages }: Pick<ModelProfile, 'tools' | 'languages'>,
  locale = '',
): string[] {
  const own = PROBE_LANGUAGES.find((language) => locale.toLowerCase().startsWith(language))
  const names = (can: boolean): string =>
    listOf(
      PROBE_LANGUAGES.filter((language) => languages[language] === can).map(
        (language) => LANGUAGE_NAMES[language],
      ),
      can ? 'and' : 'or',
    )
  const [writes, fails] = [names(true), names(false)]
  return [
    tools === null
      ? ''
      : tools
        ? 'It uses tools.'
        : 'It does not use tools well. Loam works out sums and reads files for it.',
    [
      writes === '' ? '' : `It answers in ${writes}.`,
      fails === '' ? '' : `It cannot answer in ${fails}.`,
      own !== undefined && languages[own] === false ? `${LANGUAGE_NAMES[own]} is your language.` : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  ].filter((line) => line !== '')
}
