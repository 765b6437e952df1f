import type { SqlValue } from '../ground/ports'
import type { SqlFunction } from './types'

/**
 * Works with a pattern that an agent wrote, for a limited time.
 * @throws MySqlError 3696 for a pattern that cannot be read, 3699 when it takes too long
 */
export type PatternUse = <T>(pattern: SqlValue | undefined, flags: string, use: (re: RegExp) => T) => T

const text = (value: SqlValue | undefined): string => String(value)

/** MySQL's functions with regular expressions, without their `my_` prefix; any NULL argument gives NULL. */
export const patternFunctions = (withPattern: PatternUse): Readonly<Record<string, SqlFunction>> => ({
  regexp: (value, pattern) => withPattern(pattern, 'iu', (re) => re.test(text(value))),
  regexp_like: (value, pattern) => withPattern(pattern, 'iu', (re) => re.test(text(value))),
  regexp_replace: (value, pattern, by) =>
    withPattern(pattern, 'giu', (re) => text(value).replace(re, text(by).replace(/\\(\d)/g, '$$$1'))),
  regexp_substr: (value, pattern) => withPattern(pattern, 'iu', (re) => re.exec(text(value))?.[0] ?? null),
  regexp_instr: (value, pattern) =>
    withPattern(pattern, 'iu', (re) => (re.exec(text(value))?.index ?? -1) + 1),
})
