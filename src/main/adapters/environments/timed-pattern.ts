import { createContext, Script } from 'node:vm'
import type { SqlValue } from '../../../core/ground/ports'
import { MySqlError } from '../../../core/mysql/errors'

/** How long one match may take, in milliseconds. */
const LONGEST_MS = 200

const place: { work: (() => unknown) | null } = { work: null }
const context = createContext(place)
const script = new Script('work()')

/** Patterns with one repetition at most, of one character, take no more than quadratic time on the short texts of a cell. */
const isTame = (pattern: string): boolean =>
  (pattern.match(/[*+?{]/g)?.length ?? 0) <= 1 && !/\)[*+?{]/.test(pattern)

/**
 * Works with a pattern that an agent wrote, for a limited time: such a pattern can take as good as for ever on a text of thirty letters.
 * @throws MySqlError 3696 for a pattern that cannot be read, 3699 when it takes too long
 */
export function withPattern<T>(input: SqlValue | undefined, flags: string, use: (pattern: RegExp) => T): T {
  const text = String(input).replaceAll('[[:<:]]', '\\b').replaceAll('[[:>:]]', '\\b')
  const pattern = compiled(text, flags)
  if (isTame(text)) return use(pattern)
  try {
    place.work = () => use(pattern)
    return script.runInContext(context, { timeout: LONGEST_MS }) as T
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new MySqlError(3699, 'HY000', 'Timeout exceeded in regular expression match.')
  } finally {
    place.work = null
  }
}

function compiled(text: string, flags: string): RegExp {
  try {
    return new RegExp(text, flags)
  } catch {
    throw new MySqlError(3696, 'HY000', 'The regular expression contains an unrecognized or unclosed part.')
  }
}
