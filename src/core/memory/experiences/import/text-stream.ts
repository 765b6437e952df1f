/** Longest single record, in characters; a longer one is skipped and said so. */
export const LONGEST_RECORD = 64 * 1024 * 1024

/** One record of a stream: its text, or null when it is too long. `place` counts from 1. */
export interface RecordText {
  readonly place: number
  readonly text: string | null
}

/** Lines of a text that comes in pieces; empty ones are left out but counted. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<RecordText> {
  let rest = ''
  let tooLong = false
  let place = 0
  for await (const piece of pieces) {
    const parts = piece.split('\n')
    for (const [i, part] of parts.entries()) {
      if (i > 0) {
        place++
        if (tooLong || rest.trim() !== '') yield { place, text: tooLong ? null : rest }
        rest = ''
        tooLong = false
      }
      if (rest.length + part.length > LONGEST_RECORD) tooLong = true
      if (!tooLong) rest += part
    }
  }
  if (tooLong || rest.trim() !== '') yield { place: place + 1, text: tooLong ? null : rest }
}

/**
 * The elements of one JSON array that comes in pieces, or, when the text is no array, each JSON object at the top. Only one
 * element is held at a time. What is not JSON at all is given as it stands, for the reader to refuse.
 */
export async function* readElements(pieces: AsyncIterable<string>): AsyncGenerator<RecordText> {
  let inArray: boolean | null = null
  let depth = 0
  let inString = false
  let escaped = false
  let current: string[] = []
  let length = 0
  let tooLong = false
  let place = 0

  const take = (): RecordText | null => {
    const text = tooLong ? null : current.join('').trim()
    current = []
    length = 0
    const wasTooLong = tooLong
    tooLong = false
    return text === '' && !wasTooLong ? null : { place: ++place, text }
  }

  for await (const piece of pieces) {
    let from = 0
    const keep = (to: number): void => {
      length += to - from
      if (length > LONGEST_RECORD) {
        tooLong = true
        current = []
      }
      if (!tooLong && to > from) current.push(piece.slice(from, to))
      from = to
    }
    for (let i = 0; i < piece.length; i++) {
      const code = piece.charCodeAt(i)
      if (inString) {
        if (escaped) escaped = false
        else if (code === 92) escaped = true
        else if (code === 34) inString = false
        continue
      }
      if (inArray === null) {
        if (code <= 32 || code === 0xfeff) {
          from = i + 1
          continue
        }
        inArray = code === 91
        if (inArray) {
          from = i + 1
          continue
        }
      }
      if (code === 34) inString = true
      else if (code === 123 || code === 91) depth++
      else if (code === 125 || (code === 93 && depth > 0)) {
        depth--
        if (depth === 0 && !inArray) {
          keep(i + 1)
          const record = take()
          if (record) yield record
        }
      } else if (inArray && depth === 0 && (code === 44 || code === 93)) {
        keep(i)
        const record = take()
        if (record) yield record
        from = i + 1
      }
    }
    keep(piece.length)
  }
  const record = take()
  if (record) yield record
}

/** Each record parsed; `undefined` stands for one that is not JSON or too long. */
export async function* parsed(
  records: AsyncIterable<RecordText>,
): AsyncGenerator<{ readonly place: number; readonly value: unknown; readonly problem: string | null }> {
  for await (const { place, text } of records) {
    if (text === null) {
      yield { place, value: undefined, problem: `it is longer than ${LONGEST_RECORD} characters` }
      continue
    }
    try {
      yield { place, value: JSON.parse(text) as unknown, problem: null }
    } catch {
      yield { place, value: undefined, problem: 'it is not JSON' }
    }
  }
}
