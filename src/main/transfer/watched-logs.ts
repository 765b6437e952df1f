import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { importChoiceSchema, type ImportResult } from '../../shared/domain/item-transfer'
import type { ImportReport } from '../../shared/domain/format'
import { MY_MEMORY } from '../../shared/domain/memory-info'
import { leftCount, readingWords } from '../../shared/domain/reading'
import {
  WATCHED_AGENTS,
  watchedLogsSchema,
  type WatchedAgent,
  type WatchedLogs,
  type WatchOutcome,
} from '../../shared/domain/watched-agent'
import { LoamError } from '../../shared/errors'
import type { JobContext, StartedJob } from '../ground/jobs'
import { namesIn } from '../ground/names-in'
import { readRecord, writeRecord } from '../ground/record-file'
import { walkFolder, type FoundFile } from '../ground/walk-folder'
import type { Host } from '../host/host'
import { createIdle, LOOK_MS } from '../runs/idle'
import type { RunQueue } from '../runs/run-queue'
import type { Imports } from './imports'
import { sessionsInStorage, storedSessionText, type StoredSession } from './opencode-storage'
import { folderOr } from '../ground/data-path'

/** A session is read once nothing was written to it for so long, in ms. */
const SETTLED_MS = 600_000
/** Sessions of one import: what one undo takes back. */
const AT_ONCE = 200
/** Files looked at below one folder. */
const MOST_FILES = 100_000
/** How often folders are looked through while nothing works, in ms. */
const PAUSE_MS = 300_000

/** Where an agent keeps its sessions, and which files are some. */
interface AgentLogs {
  readonly title: string
  readonly folder: () => string
  /** Default: those of its sessions are several files each. */
  readonly files?: RegExp
  /** Databases that newer versions of it keep sessions in, beside its folder. */
  readonly databases?: RegExp
}

const inHome = (variable: string, name: string): string => process.env[variable] ?? join(homedir(), name)

const LOGS: Readonly<Record<WatchedAgent, AgentLogs>> = {
  'claude-code': {
    title: 'Claude Code',
    folder: () => join(inHome('CLAUDE_CONFIG_DIR', '.claude'), 'projects'),
    files: /\.jsonl$/,
  },
  codex: {
    title: 'Codex',
    folder: () => join(inHome('CODEX_HOME', '.codex'), 'sessions'),
    files: /\.jsonl$/,
  },
  'gemini-cli': {
    title: 'Gemini CLI',
    folder: () => join(homedir(), '.gemini', 'tmp'),
    files: /\/chats\/[^/]+\.jsonl?$/,
  },
  opencode: {
    title: 'opencode',
    folder: () =>
      join(folderOr(process.env['XDG_DATA_HOME'], join(homedir(), '.local', 'share')), 'opencode', 'storage'),
    databases: /^opencode[\w-]*\.db$/,
  },
}

/** What was read of a file: its size and time when that began. */
const stampSchema = z.string()
const recordSchema = z.object({
  read: z.record(z.string(), stampSchema),
  last: z.partialRecord(z.enum(WATCHED_AGENTS), watchedLogsSchema.shape.last.unwrap()),
})
const stampOf = ({ bytes, modifiedMs }: FoundFile): string => `${bytes}-${Math.floor(modifiedMs)}`

type Sessions = readonly (FoundFile | StoredSession)[]

/** Databases of a folder, each with the bytes and the time of what SQLite keeps beside it, where the last changes lie. */
async function databasesIn(folder: string, form: RegExp): Promise<FoundFile[]> {
  const names = (await namesIn(folder)).filter((name) => form.test(name))
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const stats = await Promise.all([path, `${path}-wal`].map((each) => stat(each).catch(() => null)))
      return {
        ...{ name, path, bytes: stats.reduce((sum, about) => sum + (about?.size ?? 0), 0) },
        modifiedMs: Math.max(...stats.map((about) => about?.mtimeMs ?? 0)),
      }
    }),
  )
}

