import { basename, isAbsolute, join, resolve } from 'node:path'
import { OWN_FORMAT, readableFormat, writableFormat } from '../../core/formats'
import type { FormatSource } from '../../core/formats/format'
import type { MemorySource } from '../../core/memory/items/kind'
import type { Clock, Embedder } from '../../core/ground/ports'
import type { ExportReport, ImportReport } from '../../shared/domain/format'
import { MY_MEMORY, type MemoryInfo } from '../../shared/domain/memory-info'
import type { DataFolder } from '../host/data-folder'
import { closeAll } from '../ground/close-all'
import type { BuildOptions } from '../adapters/lancedb/build-index'
import { openMemory, type StoredMemory } from '../memory-store/memory'
import { findFiles } from './find-files'
import { importItems } from './intake'
import { importFiles, type EachFile } from './import-files'
import { readTextFile, textInMemory, type ReadOptions } from './read-text'
import { packParts, writeParts } from './write-parts'

/**
 * Memories by id (those of the data folder), by absolute path (any other folder), or My memory as `MY_MEMORY`. Each is opened at its first
 * use, with the embedder of the settings, and stays open until this closes.
 */
export interface Memories {
  list(): Promise<MemoryInfo[]>
  create(name: string): Promise<MemoryInfo>
  /** A new memory that holds what another one of the data folder does. @throws LoamError `NOT_FOUND` */
  copy(id: string, name: string): Promise<MemoryInfo>
  /** The id of My memory where that is what is named, else what is named. */
  resolve(idOrPath: string): string
  /** Whether My memory is what is named, by whatever name. */
  isMine(idOrPath: string): boolean
  open(idOrPath: string): Promise<StoredMemory>
  /** Where the memory lies or would lie. */
  folder(idOrPath: string): string
  reindex(idOrPath: string, build: BuildOptions): Promise<void>
  /** Writes the memory as a file; default: in `<data>/exports`, under the name that the format gives it. */
  exportFile(idOrPath: string, path: string | null, options?: ExportOptions): Promise<ExportReport>
  /** Default: Loam's own format. */
  exportText(idOrPath: string, format?: string, kinds?: readonly string[] | null): Promise<ExportedText>
  /**
   * Reads a file of any format into the memory, or every file of a folder or pattern, or of several of these.
   * @throws LoamError `NOT_FOUND`, `BAD_INPUT` for an unknown format
   */
  importFile(
    idOrPath: string,
    file: { readonly path: string | readonly string[]; readonly format: string } & ReadOptions,
  ): Promise<ImportReport>
  /** The same with the text of a file. */
  importText(
    idOrPath: string,
    file: { readonly fileName: string; readonly format: string; readonly text: string },
  ): Promise<ImportReport>
  /** Closes the memory in a folder, if it is open; its next use opens it again. */
  release(folder: string): Promise<void>
  close(): Promise<void>
}

/** A file in memory: its text, or the bytes of one that is no text (a folder: of its archive) as base64. */
export interface ExportedText {
  readonly fileName: string
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
}

export interface ExportOptions {
  /** Default: Loam's own, everything as JSON lines. */
  readonly format?: string
  /** Default: all kinds but parts of a person's own files. */
  readonly kinds?: readonly string[] | null
  readonly signal?: AbortSignal
  /** Called with the lines written so far. */
  readonly onLine?: (lines: number) => void
}

export interface MemoriesDeps {
  readonly data: DataFolder
  readonly clock: Clock
  readonly embedder: () => Promise<Embedder>
  /** What the kinds of memory work on in a memory. */
  readonly itemOf: (memory: StoredMemory) => MemorySource
}

const fileNameOf = (name: string): string =>
  name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|(?<!-)-+$/g, '') || 'space'

