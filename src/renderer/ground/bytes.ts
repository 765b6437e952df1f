import { decodeText } from '../../shared/decode-text'
import { LoamError } from '../../shared/errors'
import { MAX_FILE_BASE64, MAX_FILE_TEXT } from '../../shared/limits'

const PIECE = 0x8000

/** The bytes of a file that a person chose, as base64. Rejects with `BAD_INPUT` when it is larger than the host takes in one piece. */
export async function readFileBase64(file: File): Promise<string> {
  if (file.size > (MAX_FILE_BASE64 / 4) * 3)
    throw new LoamError('BAD_INPUT', `${file.name} is larger than what the window takes in one piece.`, {
      suggestion: 'Use "loam import" on the command line.',
    })
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}

/** What stands behind base64. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** Bytes that came as base64, as a file for the browser. */
export const blobOf = (base64: string, type = 'application/octet-stream'): Blob =>
  new Blob([bytesOf(base64)], { type })

/** Characters that tell a text from what is none. */
const HEAD = 8192

/** The text of a file that a person chose. Rejects with `BAD_INPUT` when it is none, or longer than the host takes in one piece. */
export async function readFileText(file: File): Promise<string> {
  const { text } = decodeText(new Uint8Array(await file.arrayBuffer()))
  if (text.slice(0, HEAD).includes('\0'))
    throw new LoamError('BAD_INPUT', `${file.name} is no text.`, {
      suggestion:
        'Where a full path can be written, write it there: packed files, Parquet tables and workbooks are read from the disk.',
    })
  if (text.length <= MAX_FILE_TEXT) return text
  const millions = Math.ceil(text.length / 1e6)
  throw new LoamError(
    'BAD_INPUT',
    `${file.name} has ${millions} million characters; ${MAX_FILE_TEXT / 1e6} million are the most that are read at once.`,
    { suggestion: 'Split the file by lines and read the parts one after another.' },
  )
}
