import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Isolate } from '../../ground/isolate/isolate'
import type { DocumentRequest } from './work/document'

/** Most bytes of a file that is read. */
const MOST_FILE_BYTES = 100 * 1024 * 1024
/** Converted documents kept for reading on. */
const KEPT = 8

/** A file that may be read. */
interface AllowedFile {
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
}

/** Turns files into Markdown, remembering the last few. */
export class DocumentReader {
  readonly #isolate = new Isolate<DocumentRequest, string>('document', {
    limits: { heapMb: 768, processMb: 1500 },
  })
  readonly #kept = new Map<string, string>()

  constructor(private readonly timeMs: number) {}

  /** A file, or one inside an archive, as Markdown. @throws Error with words for the one who asked */
  async read(file: AllowedFile, inner: string | null, signal: AbortSignal): Promise<string> {
    if (file.bytes > MOST_FILE_BYTES)
      throw new Error(`The file has ${file.bytes} bytes; at most ${MOST_FILE_BYTES} are read.`)
    const key = [file.path, file.bytes, file.modifiedMs, inner ?? ''].join('\0')
    const recordText = this.#kept.get(key)
    if (recordText !== undefined) return recordText
    const text = await this.convert(basename(file.path), await readFile(file.path), inner, signal)
    this.#kept.set(key, text)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest)
    return text
  }

  /** Bytes as Markdown; the name's ending says what they are. @throws Error */
  convert(name: string, bytes: Uint8Array, inner: string | null, signal?: AbortSignal): Promise<string> {
    return this.#isolate.call(() => ({ name, bytes, inner }), this.timeMs, signal)
  }

  close(): void {
    this.#isolate.end()
  }
}
