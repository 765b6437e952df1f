import { statSync } from 'node:fs'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createSerial } from '../../shared/serial'
import type { RunInfo } from '../../shared/domain/run'
import { errnoOf, replaceFile } from '../ground/atomic-file'
import { sealed, unsealed } from '../ground/sealed'

/** A run that is over as lists show it, so that its events need not be read before somebody opens it. */
export interface RunSummary {
  readonly info: RunInfo
  /** What its files were like when it was written: one of another is not believed. */
  readonly files: string
}

/** Counts up when what a summary tells changes: older ones are then made again. */
const FORMAT = 1
const FILES = ['run.json', 'events.jsonl'] as const
/** Lines beyond one per run after which the file is written anew. */
const MOST_OLD_LINES = 1000

/** Sizes and times of a run's files; null where one is missing. Asked for each run at every start: thousands of calls that wait cost more than these. */
export function filesOf(folder: string): string | null {
  const marks: string[] = []
  for (const name of FILES) {
    const about = statSync(join(folder, name), { throwIfNoEntry: false })
    if (!about) return null
    marks.push(`${about.size}@${about.mtimeMs}`)
  }
  return marks.join(' ')
}

/** Opens the summaries beside `folder`, which holds the runs. The file is only a memory of what the folders say: it may be lost or damaged at any time. */
export function openRunSummaries(folder: string) {
  const path = `${folder}.jsonl`
  const serial = createSerial()

  const lineOf = ({ info: { rewards, ...head }, files }: RunSummary): string =>
    `${sealed({ format: FORMAT, files, rewards: rewards.join(''), head })}\n`

  const read = (line: string): RunSummary | null => {
    try {
      const { format, files, rewards, head } = unsealed(line) as {
        format: number
        files: string
        rewards: string
        head: Omit<RunInfo, 'rewards'>
      }
      if (format !== FORMAT) return null
      return { files, info: { ...head, rewards: Array.from(rewards, (one) => (one === '1' ? 1 : 0)) } }
    } catch {
      // Its run is read as one without a summary.
      return null
    }
  }

  const linesOf = async (): Promise<string[]> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return ''
      throw error
    })
    return text.split('\n').filter((line) => line !== '')
  }

  return {
    /** By run; what cannot be read is left out. */
    async load(): Promise<Map<string, RunSummary>> {
      const lines = await linesOf()
      const summaries = new Map<string, RunSummary>()
      for (const line of lines) {
        const summary = read(line)
        if (summary) summaries.set(summary.info.id, summary)
      }
      if (lines.length - summaries.size > MOST_OLD_LINES)
        await serial(() => replaceFile(path, [...summaries.values()].map(lineOf).join('')))
      return summaries
    },
    /** Leaves nothing of a run that is thrown away. @throws LoamError `DISK_FULL` and the like */
    forget: (runId: string): Promise<void> =>
      serial(async () => {
        const lines = await linesOf()
        const rest = lines.filter((line) => read(line)?.info.id !== runId)
        if (rest.length === 0) await rm(path, { force: true })
        else if (rest.length < lines.length) await replaceFile(path, rest.map((line) => `${line}\n`).join(''))
      }),
    /** Keeps a run that is over as it is now. Never rejects: one that could not be kept is read from its folder the next time. */
    keep: (info: RunInfo): Promise<void> =>
      serial(async () => {
        const files = filesOf(join(folder, info.id))
        if (files === null) return
        await appendFile(path, lineOf({ info, files })).catch(() => undefined)
      }),
  }
}
