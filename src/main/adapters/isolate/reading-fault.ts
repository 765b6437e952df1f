export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What an engine, or a parser that lost its place, says of a damaged file: of use to a programmer alone. */
const NO_WORDS =
  /\bundefined\b|\[object |xmldom|is not (?:a function|iterable|defined)|Cannot (?:read|set|convert|destructure)|call stack|out of bounds|Invalid (?:array|typed array) length/i

/**
 * Why a file cannot be read, in words that a person can do something with. What is the reader's own, such as that a file is too large, stays as
 * it is.
 */
export function readingFault(error: unknown): string {
  const message = messageOf(error)
  const isEngines =
    error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return isEngines || message.trim() === '' || NO_WORDS.test(message)
    ? 'It is damaged, or of another kind than its name says.'
    : message
}
