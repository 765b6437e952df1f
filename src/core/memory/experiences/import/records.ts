import { z } from 'zod'
import type { AgentLog, Found } from './log'
import { uniformFields } from '../../../ground/uniform-fields'
import { parsed, type Entry } from '../../../ground/entries'

/** Texts of a record that may be missing or null. */
export const maybeTexts = <Name extends string>(...names: readonly Name[]) =>
  uniformFields(z.string().nullish(), ...names)

/** Parts of a record that are taken as they are, and may be missing. */
export const anything = <Name extends string>(...names: readonly Name[]) =>
  uniformFields(z.unknown().optional(), ...names)

/** Reads a file whose records each hold one attempt. `toLog` answers the attempt, or why there is none. */
export async function* readRecords<T>(
  records: AsyncIterable<Entry>,
  shape: z.ZodType<T>,
  toLog: (record: T) => AgentLog | string,
): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(records)) {
    if (problem !== null) {
      yield { kind: 'left', place, why: problem }
      continue
    }
    const record = shape.safeParse(value)
    if (!record.success) {
      yield { kind: 'left', place, why: shapeProblem(record.error) }
      continue
    }
    const log = toLog(record.data)
    yield typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
  }
}

/** Where a record's shape differs from the format, in words. */
export function shapeProblem(error: z.ZodError): string {
  const issue = error.issues[0]
  const where = issue?.path.join('.') ?? ''
  const what = issue?.code === 'invalid_union' ? 'none of those that are read' : issue?.message
  return `it has another form${where === '' ? '' : ` at "${where}"`}: ${what ?? 'unknown'}`
}

/** Any value as text: texts as they are, parts of a message joined, everything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) {
    return value
      .map((part: unknown) =>
        typeof part === 'object' && part !== null && 'text' in part ? textOf(part.text) : textOf(part),
      )
      .filter((text) => text !== '')
      .join('\n')
  }
  return JSON.stringify(value)
}

const ISO_LIKE = /^\d{4}-\d{2}-\d{2}/

/** A time of a log as ISO in UTC; null when it is none. A time without a zone is taken for UTC. */
export function timeOfLog(value: unknown): string | null {
  if (typeof value !== 'string' || !ISO_LIKE.test(value)) return null
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(value)
  const time = new Date(hasZone ? value : `${value.replace(' ', 'T')}${value.includes(':') ? 'Z' : ''}`)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