/** The sessions of an agent: all, those that are new or changed since they were read, and of these the ones still written and the others. */
async function sessionsIn(agent: WatchedAgent, read: Readonly<Record<string, string>>, nowMs: number) {
  const { folder, files: form, databases } = LOGS[agent]
  const { files } = await walkFolder(folder(), MOST_FILES)
  const inFiles: Sessions = form
    ? files.filter(({ name }) => form.test(`/${name}`))
    : sessionsInStorage(files)
  const sessions = databases ? [...inFiles, ...(await databasesIn(dirname(folder()), databases))] : inFiles
  const fresh = sessions.filter((file) => read[file.path] !== stampOf(file))
  const growing = fresh.filter(({ modifiedMs }) => nowMs - modifiedMs < SETTLED_MS)
  return { sessions, fresh, growing, settled: fresh.filter((file) => !growing.includes(file)) }
}

/** The logs of agents on this machine, taken into My memory while nothing works. */
export type WatchedAgentLogs = Awaited<ReturnType<typeof openWatchedLogs>>

export interface WatchedNeeds {
  readonly imports: Pick<Imports, 'run'>
  readonly runs: Pick<RunQueue, 'isAwaited' | 'isVisited' | 'atWork' | 'list'>
}

/** Opens what was read so far. Nothing is read before `keepTaking` or `takeNow`, and nothing of an agent that is not switched on. */
export async function openWatchedLogs(
  host: Pick<Host, 'clock' | 'jobs' | 'options' | 'data' | 'settings' | 'logger'>,
  { imports, runs }: WatchedNeeds,
) {
  const { clock, jobs, data, settings, logger } = host
  const idle = createIdle(host, runs)
  const path = join(data.path, 'watched-logs.json')
  let record = await readRecord(path, recordSchema, { read: {}, last: {} })
  let job: StartedJob | null = null
  let timer: NodeJS.Timeout | null = null
  let lookedAt = 0
  const now = (): number => clock.now().getTime()
  const agentsOn = (): WatchedAgent[] => WATCHED_AGENTS.filter((id) => settings().watchedAgents.includes(id))

  const sessionsOf = (agent: WatchedAgent) => sessionsIn(agent, record.read, now())

  const takeBatch = async (agent: WatchedAgent, batch: Sessions, signal: AbortSignal): Promise<Counts> => {
    const report = await importSessions(imports, agent, batch, signal)
    const outcome = outcomeOf(report, batch.length, clock.now().toISOString())
    const read = Object.fromEntries(batch.map((file) => [file.path, stampOf(file)]))
    record = { read: { ...record.read, ...read }, last: { ...record.last, [agent]: outcome } }
    await writeRecord(path, record)
    return report
  }

  const takeAll = async ({ signal, progress }: JobContext, isAsked: boolean): Promise<void> => {
    const way = idle.giveWay(signal, false, () => false)
    const taking = isAsked ? signal : way.signal
    let doneCount = 0
    let rows = 0
    let imported = 0
    try {
      for (const agent of agentsOn()) {
        const { settled } = await sessionsOf(agent)
        for (let first = 0; first < settled.length; first += AT_ONCE) {
          taking.throwIfAborted()
          progress({ done: doneCount, activity: LOGS[agent].title })
          const batch = settled.slice(first, first + AT_ONCE)
          const report = await takeBatch(agent, batch, taking)
          doneCount += batch.length
          rows += report.rows
          imported += report.imported
          progress({ done: doneCount, activity: `${LOGS[agent].title}: ${readingWords(report)}` })
        }
      }
      progress({ activity: `${imported} of ${rows} attempts came in` })
    } catch (error) {
      // What was taken in stays; the rest comes another time, and nothing twice.
      if (isAsked || !way.isYielding()) throw error
      progress({ activity: `Goes on another time. ${idle.busyWith() ?? ''}`.trim() })
    } finally {
      way.end()
    }
  }

  const start = (isAsked: boolean): StartedJob => {
    const started = jobs.start(
      'watching',
      'Taking in sessions of agents',
      (context) => takeAll(context, isAsked),
      {
        unit: 'sessions',
      },
    )
    job = started
    void started.finished.then(({ status, problem }) => {
      job = null
      idle.worked()
      if (status === 'failed') logger.warn('Sessions of agents could not be taken in', { problem })
    })
    return started
  }

  const rests = async (): Promise<string | null> => idle.busyWith() ?? (await idle.powerProblem())

  const look = async (): Promise<void> => {
    if (job !== null || agentsOn().length === 0 || !idle.isQuiet() || now() - lookedAt < PAUSE_MS) return
    if ((await rests()) !== null) return
    lookedAt = now()
    for (const agent of agentsOn()) if ((await sessionsOf(agent)).settled.length > 0) return void start(false)
  }

  return {
    /** Every agent that can be watched. */
    async list(): Promise<WatchedLogs[]> {
      const resting = await rests()
      return Promise.all(
        WATCHED_AGENTS.map(async (agent) => {
          const { sessions, fresh, growing } = await sessionsOf(agent)
          const on = settings().watchedAgents.includes(agent)
          const { title, databases } = LOGS[agent]
          const own = LOGS[agent].folder()
          const folder = databases ? dirname(own) : own
          return {
            ...{ agent, title, folder, on },
            ...{ sessions: sessions.length, fresh: fresh.length, growing: growing.length },
            last: record.last[agent] ?? null,
            rests: on ? resting : null,
          }
        }),
      )
    },
    /** Takes in now what has settled, because a person asks for it. @throws LoamError `CONFLICT`, `BAD_INPUT` where no agent is switched on */
    takeNow(): StartedJob {
      if (job !== null)
        throw new LoamError('CONFLICT', 'Sessions are being taken in already.', {
          suggestion: 'Wait for that.',
        })
      if (agentsOn().length > 0) return start(true)
      throw new LoamError('BAD_INPUT', 'No agent is switched on.', {
        suggestion: 'Switch one on: loam watch on AGENT.',
      })
    },
    /** Looks from now on whether there is anything to take in. */
    keepTaking(): void {
      timer ??= setInterval(() => {
        look().catch((error: unknown) => logger.warn('Sessions of agents were not looked at', { error }))
      }, LOOK_MS)
      timer.unref()
    },
    async close(): Promise<void> {
      if (timer) clearInterval(timer)
      if (job) await jobs.cancel(job.id)
    },
  }
}

