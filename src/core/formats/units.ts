import type { RowPlace } from '../../shared/domain/reading'
import { nestsTooDeep } from '../ground/json-check'
import { isRecord } from '../ground/record'
import type { ParsedEntry } from '../ground/entries'
import { kindOf } from '../memory'
import type { Found, ReadContext } from '../memory/experiences/import/log'
import type { ItemHead, MemoryKindModule } from '../memory/items/kind'
import { kindWords, leavingKinds, OWN_FILES_WORDS } from '../memory/kind-words'
import { notes } from '../memory/notes/kind'
import { softPrompts } from '../memory/soft-prompts/kind'
import type { FormatPart, FormatSource, WriteOptions } from './format'

/** A live item of any kind, as formats of other programs write it. */
export interface Unit {
  readonly id: string
  /** The kind's id, and what people call several of it. */
  readonly kind: string
  readonly kinds: string
  readonly title: string
  /** The item in full. */
  readonly text: string
  readonly environment: string
  /** ISO time. */
  readonly createdAt: string
  /** Whether what it is about was solved; null for a text that was written from an attempt. */
  readonly reward: number | null
  readonly pinned: boolean
  /** The line that its kind reads back. */
  readonly line: Readonly<Record<string, unknown>>
}

/** A soft prompt is weights: nothing that another program could read. */
const isText = ({ info }: MemoryKindModule): boolean => info.id !== softPrompts.info.id

const TEXTS = leavingKinds().filter(isText)

/** What every format that is made of units keeps, and loses. */
export const UNITS = {
  keeps:
    `Every live item, its title and text for other programs, and beside them what Loam needs to bring it back as it was: ${kindWords(TEXTS)}. ` +
    OWN_FILES_WORDS,
  loses: 'Attempts, rubrics, soft prompts, vectors, and what is deleted or was replaced.',
} as const

/** The live items of a kind that leave, in order of arrival. */
export async function* leavingHeads(
  { memory }: Pick<FormatSource, 'memory'>,
  kind: MemoryKindModule,
  { kinds, includes, signal }: Omit<WriteOptions, 'now'>,
): AsyncGenerator<ItemHead> {
  signal?.throwIfAborted()
  if (kinds?.includes(kind.info.id) === false) return
  for (const head of await kind.heads(memory))
    if (head.gone === null && includes?.(kind.info.id, head.id) !== false) yield head
}

/** The live items of a memory, kind by kind, each in order of arrival. */
export async function* unitsOf(
  source: FormatSource,
  options: Omit<WriteOptions, 'now'>,
): AsyncGenerator<Unit> {
  const { memory } = source
  for (const kind of leavingKinds(options.kinds).filter(isText)) {
    for await (const head of leavingHeads(source, kind, options)) {
      options.signal?.throwIfAborted()
      const [text, line] = [await kind.read(memory, head.id), await kind.toLine(memory, head.id)]
      if (!text || !line) continue
      const { id, environment, createdAt, mark } = head
      // A learned text has none of its own, only the attempt that it was written from.
      const reward = 'learned' in kind ? null : head.reward
      yield {
        id,
        kind: kind.info.id,
        kinds: kind.info.titleMany.toLowerCase(),
        title: firstLine(text.title),
        text: text.text,
        environment,
        createdAt,
        reward,
        pinned: mark === 'pinned',
        line,
      }
    }
  }
}

const LONGEST_TITLE = 200
/** The beginning of a text, in one line. */
export const firstLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 3)}...`
}

/** A unit as a row of a table. */
export const rowOf = ({ id, kind, title, text, environment, createdAt, reward, pinned, line }: Unit) => ({
  id,
  kind,
  title,
  text,
  environment,
  created_at: createdAt,
  reward,
  pinned,
  loam: line,
})

/** A value as a line of JSON. */
export const jsonLine = (value: unknown, holds: string | null, file?: string): FormatPart => ({
  text: `${JSON.stringify(value)}\n`,
  holds,
  ...(file !== undefined && { file }),
})

/** Parts as the elements of one JSON array. */
export async function* asArray(
  elements: AsyncIterable<{ readonly value: unknown; readonly holds: string }>,
): AsyncGenerator<FormatPart> {
  let isBegun = false
  for await (const { value, holds } of elements) {
    yield { text: `${isBegun ? ',' : '['}\n${JSON.stringify(value)}`, holds }
    isBegun = true
  }
  yield { text: isBegun ? '\n]\n' : '[]\n', holds: null }
}

/** What another program's row says, where Loam did not write it. */
export interface Foreign {
  readonly text: unknown
  readonly title?: unknown
  readonly environment?: unknown
  readonly tags?: unknown
  readonly createdAt?: unknown
}

/**
 * What a row brings in: the item that Loam wrote into it (`loam`: its kind's line, as an object or as JSON), else its text as a note; or why it is
 * neither.
 */
export function foundOfRow(loam: unknown, foreign: Foreign, place: RowPlace, context: ReadContext): Found {
  const line = typeof loam === 'string' ? parsedLine(loam) : loam
  if (isRecord(line) && typeof line['kind'] === 'string') {
    if (kindOf(line['kind'])) return { kind: 'item', place, of: line['kind'], line }
    return {
      kind: 'left',
      place,
      why: `it is of the kind "${line['kind'].slice(0, 60)}", which this Loam does not know`,
    }
  }
  const { text } = foreign
  if (typeof text !== 'string' || text.trim() === '') return { kind: 'left', place, why: 'it has no text' }
  return noteOf({ ...foreign, text }, place, context)
}

/** What rows of a file bring in. `partsOf` takes a row apart; null where it is `none`. */
export async function* foundInRows(
  rows: AsyncIterable<ParsedEntry>,
  none: string,
  partsOf: (row: Readonly<Record<string, unknown>>) => (Foreign & { readonly loam: unknown }) | null,
  context: ReadContext,
): AsyncGenerator<Found> {
  for await (const { place, value, problem } of rows) {
    const parts = problem === null && isRecord(value) ? partsOf(value) : null
    if (parts) yield foundOfRow(parts.loam, parts, place, context)
    else yield { kind: 'left', place, why: problem ?? none }
  }
}

const LONGEST_NOTE = 32_000

/** A text of another program as a note; the same text is the same note. */
function noteOf(
  foreign: Foreign & { readonly text: string },
  place: RowPlace,
  { now, hash }: ReadContext,
): Found {
  const { title, environment, tags, createdAt } = foreign
  const text = foreign.text.trim()
  const id = `imported-${hash(text).slice(0, 20)}`
  const time = typeof createdAt === 'string' ? new Date(createdAt) : new Date(NaN)
  const memory = {
    kind: notes.info.id,
    id,
    runId: 'imported',
    environment: typeof environment === 'string' && environment !== '' ? environment : 'general',
    trajectoryIds: ['imported'],
    createdAt: Number.isNaN(time.getTime()) ? now : time.toISOString(),
    title: firstLine(typeof title === 'string' && title.trim() !== '' ? title : text),
    keywords: [],
    tags: Array.isArray(tags)
      ? tags.filter((tag): tag is string => typeof tag === 'string').slice(0, 50)
      : [],
    context: text.length <= LONGEST_NOTE ? text : `${text.slice(0, LONGEST_NOTE)}...`,
    links: [],
  }
  return { kind: 'events', place, events: [{ kind: 'memory-added', memory }] }
}

function parsedLine(text: string): unknown {
  if (!text.startsWith('{') || nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
