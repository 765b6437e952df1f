import MiniSearch from 'minisearch'
import { readFile } from 'node:fs/promises'
import type { DocumentReader } from '../../adapters/isolate/read-documents'
import { walkFolder, type FoundFile } from '../../ground/walk-folder'
import { isPlain, readPlain } from '../../adapters/isolate/work/formats/plain'

const MOST_FILES = 20_000
const MOST_TEXT_BYTES = 2 * 1024 * 1024
const MOST_DOCUMENT_BYTES = 20 * 1024 * 1024
/** Characters of a passage, the unit that is found. */
const PASSAGE = 1200
/** Passages kept of one file. */
const MOST_PASSAGES = 400
/** Milliseconds of one search that may go into reading new files; what is left is read at the next one. */
const READ_MS = 15_000

const DOCUMENT = /\.(pdf|docx|xlsx|xlsm|xls|ods|pptx|html?)$/i

export interface Passage {
  readonly name: string
  /** Character of the document at which it begins. */
  readonly offset: number
  readonly text: string
}

interface Entry extends Passage {
  readonly id: string
}

/** What is known of a file: as it was when it was read, and its passages. */
interface Indexed {
  readonly mark: string
  readonly ids: readonly string[]
}

/** Full text (BM25+) over folders. Each search first reads what is new or changed, and forgets what is gone. */
export class FolderIndex {
  readonly #search = new MiniSearch<Entry>({
    fields: ['name', 'text'],
    storeFields: ['name', 'offset', 'text'],
    searchOptions: { boost: { name: 2 }, prefix: (term) => term.length > 3, fuzzy: 0.1 },
  })
  readonly #files = new Map<string, Indexed>()

  constructor(
    private readonly roots: readonly string[],
    private readonly reader: DocumentReader,
  ) {}

  /** The best passages for a query, and how many files are still unread. */
  async find(
    query: string,
    most: number,
    signal: AbortSignal,
  ): Promise<{ readonly passages: readonly Passage[]; readonly files: number; readonly unread: number }> {
    const unread = await this.#update(signal)
    const passages = this.#search
      .search(query)
      .slice(0, most)
      .map((hit) => ({ name: String(hit.name), offset: Number(hit.offset), text: String(hit.text) }))
    return { passages, files: this.#files.size, unread }
  }

  async #update(signal: AbortSignal): Promise<number> {
    const present = new Set<string>()
    const files: FoundFile[] = []
    for (const root of this.roots) {
      for (const file of (await walkFolder(root, MOST_FILES)).files) {
        present.add(file.path)
        if (this.#files.get(file.path)?.mark !== markOf(file)) files.push(file)
      }
    }
    for (const path of [...this.#files.keys()]) if (!present.has(path)) this.#forget(path)
    const until = Date.now() + READ_MS
    for (const [at, file] of files.entries()) {
      signal.throwIfAborted()
      if (Date.now() > until) return files.length - at
      this.#forget(file.path)
      this.#add(file, await this.#textOf(file, signal))
    }
    return 0
  }

  #forget(path: string): void {
    this.#search.discardAll(this.#files.get(path)?.ids ?? [])
    this.#files.delete(path)
  }

  #add(file: FoundFile, text: string): void {
    const entries = passagesOf(text).map(({ offset, text: part }) => ({
      id: `${file.path}#${offset}`,
      name: file.name,
      offset,
      text: part,
    }))
    this.#search.addAll(entries)
    this.#files.set(file.path, { mark: markOf(file), ids: entries.map(({ id }) => id) })
  }

  /** Empty for what cannot be read: such a file is found by its name only. */
  async #textOf(file: FoundFile, signal: AbortSignal): Promise<string> {
    if (DOCUMENT.test(file.name)) {
      if (file.bytes > MOST_DOCUMENT_BYTES) return ''
      return this.reader
        .convert(file.name, await readFile(file.path), null, signal)
        .catch((error: unknown) => {
          signal.throwIfAborted()
          if (error instanceof Error) return ''
          throw error
        })
    }
    if (file.bytes > MOST_TEXT_BYTES) return ''
    const bytes = await readFile(file.path)
    return isPlain(bytes) ? readPlain(bytes, file.name) : ''
  }
}

const markOf = ({ bytes, modifiedMs }: FoundFile): string => `${bytes}:${modifiedMs}`

/** Cuts a text into passages, at ends of lines where there are some. */
function passagesOf(text: string): { offset: number; text: string }[] {
  const passages: { offset: number; text: string }[] = []
  let offset = 0
  do {
    const room = text.slice(offset, offset + PASSAGE)
    const lineEnd = offset + PASSAGE < text.length ? room.lastIndexOf('\n') : -1
    const part = lineEnd > PASSAGE / 2 ? room.slice(0, lineEnd + 1) : room
    passages.push({ offset, text: part })
    offset += part.length
  } while (offset < text.length && passages.length < MOST_PASSAGES)
  return passages
}
