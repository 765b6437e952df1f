import { chmod, lstat, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { arch, platform, release } from 'node:os'
import { join, relative, sep } from 'node:path'
import { indexedSeq, readIndexNote } from '../adapters/lancedb/index-note'
import { readCoreFile } from '../adapters/lancedb/core-file'
import { tableProblem } from '../adapters/lancedb/table-check'
import type { Checkup, Finding } from '../../shared/domain/storage'
import { LoamError } from '../../shared/errors'
import { INDEX_FOLDERS, indexFoldersIn } from '../ground/index-folders'
import { fileAge } from '../ground/file-age'
import { folderHolder } from '../ground/lock'
import { namesIn } from '../ground/names-in'
import { checkKept, keptOf } from '../ground/kept-file'
import { checkRecord, recordOf } from '../ground/record-file'
import { derivedState } from '../ground/derived-file'
import { endOf, markEnd } from '../ground/line-file'
import { unsealed, unsealedFile } from '../ground/sealed'
import { rm } from '../ground/steady-files'
import { replayJournal } from '../journal/replay'
import { readMemoryFile } from '../memory-store/memory-folder'
import { repairMemory } from '../memory-store/repair-memory'

export interface DoctorOptions {
  /** The data folder. */
  readonly path: string
  readonly now: Date
  readonly version: string
  /** Repairs what is damaged; else it only looks. */
  readonly repair: boolean
}

/** Folders in which nothing is Loam's record: models, what Electron keeps, and folders that people and agents worked in. */
const FOREIGN = /^(?:models|window|backups|logs|exports|given(?:-\d{1,9})?|work|steps|content|damaged-.*)$/
/** Folders of a memory that are looked at as a whole. */
const DERIVED: ReadonlySet<string> = new Set(INDEX_FOLDERS)
const LINES: ReadonlySet<string> = new Set(['ask.jsonl', 'events.jsonl'])
const SUMMED: ReadonlySet<string> = new Set(['run.json', 'experiment.json'])
const DAMAGED = 'It is damaged. It can be made again.'
const REMADE = 'It is taken away, and made again when it is needed.'
const LEAST_FREE = 1 << 30
/** Locks of files are held for milliseconds, temporary files for seconds. */
const LOCK_STALE_MS = 60_000
const PART_STALE_MS = 60 * 60_000

/** Looks at every kind of file of a data folder, which may be open, and repairs what can be. Never rejects for what it finds. */
export async function checkDataFolder(options: DoctorOptions): Promise<Checkup> {
  const work = new Check(options)
  await work.folder(options.path)
  for (const id of await namesIn(join(options.path, 'spaces')))
    await work.memory(join(options.path, 'spaces', id))
  for (const id of await namesIn(join(options.path, 'asks'))) await work.ask(join(options.path, 'asks', id))
  return work.report()
}

const wordsOf = (error: unknown): string =>
  error instanceof LoamError ? error.code : error instanceof Error ? error.name : 'unknown'

class Check {
  readonly #findings: Finding[] = []
  readonly #checked: Record<Finding['of'], number> = {
    ...{ records: 0, lines: 0, memories: 0, indexes: 0, locks: 0, modes: 0, disk: 0 },
  }
  readonly #looked = new Set<string>()

  constructor(private readonly options: DoctorOptions) {}

  async report(): Promise<Checkup> {
    const { path, now, version } = this.options
    this.#checked.disk++
    const { bavail, bsize } = await statfs(path)
    const freeBytes = bavail * bsize
    if (freeBytes < LEAST_FREE)
      this.#tell('disk', path, 'Less than 1 GiB is free. Empty the trash, or make room.', null)
    return {
      ...{ at: now.toISOString(), version, system: `${platform()} ${release()} ${arch()}` },
      ...{ checked: this.#checked, freeBytes, findings: this.#findings },
    }
  }

  #tell(of: Finding['of'], path: string, problem: string, action: string | null): void {
    const place = relative(this.options.path, path).split(sep).join('/') || '.'
    this.#findings.push({ of, place, problem, done: action })
  }

  /** Does a repair where that is asked for, and says so; one that fails is told as such. */
  async #mend(
    of: Finding['of'],
    path: string,
    problem: string,
    action: string,
    mend: () => Promise<unknown>,
  ) {
    if (!this.options.repair) return this.#tell(of, path, problem, null)
    try {
      await mend()
      this.#tell(of, path, problem, action)
    } catch (error) {
      this.#tell(of, path, `${problem} It could not be repaired (${wordsOf(error)}).`, null)
    }
  }

  /** Everything below a folder, one entry after the other. */
  async folder(folder: string): Promise<void> {
    await this.#mode(folder)
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      this.#tell('modes', folder, `It cannot be read (${wordsOf(error)}). Check who owns it.`, null)
      return []
    })
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (DERIVED.has(entry.name) || FOREIGN.test(entry.name)) await this.#mode(path)
        else await this.folder(path)
      } else if (entry.isFile()) {
        await this.#mode(path)
        await this.#file(path, entry.name)
      }
    }
  }

  async #mode(path: string): Promise<void> {
    if (process.platform === 'win32') return
    this.#checked.modes++
    const stats = await lstat(path).catch(() => null)
    if (!stats || (stats.mode & 0o077) === 0) return
    await this.#mend(
      'modes',
      path,
      'Others than its owner may open it.',
      'Now it is for its owner alone.',
      () => chmod(path, stats.mode & 0o700),
    )
  }

  async #file(path: string, name: string): Promise<void> {
    if (/^lock(\.takeover)?$|\.lock$|\.tmp$/.test(name)) return this.#lock(path, name)
    if (LINES.has(name)) return this.#lines(path)
    if (SUMMED.has(name)) return this.#summed(path)
    const derived = await derivedState(path)
    if (derived === 'damaged') await this.#mend('records', path, DAMAGED, REMADE, () => rm(path))
    if (derived !== 'none') return void this.#checked.records++
    const keptPath = await keptOf(path)
    const record = keptPath ?? recordOf(path)
    if (record === null || this.#looked.has(record)) return
    this.#looked.add(record)
    if (keptPath === null && !(await this.#isRecord(record))) return
    this.#checked.records++
    const check = keptPath === null ? checkRecord : checkKept
    const state = await check(record, this.options.repair).catch(() => 'lost' as const)
    if (state === 'whole') return
    const problem =
      state === 'lost'
        ? 'The record and its copy are damaged. Loam goes on without it; restore it from a backup.'
        : 'One of the two files of the record is missing or damaged.'
    this.#tell(
      'records',
      record,
      problem,
      state === 'lost' || !this.options.repair ? null : 'It is made again from the other.',
    )
  }

  /** Whether a file is a record: it has a copy, or a checksum. */
  async #isRecord(path: string): Promise<boolean> {
    if (await stat(`${path}.copy`).catch(() => null)) return true
    const text = await readFile(path, 'utf8').catch(() => '')
    return text.includes('\n  "sum": "')
  }

  /** An ask whose file is gone or empty: of what was asked nothing is left but the files that came with it. */
  async ask(folder: string): Promise<void> {
    const path = join(folder, 'ask.jsonl')
    const stats = await stat(path).catch(() => null)
    if (stats !== null && stats.size > 0) return
    this.#tell('lines', path, 'What was asked and answered is gone. Restore it from a backup.', null)
  }

  async #summed(path: string): Promise<void> {
    this.#checked.records++
    try {
      unsealedFile(await readFile(path, 'utf8'))
    } catch {
      this.#tell(
        'records',
        path,
        'Its checksum does not match; what can be read elsewhere is used instead.',
        null,
      )
    }
  }

  async #lines(path: string): Promise<void> {
    this.#checked.lines++
    const text = await readFile(path, 'utf8').catch(() => '')
    let damaged = 0
    for (const line of text.split('\n')) {
      if (line === '') continue
      try {
        unsealed(line)
      } catch {
        damaged++
      }
    }
    if (damaged > 0)
      this.#tell(
        'lines',
        path,
        `${damaged} of its lines are damaged. They are left out, the others are kept.`,
        null,
      )
    const end = await endOf(path)
    // Of one that is empty `ask` tells.
    if (end === 'cut' && text !== '')
      this.#tell('lines', path, 'Lines at its end are missing. Restore it from a backup.', null)
    if (end === 'damaged')
      await this.#mend(
        'lines',
        path,
        'What tells whether its last lines are there is damaged.',
        'It is made again from what is there.',
        () => markEnd(path),
      )
  }

  async #lock(path: string, name: string): Promise<void> {
    this.#checked.locks++
    const isLock = name === 'lock'
    if (isLock && (await folderHolder(join(path, '..'))) !== null) return
    const stats = await stat(path).catch(() => null)
    const age = stats ? fileAge(stats) : 0
    if (age < (name.endsWith('.tmp') ? PART_STALE_MS : LOCK_STALE_MS)) return
    await this.#mend('locks', path, 'A process that is gone left it.', 'It is removed.', () =>
      rm(path, { force: true }),
    )
  }

  /** A memory: its file, its journal and its indexes. One that is open is only looked at. */
  async memory(folder: string): Promise<void> {
    const file = await readMemoryFile(folder).catch((error: unknown) => wordsOf(error))
    const segments = await namesIn(join(folder, 'journal'))
    if (file === null && segments.length === 0) return
    this.#checked.memories++
    const isOpen = (await folderHolder(folder)) !== null
    const problem = typeof file === 'string' || file === null ? 'Its space.json cannot be read.' : null
    const damage = problem ?? (await journalProblem(folder))
    if (damage !== null) {
      if (isOpen) this.#tell('memories', folder, `${damage} It is open: close Loam and check again.`, null)
      else await this.#repair(folder, damage)
    }
    for (const index of await indexFoldersIn(folder)) await this.#index(index, isOpen)
  }

  async #repair(folder: string, damage: string): Promise<void> {
    if (!this.options.repair) return this.#tell('memories', folder, damage, null)
    try {
      const { kept, lost } = await repairMemory(folder, this.options.now)
      const action = `${kept} commits are kept, ${lost} are lost. Everything as it was lies in its folder "damaged-...".`
      this.#tell('memories', folder, damage, action)
    } catch (error) {
      this.#tell('memories', folder, `${damage} It could not be repaired (${wordsOf(error)}).`, null)
    }
  }

  /** What is derived is removed where it is damaged: the next opening makes it again from the journal. */
  async #index(folder: string, isOpen: boolean): Promise<void> {
    if (!(await stat(folder).catch(() => null))) return
    this.#checked.indexes++
    const problem = await indexProblem(folder).catch((error: unknown) => {
      // What cannot be looked at here may be whole.
      this.#tell('indexes', folder, `It cannot be looked at (${wordsOf(error)}).`, null)
      return null
    })
    if (problem === null) return
    if (isOpen)
      return this.#tell('indexes', folder, `${problem} Its memory is open: close Loam and check again.`, null)
    await this.#mend(
      'indexes',
      folder,
      problem,
      'It is removed and made again when its memory is opened.',
      () => rm(folder, { recursive: true, force: true }),
    )
  }
}

async function journalProblem(folder: string): Promise<string | null> {
  try {
    const { seq } = await replayJournal(join(folder, 'journal'), {
      parse: (value) => value,
      onRecord: () => undefined,
    })
    const indexed = await indexedSeq(folder)
    return indexed > seq ? `Its journal ends ${indexed - seq} commits early.` : null
  } catch (error) {
    return `Its journal is damaged (${wordsOf(error)}).`
  }
}

async function indexProblem(folder: string): Promise<string | null> {
  const note = await readIndexNote(folder)
  if (note === null) return 'Its note cannot be read.'
  const hasCore = (await namesIn(folder)).some((name) => /^core-\d+\.bin$/.test(name))
  if (hasCore) {
    const core = await readCoreFile(folder, note.embedder.dimension).catch(() => null)
    if (core === null) return 'Its search core is damaged.'
    core.close()
  }
  return tableProblem(folder)
}
