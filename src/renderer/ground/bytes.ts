import { decodeText } from '../../shared/decode-text'
import { LoamError } from '../../shared/errors'
import { LONGEST_PASTE, type RowsFile } from '../../shared/domain/own-tasks'
import { MAX_FILE_BASE64 } from '../../shared/limits'

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

/** Rows of a file that a person chose: its text, or where it is none, or a long one, its bytes. Rejects with `BAD_INPUT` when it is too large. */
export async function readRowsFile(file: File): Promise<{ text: string } | RowsFile> {
  if (file.size <= LONGEST_PASTE) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { text } = decodeText(bytes)
    if (text !== '' && !isPacked(bytes) && !text.slice(0, HEAD).includes('\0')) return { text }
  }
  return { fileName: file.name, base64: await readFileBase64(file) }
}

/** Characters that tell a text from what is none. */
const HEAD = 8192

/** Whether it begins as what gzip and ZIP write. */
const isPacked = ([first, second]: Uint8Array): boolean =>
  (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b)
