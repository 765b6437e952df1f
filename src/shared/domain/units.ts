import { z } from 'zod'

/** A point in time: ISO 8601 in UTC, `2026-01-31T09:30:00.000Z`. */
export const instant = z.string()

/** How many of something: a integer number, 0 or more. */
export const count = z.number().int().nonnegative()

/** A integer number that may lie below 0, or counts nothing: a seed, a world, a place in an order. */
export const integer = z.number().int()

/** Bytes on disk or in memory, 0 or more; estimates may have fractions. */
export const bytes = z.number().nonnegative()

/** Wall time in milliseconds; fractions are allowed, and an estimate of what is left may lie below 0. */
export const milliseconds = z.number()

/** A part of a whole, a rate or a likeness: in [0, 1]. */
export const share = z.number().min(0).max(1)

/** A measured value; null where it is not known, or where there is none. */
export const figure = z.number().nullable()

/** How many of each, by name. */
export const counts = z.record(z.string(), count)
