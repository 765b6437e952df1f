import { z } from 'zod'
import { count } from './units'

/** How a role's texts came out: lessons, strategies, insights, documents and whatever else a model writes in a form. */
export const writingCountSchema = z.object({
  /** What was asked for: `evosc-error`, `brew-reflect`. */
  role: z.string(),
  /** Texts asked for, each once or twice. */
  asked: count,
  /** Of them, used although slightly off the form: cut JSON that was closed, fences, single quotes, a list written as a text. */
  mended: count,
  /** Asked for twice. */
  again: count,
  /** Not usable, nor was the second try. */
  failed: count,
})
export type WritingCount = z.infer<typeof writingCountSchema>

/** Counts put together role by role, in the order in which roles first came. */
export function addWritings(all: readonly WritingCount[]): WritingCount[] {
  const sums = new Map<string, WritingCount>()
  for (const { role, asked, mended, again, failed } of all) {
    const so = sums.get(role) ?? { role, asked: 0, mended: 0, again: 0, failed: 0 }
    sums.set(role, {
      role,
      asked: so.asked + asked,
      mended: so.mended + mended,
      again: so.again + again,
      failed: so.failed + failed,
    })
  }
  return [...sums.values()]
}

/** Share of a role's texts that could not be used, 0 to 1. */
export const failureRate = ({ asked, failed }: WritingCount): number => (asked === 0 ? 0 : failed / asked)
