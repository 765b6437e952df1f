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

/** What the notes of a program say, the first that fits. */
const NOTES: readonly (readonly [RegExp, Ending])[] = [
  [/token limit|exceeds? (?:the )?(?:context|token)|finish_reason.{0,6}length/i, 'cut-off'],
  [
    /did not conform to the edit format|failed to match|No filename provided|malformed|Only \d reflections/i,
    'edit-refused',
  ],
  [/\^C|KeyboardInterrupt/, 'interrupted'],
]
const SERVICE = /(?:Error|Exception)[:(]|Retrying in/

/** How an attempt ended by the notes that a program wrote beside it; null where they do not say. `isSilent`: nothing was answered. */
export function endingOfNotes(notes: readonly string[], isSilent: boolean): Ending | null {
  const text = notes.join('\n')
  if (isSilent && SERVICE.test(text)) return 'service-error'
  return NOTES.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
