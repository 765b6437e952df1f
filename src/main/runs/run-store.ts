import { appendFile, mkdir, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerial } from '../../shared/serial'
import { newRunState, type RunEvent, type RunRecord, type RunState } from '../../core/lab/run-record'
import type { RunInfo } from '../../shared/domain/run'
import { LoamError } from '../../shared/errors'
import { diskError, errnoOf, replaceFile, syncFolder } from '../ground/atomic-file'
import { rename } from '../ground/steady-files'
import { readRun, readRunNow, unreadableRun, type LoadedRun, type UnreadableRun } from './read-run'
import { filesOf, openRunSummaries, type RunSummary } from './run-summaries'
import { sealed, sealedFile } from '../ground/sealed'
import { namesIn } from '../ground/names-in'

/**
 * Runs on disk: `<folder>/<id>/run.json`, written once, and `events.jsonl`, the record once more and then one line per step or change of
 * status. Both carry checksums. What lists show of runs that are over is beside them (`run-summaries.ts`).
 */
export type RunStore = ReturnType<typeof openRunStore>

/** Opens the runs of a data folder; the folder is made when the first run is. */
export function openRunStore(folder: string) {
  const writers = new Map<string, (event: RunEvent) => Promise<void>>()
  const summaries = openRunSummaries(folder)

  return {
    /** Writes run.json; the run exists from here on. */
    async create(record: RunRecord): Promise<RunState> {
      const path = join(folder, record.id)
      try {
        await mkdir(path, { recursive: true })
        await writeText(join(path, 'run.json'), sealedFile(record))
        await writeText(join(path, 'events.jsonl'), `${sealed({ kind: 'record', record })}\n`)
        await syncFolder(folder)
      } catch (error) {
        throw diskError(error, path)
      }
      return newRunState(record)
    },
    append(runId: string, event: RunEvent) {
      let write = writers.get(runId)
      if (!write) writers.set(runId, (write = createEventWriter(join(folder, runId, 'events.jsonl'))))
      return write(event)
    },
    /** Every run found, oldest first: those that are over by their summaries, those that are damaged among them, and those whose record is lost. */
    async loadAll(): Promise<{ runs: (LoadedRun | RunSummary)[]; unreadable: UnreadableRun[] }> {
      const runs: (LoadedRun | RunSummary)[] = []
      const unreadable: UnreadableRun[] = []
      const byRun = await summaries.load()
      for (const name of await namesIn(folder)) {
        const path = join(folder, name)
        try {
          const summary = byRun.get(name)
          if (summary && summary.files === filesOf(path)) {
            runs.push(summary)
            continue
          }
          const run = await load(path)
          if (run) runs.push(run)
        } catch (error) {
          if (errnoOf(error) === 'ENOTDIR') continue
          const problem = error instanceof LoamError ? error : cannotRead(path, error)
          unreadable.push(await unreadableRun(path, problem))
        }
      }
      const timeOf = (run: LoadedRun | RunSummary): string =>
        'info' in run ? run.info.createdAt : run.state.record.createdAt
      runs.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1))
      return { runs, unreadable }
    },
    /** One run from its folder; null when there is none. @throws LoamError `DATA_CORRUPT` */
    load: (runId: string): Promise<LoadedRun | null> => load(join(folder, runId)),
    /** The same at once, for one that is known by its summary. @throws LoamError `DATA_CORRUPT` also when it is gone */
    loadNow(runId: string): LoadedRun {
      const path = join(folder, runId)
      const run = readRunNow(path)
      if (run) return run
      throw cannotRead(path, new Error('there is no run in it any more'))
    },
    /** Keeps what lists show of a run that is over. */
    summarise: (info: RunInfo): Promise<void> => summaries.keep(info),
    /** Holds on to nothing of a run whose folder is moved away. */
    async forget(runId: string) {
      writers.delete(runId)
      await summaries.forget(runId)
    },
    /** Writes both files anew. Those there were are kept beside them as `<name>.damaged-<time>`. */
    async rewrite(record: RunRecord, events: readonly RunEvent[], now: Date) {
      const path = join(folder, record.id)
      const stamp = now.toISOString().replaceAll(/[:.]/g, '-')
      const lines = [{ kind: 'record', record }, ...events].map((event) => `${sealed(event)}\n`)
      for (const [name, text] of [
        ['run.json', sealedFile(record)],
        ['events.jsonl', lines.join('')],
      ] as const) {
        const file = join(path, name)
        await rename(file, `${file}.damaged-${stamp}`).catch((error: unknown) => {
          if (errnoOf(error) !== 'ENOENT') throw diskError(error, file)
        })
        await writeText(file, text)
      }
    },
  }
}

const writeText = (path: string, text: string): Promise<void> =>
  replaceFile(path, async (file) => {
    await file.writeFile(text)
  })

const cannotRead = (folder: string, error: unknown): LoamError =>
  new LoamError('DATA_CORRUPT', `${folder} cannot be read: ${(error as Error).message}`, {
    suggestion: 'Check the folder, or restore it from a backup.',
    underlying: error,
  })

async function load(path: string): Promise<LoadedRun | null> {
  const run = await readRun(path)
  // A torn last line is what a kill in mid-write leaves; it was never acknowledged, and the journal has its step.
  if (run && run.tornAt !== null) await cutTail(join(path, 'events.jsonl'), run.tornAt)
  return run
}

async function cutTail(path: string, size: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate(size)
  } finally {
    await file.close()
  }
}

/**
 * Appends events in the order they were handed over. One that could not be written is kept and goes first the
 * next time, and a half-written line is cut, so the file never has a gap or a broken line in its middle.
 */
function createEventWriter(path: string): (event: RunEvent) => Promise<void> {
  const serial = createSerial()
  let waiters: string[] = []
  return (event) => {
    waiters.push(`${sealed(event)}\n`)
    return serial(async () => {
      const lines = waiters
      if (lines.length === 0) return
      waiters = []
      const size = await stat(path).then(
        (stats) => stats.size,
        () => 0,
      )
      try {
        await appendFile(path, lines.join(''))
      } catch (error) {
        waiters = [...lines, ...waiters]
        await truncate(path, size).catch(() => undefined)
        throw diskError(error, path)
      }
    })
  }
}
