import type { Ending } from '../../shared/domain/verdict'

/** What the statuses of programs say, the first that fits. */
const STATUSES: readonly (readonly [RegExp, Ending])[] = [
  [/limit|context|length|budget|cost|timeout|time_?out|max_|max[A-Z]/i, 'cut-off'],
  [/malformed|format|schema|invalid/i, 'out-of-form'],
  [/abort|cancel|interrupt/i, 'interrupted'],
  [/error|exception|fail/i, 'error'],
]

/**
 * How a program says that an attempt ended; null where its status says no more than that it did.
 * @param product whether the attempt left anything behind that was asked for; null where the log does not say
 */
export function endingOf(status: string | null | undefined, product: boolean | null = null): Ending | null {
  const ending = STATUSES.find(([pattern]) => pattern.test(status ?? ''))?.[1]
  return ending ?? (product === false ? 'nothing-made' : null)
}
