import { readFile } from 'node:fs/promises'
import { DocumentReader } from '../adapters/tool-servers/read-documents'

/** Largest file that is read, in bytes. */
const MOST_BYTES = 20 * 1024 * 1024
const CONVERTED = /\.(?:pdf|docx|xlsx|xlsm|ods|xls|pptx|html?)$/i
/** How long converting one file may take, in ms. */
const CONVERT_MS = 60_000

/** Reads files as text. */
export interface FileTexts {
  /** The bytes, and what they say. `text` null with the reason for what is no text. */
  read(
    file: { readonly path: string; readonly name: string; readonly bytes: number },
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly text: string } | { readonly why: string }>
  close(): void
}

/** Plain text as it stands; PDF, Word, Excel, PowerPoint and HTML by the converters of the documents server, walled off. */
export function openFileTexts(): FileTexts {
  let reader: DocumentReader | null = null
  return {
    async read({ path, name, bytes: size }, signal) {
      if (size > MOST_BYTES) return { why: `it has ${size} bytes; at most ${MOST_BYTES} are read` }
      try {
        const bytes = await readFile(path)
        if (!CONVERTED.test(name)) {
          if (bytes.subarray(0, 8192).includes(0)) return { why: 'it is no text' }
          return { bytes, text: bytes.toString('utf8').replace(/^\uFEFF/, '') }
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
