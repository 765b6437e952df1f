import { z } from 'zod'
import type { LearnedText } from '../../../shared/domain/memory'
import type { Curated } from './curated'

/** A day: `2026-12-31`. */
export const daySchema = z.iso.date()

/** The last day on which a text holds, as it was written or as a person changed it; null: it has no end. */
export function lastDayOf(
  { until }: Pick<LearnedText, 'until'>,
  item: Pick<Curated, 'values'> | undefined,
): string | null {
  const day = item?.values['until'] ?? until
  return typeof day === 'string' && day !== '' ? day : null
}

/** When a day is over on this machine. */
const endOf = (day: string): Date => new Date(`${day}T24:00:00`)

/** Since when a text with this last day no longer holds, in ISO time; null while it does. */
export function endedAt(day: string | null, now: Date): string | null {
  if (day === null) return null
  const end = endOf(day)
  return end.getTime() <= now.getTime() ? end.toISOString() : null
}
