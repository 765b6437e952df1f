import { decodeText } from '../../shared/decode-text'
import { LoamError } from '../../shared/errors'
import { MAX_FILE_TEXT } from '../../shared/limits'

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
