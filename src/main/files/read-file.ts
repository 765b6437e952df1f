import { readFile } from 'node:fs/promises'
import { decodeText } from '../../shared/decode-text'
import { DocumentReader } from '../adapters/isolate/read-documents'

/** Largest file that is read, in bytes. */
const MOST_BYTES = 20 * 1024 * 1024
const CONVERTED = /\.(?:pdf|docx|xlsx|xlsm|ods|xls|pptx|html?)$/i
/** How long converting one file may take, in ms. */
const CONVERT_MS = 60_000
/** Characters that a file is told to be no text by, and the share of control characters from which it is none. */
const HEAD = 8192
const CONTROLS = 0.02

/** Whether characters are text: none is zero, and hardly any a control character that no text has (colours of logs have ESC). */
function isText(text: string): boolean {
  const head = text.slice(0, HEAD)
  if (head.includes('\0')) return false
  const controls = head.match(/[\x01-\x08\x0B\x0E-\x1A\x1C-\x1F\x7F-\x9F]/g)?.length ?? 0
  return controls <= head.length * CONTROLS
}

/** Reads files as text. */
export type FileTexts = ReturnType<typeof openFileTexts>

/** Plain text as it stands, also as Windows and spreadsheets write it; PDF, Word, Excel, PowerPoint and HTML by the converters of the documents server, walled off. */
export function openFileTexts() {
  let reader: DocumentReader | null = null
  return {
    /** The bytes, and what they say. `text` null with the reason for what is no text. */
    async read(
      { path, name, bytes: size }: { readonly path: string; readonly name: string; readonly bytes: number },
      signal?: AbortSignal,
    ): Promise<{ readonly bytes: Uint8Array; readonly text: string } | { readonly why: string }> {
      if (size > MOST_BYTES) return { why: `it has ${size} bytes; at most ${MOST_BYTES} are read` }
      try {
        const bytes = await readFile(path)
        if (!CONVERTED.test(name)) {
          const { text } = decodeText(bytes)
          return isText(text) ? { bytes, text: text.replace(/^\uFEFF/, '') } : { why: 'it is no text' }
        }
        reader ??= new DocumentReader(CONVERT_MS)
        return { bytes, text: await reader.convert(name, bytes, null, signal) }
      } catch (error) {
        if (signal?.aborted === true) throw error
        return { why: error instanceof Error ? error.message : String(error) }
      }
    },
    close: () => reader?.close(),
  }
}