export function openMemories({ data, clock, embedder, itemOf }: MemoriesDeps): Memories {
  const outside = new Map<string, Promise<StoredMemory>>()

  const openOutside = async (folder: string): Promise<StoredMemory> => {
    const wantedEmbedder = await embedder()
    let memory = outside.get(folder)
    if (!memory) {
      memory = openMemory({ folder, embedder: wantedEmbedder, clock })
      outside.set(folder, memory)
      memory.catch(() => outside.delete(folder))
    }
    const openedMemory = await memory
    if (openedMemory.embedder.id !== wantedEmbedder.id)
      await openedMemory.reindex({ embedder: wantedEmbedder })
    return openedMemory
  }

  /** The id that a folder of the data folder's own memories has: it is one memory, however it is named. */
  const idOf = (path: string): string | null => {
    const id = basename(path)
    return path === join(data.path, 'spaces', id) ? id : null
  }

  const openAny = async (idOrPath: string): Promise<StoredMemory> => {
    const path = isAbsolute(idOrPath) ? resolve(idOrPath) : null
    const id = path === null ? idOrPath : idOf(path)
    return path !== null && id === null
      ? openOutside(path)
      : data.memories.open(id ?? idOrPath, await embedder())
  }

  const write = (
    memory: StoredMemory,
    formatId: string,
    options: Pick<ExportOptions, 'kinds' | 'signal'>,
  ) => {
    const format = writableFormat(formatId)
    const time = clock.now().toISOString().slice(0, 19).replaceAll(':', '')
    return {
      format,
      fileName: format.fileName({ fileName: fileNameOf(memory.name), time }),
      parts: format.write(formatSource(memory, itemOf(memory)), {
        now: () => clock.now(),
        ...options,
      }),
    }
  }

  const resolveNamed = (idOrPath: string): string => (idOrPath === MY_MEMORY ? data.myMemory.id() : idOrPath)

  return {
    list: () => data.memories.list(),
    create: (name) => data.memories.create(name),
    copy: (id, name) => data.memories.copy(id, name),
    resolve: resolveNamed,
    isMine(idOrPath) {
      const name = isAbsolute(idOrPath) ? idOf(resolve(idOrPath)) : resolveNamed(idOrPath)
      return name === data.myMemory.id()
    },
    open: openAny,
    folder: (idOrPath) => (isAbsolute(idOrPath) ? resolve(idOrPath) : data.memories.folder(idOrPath)),
    async reindex(idOrPath, build) {
      await (await openAny(idOrPath)).reindex({ ...build, embedder: await embedder() })
    },
    async exportFile(idOrPath, path, { format = OWN_FORMAT, onLine, ...options } = {}) {
      const memory = await openAny(idOrPath)
      const { fileName, parts, format: as } = write(memory, format, options)
      const target = path === null ? join(data.path, 'exports', fileName) : resolve(path)
      return { path: target, format, ...(await writeParts(target, as, parts, onLine)) }
    },
    async exportText(idOrPath, format = OWN_FORMAT, kinds = null) {
      const { fileName, parts, format: as } = write(await openAny(idOrPath), format, { kinds })
      const bytes = Buffer.from(await packParts(as, parts))
      if (as.written === undefined || as.written === 'text')
        return { fileName, text: bytes.toString('utf8'), encoding: 'utf8' }
      const name = as.written === 'folder' ? `${fileName}.zip` : fileName
      return { fileName: name, text: bytes.toString('base64'), encoding: 'base64' }
    },
    async importFile(idOrPath, { path, format, ...options }) {
      const paths = typeof path === 'string' ? [path] : path
      const { files, single } = await findFiles(paths)
      const memory = await openAny(idOrPath)
      const read: EachFile['read'] = async (file, verdicts, { signal, onProgress }) => {
        const text = await readTextFile(file, { signal, onProgress })
        const input = { format, file, now: clock.now(), signal, verdicts }
        return importItems(memory, itemOf(memory), text, input)
      }
      const [alone] = files
      if (single && alone !== undefined) return read(alone, () => null, options)
      if (format !== 'auto') readableFormat(format)
      return importFiles(files, { read }, { ...options, format, file: paths.join(', ') })
    },
    async importText(idOrPath, { fileName, format, text }) {
      const file = { format, file: fileName, now: clock.now() }
      const memory = await openAny(idOrPath)
      return importItems(memory, itemOf(memory), textInMemory(text), file)
    },
    async release(folder) {
      const id = idOf(resolve(folder))
      if (id !== null) return data.memories.release(id)
      const memory = outside.get(resolve(folder))
      outside.delete(resolve(folder))
      await (await memory)?.close()
    },
    async close() {
      const memories = await Promise.allSettled(outside.values())
      outside.clear()
      await closeAll(memories.map((memory) => () => memory.status === 'fulfilled' && memory.value.close()))
    },
  }
}

/** A memory as formats read it. */
export const formatSource = (memory: StoredMemory, source: MemorySource): FormatSource => ({
  id: memory.id,
  name: memory.name,
  createdAt: memory.createdAt,
  embedder: memory.embedder,
  memory: source,
  trajectories: () => memory.trajectories(),
  cases: (options) => memory.cases(options),
  experiences: memory.experiences,
  embed: (texts, signal) => memory.embedder.embed(texts, { signal }),
})