/** Brings sessions into My memory through the one way in. */
async function importSessions(
  imports: WatchedNeeds['imports'],
  agent: WatchedAgent,
  batch: Sessions,
  signal: AbortSignal,
): Promise<Counts> {
  const scratch = LOGS[agent].files ? null : await mkdtemp(join(tmpdir(), 'loam-sessions-'))
  try {
    const paths = scratch === null ? batch.map(({ path }) => path) : await putTogether(batch, scratch)
    const choice = importChoiceSchema.parse({ source: { from: 'paths', paths } })
    return await imports
      .run({ ...choice, client: `watched ${agent}`, memoryId: MY_MEMORY }, { signal })
      .catch((error: unknown) => {
        // Files of which none is a log are refused as a whole; one among others is a row that is left out.
        if (error instanceof LoamError && error.code === 'BAD_INPUT')
          return refusedReport(error.why, batch.length)
        throw error
      })
  } finally {
    if (scratch !== null) await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Sessions that are several files each, as one file each in a folder; the others where they lie. */
async function putTogether(batch: Sessions, folder: string): Promise<string[]> {
  const paths: string[] = []
  for (const [i, session] of batch.entries()) {
    const file = 'messages' in session ? join(folder, `${i}-${basename(session.path)}`) : session.path
    if ('messages' in session) await writeFile(file, await storedSessionText(session))
    paths.push(file)
  }
  return paths
}

type Counts = Pick<ImportReport, 'rows' | 'imported' | 'duplicates' | 'left' | 'moreLeft' | 'notes'> &
  Pick<ImportResult, 'importId'>

const refusedReport = (why: string, files: number): Counts => ({
  ...{ rows: files, imported: 0, duplicates: 0, moreLeft: 0, notes: [] },
  left: Array.from({ length: files }, (_, i) => ({ line: i + 1, why })),
  importId: null,
})

function outcomeOf(report: Counts, sessions: number, at: string): WatchOutcome {
  const reasons = new Map<string, number>()
  for (const { why } of report.left) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  if (report.moreLeft > 0) reasons.set('more of the same', report.moreLeft)
  const { rows, imported, duplicates, importId } = report
  return {
    ...{ at, sessions, rows, imported, duplicates, importId, leftOut: leftCount(report) },
    reasons: [...reasons].map(([why, count]) => ({ why, count })),
  }
}
