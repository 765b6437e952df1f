import { LoamError } from '../../../shared/errors'
import { foreignReader } from './foreign'

/** What a text from outside can be written in. YAML reads JSON too. */
export type TextSyntax = 'yaml' | 'json' | 'toml'

export interface TextRequest {
  readonly text: string
  readonly syntax: TextSyntax
  readonly where: string
}

/** A line of JSON: its value, or why it has none. */
export type LineValue =
  | { readonly value: unknown; readonly why: null }
  | { readonly value?: undefined; readonly why: string }

export interface TextReply {
  readonly value: unknown
}

/** Lines of JSON, each of which is a value or says why it is none. */
export interface LinesRequest {
  readonly lines: readonly string[]
}

const isolate = foreignReader<TextRequest | LinesRequest, TextReply>('texts', {
  timeMs: 20_000,
  limits: { heapMb: 1024, processMb: 2000 },
  suggestion: 'Check the place named above.',
})

/** Most characters of a text of settings, and of one that holds data. */
const LONGEST_SETTINGS = 4 * 1024 * 1024
export const LONGEST_DATA = 64 * 1024 * 1024

/**
 * The value of a text from outside, read in an isolate. `where` names it in what is said about mistakes.
 * @param longest most characters. Default: those of a text of settings
 * @throws LoamError `BAD_INPUT`, also for one that is nested more than 200 deep
 */
export async function readForeignText(
  text: string,
  where: string,
  syntax: TextSyntax,
  longest = LONGEST_SETTINGS,
): Promise<unknown> {
  if (text.length > longest)
    throw new LoamError('BAD_INPUT', `${where} has more than ${longest} characters.`, {
      suggestion: 'Choose another file, or a smaller one.',
    })
  return (await isolate(where, { text, syntax, where })).value
}

/** The value of each line of JSON from outside, read in an isolate; `where` names them. @throws LoamError `BAD_INPUT` */
export async function readForeignLines(
  lines: readonly string[],
  where: string,
  signal?: AbortSignal,
): Promise<readonly LineValue[]> {
  return (await isolate(where, { lines }, signal)).value as readonly LineValue[]
}
