import type { GuideText, Rubric, RubricScore } from '../../../shared/domain/guide'
import { guideText } from '../../memory/guides/guide'
import { outcomeLine, shortDialogText, shownWith, type Retelling } from '../../ground/prompt'
import type { ChatMessage } from '../../ground/ports'
import { declareForm, declareForms, isRecord, textField, type FormOutline } from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'
import { addsNothing } from '../../ground/text-gate'

/** A (concept, insight) pair as the reflector writes it (BREW eq. 1). */
export interface InsightText {
  readonly concept: string
  readonly insight: string
}

const RUBRIC_LINE = /^-\s*([a-z0-9-]+):(.+)$/

/** The rubrics of a template `rubrics-<environment>.md`: a line `- id: text` each. Other lines are comments. */
export const parseRubrics = (text: string): Rubric[] =>
  text.split('\n').flatMap((line) => {
    const [, id, what] = RUBRIC_LINE.exec(line.trim()) ?? []
    return id === undefined || what === undefined ? [] : [{ id, text: what.trim() }]
  })

/** Longest texts, in characters. */
const LONGEST = { reason: 160, concept: 60, insight: 240 } as const
const MOST_INSIGHTS = 4

const SECTIONS = [
  { field: 'context', key: 'context', longest: 240 },
  { field: 'howToUse', key: 'how_to_use', longest: 900 },
  { field: 'whenToUse', key: 'when_to_use', longest: 240 },
  { field: 'bestPractices', key: 'best_practices', longest: 400 },
] as const satisfies readonly { field: keyof GuideText; key: string; longest: number }[]

const text = (maxLength: number) => ({ type: 'string', maxLength })

const listOf = (value: unknown, name: string): readonly unknown[] | undefined => {
  const list = isRecord(value) ? value[name] : undefined
  return Array.isArray(list) ? list : undefined
}

function rubricOutline(rubrics: readonly Rubric[]): FormOutline<readonly RubricScore[]> {
  const ids = rubrics.map(({ id }) => id)
  return {
    schema: exactObject({
      scores: {
        type: 'array',
        items: exactObject({
          rubric: { enum: ids },
          score: { enum: [1, 2, 3, 4, 5] },
          reason: text(LONGEST.reason),
        }),
        minItems: ids.length,
        maxItems: ids.length,
      },
    }),
    read(value) {
      const list = listOf(value, 'scores')
      if (!list) return undefined
      const scores = ids.flatMap((id): RubricScore[] => {
        const input = list.find((each) => textField(each, 'rubric') === id)
        const reason = textField(input, 'reason')
        const score = isRecord(input) ? input['score'] : undefined
        if (reason === undefined || typeof score !== 'number') return []
        return Number.isInteger(score) && score >= 1 && score <= 5 ? [{ rubric: id, score, reason }] : []
      })
      return scores.length > 0 ? scores : undefined
    },
  }
}

/** Rubrics as many as a person may write. */
const SAMPLE_RUBRICS = Array.from({ length: 12 }, (_, i) => ({ id: `sample-rubric-${i}`, text: 'Sample.' }))

/** `{"scores": [{"rubric": id, "score": 1..5, "reason": text}]}`, each rubric once; read in the rubrics' order, as far as they were scored. */
export const rubricForm = declareForms<readonly RubricScore[], [rubrics: readonly Rubric[]]>(
  'brew-rubric',
  rubricOutline,
  () => [[SAMPLE_RUBRICS.slice(0, 1)], [SAMPLE_RUBRICS]],
)

/** `{"insights": [{"concept": text, "insight": text}]}`, one to four; those that say nothing beyond their concept are left out. */
export const REFLECT_FORM = declareForm<readonly InsightText[]>('brew-reflect', {
  schema: exactObject({
    insights: {
      type: 'array',
      items: exactObject({ concept: text(LONGEST.concept), insight: text(LONGEST.insight) }),
      minItems: 1,
      maxItems: MOST_INSIGHTS,
    },
  }),
  read(value) {
    const list = listOf(value, 'insights')
    if (!list || list.length > MOST_INSIGHTS) return undefined
    const read = list.map((each): InsightText | undefined => {
      const concept = textField(each, 'concept')
      const insight = textField(each, 'insight')
      if (concept === undefined || insight === undefined) return undefined
      return concept.length > LONGEST.concept || insight.length > LONGEST.insight
        ? undefined
        : { concept, insight }
    })
    if (!read.every((pair) => pair !== undefined)) return undefined
    // An insight that only names its concept again says nothing.
    const full = read.filter(
      ({ concept, insight }) => concept !== '' && insight !== '' && !addsNothing(insight, [concept]),
    )
    return full.length === 0 ? null : full
  },
})

