import { retell, type Retelling } from '../../ground/prompt'
import type { ChatMessage } from '../../ground/ports'
import {
  declareForm,
  declareForms,
  isRecord,
  listField,
  textField,
  type FormOutline,
} from '../../ground/writing'
import { exactObject } from '../../ground/exact-object'

/** What the model says about an attempt: K_i, X_i and G_i of a note. */
export interface NoteText {
  readonly keywords: readonly string[]
  readonly context: string
  readonly tags: readonly string[]
}

const WORDS = { type: 'array', items: { type: 'string', maxLength: 40 }, minItems: 1, maxItems: 5 } as const
const CONTEXT = { type: 'string', maxLength: 200 } as const

const readWords = (value: unknown, name: string): string[] | undefined => {
  const words = listField(value, name)
  return words && words.length <= 5 && words.every((word) => word.length <= 40) ? words : undefined
}

const readContext = (value: unknown): string | undefined => {
  const context = textField(value, 'context')
  return context !== undefined && context.length <= 200 ? context : undefined
}

/** `{"keywords": [...], "context": text, "tags": [...]}`: 1 to 5 words of 40 characters, a context of 200. */
export const NOTE_FORM = declareForm<NoteText>('amem-note', {
  schema: exactObject({ keywords: WORDS, context: CONTEXT, tags: WORDS }),
  read(value) {
    const keywords = readWords(value, 'keywords')
    const tags = readWords(value, 'tags')
    const context = readContext(value)
    if (!keywords || !tags || context === undefined) return undefined
    return keywords.length === 0 || context === '' ? null : { keywords, context, tags }
  },
})

/** Note construction, the template and the attempt. Reply: `NOTE_FORM`. */
export const noteMessages = (template: string, attempt: Retelling): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: retell(attempt) },
]

/** Links and changes, by the neighbours' numbers from 1. */
export interface Evolution {
  readonly links: readonly number[]
  readonly updates: readonly {
    readonly note: number
    readonly context: string
    readonly tags: readonly string[]
  }[]
}

const MOST_UPDATES = 2

const readUpdate = (value: unknown, count: number): Evolution['updates'][number] | undefined => {
  const context = readContext(value)
  const tags = readWords(value, 'tags')
  const note = isRecord(value) ? value['note'] : undefined
  if (typeof note !== 'number' || !Number.isInteger(note) || note < 1 || note > count) return undefined
  return context === undefined || context === '' || !tags ? undefined : { note, context, tags }
}

function evolutionOutline(count: number): FormOutline<Evolution> {
  const number = { enum: Array.from({ length: count }, (_, i) => i + 1) }
  return {
    schema: exactObject({
      links: { type: 'array', items: number, maxItems: count },
      updates: {
        type: 'array',
        items: exactObject({ note: number, context: CONTEXT, tags: WORDS }),
        maxItems: MOST_UPDATES,
      },
    }),
    read(value) {
      const links: unknown = isRecord(value) ? value['links'] : undefined
      const updates: unknown = isRecord(value) ? value['updates'] : undefined
      if (!Array.isArray(links) || !Array.isArray(updates) || updates.length > MOST_UPDATES) return undefined
      const read = updates.map((update) => readUpdate(update, count))
      const isNumber = (link: unknown): link is number =>
        typeof link === 'number' && Number.isInteger(link) && link >= 1 && link <= count
      if (!links.every(isNumber) || !read.every((update) => update !== undefined)) return undefined
      return { links: [...new Set(links)], updates: read }
    },
  }
}

/** `{"links": [1, 3], "updates": [{"note": 1, "context": text, "tags": [...]}]}` for `count` neighbours; at most two updates. */
export const evolutionForm = declareForms('amem-evolution', evolutionOutline, () => [[1], [10]])

/** A note in one line, as the model sees it among others. */
export const noteLine = (note: NoteText & { readonly title: string }): string =>
  `${note.title} Context: ${note.context} Keywords: ${note.keywords.join(', ')}. Tags: ${note.tags.join(', ')}.`

/** Link generation and evolution: the template, the new note, and its neighbours numbered from 1. Reply: `evolutionForm`. */
export function evolutionMessages(
  template: string,
  note: NoteText & { readonly title: string },
  neighbours: readonly (NoteText & { readonly title: string })[],
): ChatMessage[] {
  const lines = neighbours.map((neighbour, i) => `${i + 1}. ${noteLine(neighbour)}`)
  return [
    { role: 'system', content: template },
    { role: 'user', content: `New note: ${noteLine(note)}\nNearest notes:\n${lines.join('\n')}` },
  ]
}