/** Keeps the line breaks of code and lists, unlike `tidyText`. */
const blockField = (value: unknown, name: string): string | undefined => {
  const field = isRecord(value) ? value[name] : undefined
  return typeof field === 'string'
    ? field
        .replace(/\r\n?/g, '\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    : undefined
}

/** Characters of a document's texts that fit any context: 240, 900, 240 and 400. */
export const SHORT_DOCUMENT = SECTIONS.reduce((sum, { longest }) => sum + longest, 0)
/** Most characters that a document may have in a large context; a grammar holds no longer texts. */
export const LONG_DOCUMENT = 4 * SHORT_DOCUMENT

function documentOutline(characters: number): FormOutline<GuideText> {
  const most = (longest: number): number =>
    Math.max(longest, Math.floor((longest * characters) / SHORT_DOCUMENT))
  return {
    schema: exactObject(Object.fromEntries(SECTIONS.map(({ key, longest }) => [key, text(most(longest))]))),
    read(value) {
      const read = SECTIONS.map(({ field, key, longest }) => {
        const section = blockField(value, key)
        return section === undefined || section.length > most(longest)
          ? undefined
          : ([field, section] as const)
      })
      if (!read.every((section) => section !== undefined)) return undefined
      const document = Object.fromEntries(read) as unknown as GuideText
      return document.howToUse === '' ? null : document
    },
  }
}

/**
 * `{"context": text, "how_to_use": text, "when_to_use": text, "best_practices": text}`, together at most `characters` long
 * (`SHORT_DOCUMENT` to `LONG_DOCUMENT`), half of it for how to use.
 */
export const documentForm = declareForms<GuideText, [characters: number]>(
  'brew-integrate',
  documentOutline,
  () => [[SHORT_DOCUMENT], [LONG_DOCUMENT]],
)

/** Characters that judge and reflector may read of an attempt. */
export interface AttemptRoom {
  /** Of what it was shown: policy, workbook, tables. */
  readonly shown: number
  /** Of its dialog. */
  readonly dialog: number
}

/** As much as stays readable where nothing is known of the reader's context. */
const ANY_ROOM: AttemptRoom = { shown: 2000, dialog: Number.POSITIVE_INFINITY }

/** The rubric judge: the template, the rubrics, then the attempt without its outcome. Reply: `rubricForm`. */
export function rubricMessages(
  template: string,
  rubrics: readonly Rubric[],
  attempt: Pick<Retelling, 'instruction' | 'context' | 'rounds'>,
  room = ANY_ROOM,
): ChatMessage[] {
  const lines = rubrics.map(({ id, text: what }) => `${id}: ${what}`)
  return [
    { role: 'system', content: template },
    {
      role: 'user',
      content: `Rubrics:\n${lines.join('\n')}\n\nTask: ${attempt.instruction}\n${shownWith(attempt, room.shown)}${shortDialogText(attempt.rounds, room.dialog)}`,
    },
  ]
}

/** The reflector (BREW eq. 1): the template, the attempt with its correctness label, then its scores. Reply: `REFLECT_FORM`. */
export function reflectMessages(
  template: string,
  attempt: Retelling,
  scores: readonly RubricScore[],
  room = ANY_ROOM,
): ChatMessage[] {
  const lines = scores.map(({ rubric, score, reason }) => `${rubric} ${score}: ${reason}`)
  const scored = lines.length === 0 ? '' : `\n\nScores:\n${lines.join('\n')}`
  return [
    { role: 'system', content: template },
    {
      role: 'user',
      content: `${outcomeLine(attempt)}\n${shownWith(attempt, room.shown)}${shortDialogText(attempt.rounds, room.dialog)}${scored}`,
    },
  ]
}

/** What an integration has to respect besides the insights. */
export interface IntegrateLimits {
  /** Sentences a person wrote. Default: none. */
  readonly keep?: readonly string[]
  /** What the last version lost of the old document. Default: nothing. */
  readonly lost?: readonly string[]
}

const listText = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n\n${title}\n${lines.map((line) => `- ${line}`).join('\n')}`

/** Where the printed prompt of the integrator has its nodes. */
const NODES = '{node list}'

/**
 * The integrator, d_k <- (k, insights_k, d_k) (BREW eq. 2): the template, the document as it is, the insights, what a person
 * wants kept, what a first version lost; all in one message where the template says where its nodes go. Reply: `documentForm`.
 */
export function integrateMessages(
  template: string,
  concept: string,
  insights: readonly string[],
  document: GuideText | null,
  limits: IntegrateLimits = {},
): ChatMessage[] {
  const label = document === null ? `# ${concept}\n\nNothing yet.` : guideText(concept, document)
  const about =
    label +
    listText('Insights:', insights) +
    listText('Keep word for word:', limits.keep ?? []) +
    listText('Your last version lost:', limits.lost ?? [])
  const [before, after] = template.split(NODES)
  if (before === undefined || after === undefined)
    return [
      { role: 'system', content: template },
      { role: 'user', content: `Document:\n${about}` },
    ]
  return [{ role: 'user', content: `${before}${about}${after}` }]
}
