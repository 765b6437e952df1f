import { readFile } from 'node:fs/promises'
import inspector from 'node:inspector'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { findPackageRoot } from '../ground/resources'
import { rename } from '../ground/steady-files'
import type { UnansweredReport, WatchOrders } from './orders'

/** How often the host says that it answers. */
const BEAT_MS = 500
/** Default of `limitMs`. */
const LIMIT_MS = 60_000
const TEXT_BYTES = 2048

export interface WatchdogOptions {
  readonly dataPath: string
  /** What is at work, in words without content; asked with every beat. */
  readonly work: () => string
  /** Milliseconds without an answer after which the host is ended. Default 60,000. */
  readonly limitMs?: number
  /** How it is started again. Default: as this process was; null: it is only ended. */
  readonly restart?: WatchOrders['restart']
}

const reportFile = (dataPath: string): string => join(dataPath, 'unanswered.json')
const toldFile = (dataPath: string): string => join(dataPath, 'unanswered.last.json')

/**
 * Watches the host from a thread of its own: one that does not answer (its event loop stands still) is written down with what was at work and
 * where its code was, the folder's lock is given free, and it is ended and started again, once in ten minutes. Nobody is watched in a debugger.
 */
export function startWatchdog({ dataPath, work, limitMs = LIMIT_MS, restart }: WatchdogOptions): {
  stop(): Promise<void>
} {
  if (inspector.url() !== undefined) return { stop: () => Promise.resolve() }
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const text = new Uint8Array(new SharedArrayBuffer(TEXT_BYTES))
  const orders: WatchOrders = {
    beats: beats.buffer as SharedArrayBuffer,
    text: text.buffer as SharedArrayBuffer,
    limitMs,
    report: reportFile(dataPath),
    told: toldFile(dataPath),
    lock: join(dataPath, 'lock'),
    restart:
      restart === undefined
        ? { command: process.execPath, args: [...process.execArgv, ...process.argv.slice(1)] }
        : restart,
  }
  const beat = (): void => {
    const bytes = new TextEncoder().encode(work()).subarray(0, TEXT_BYTES - 1)
    text.fill(0)
    text.set(bytes)
    Atomics.add(beats, 0, 1)
  }
  beat()
  const timer = setInterval(beat, BEAT_MS).unref()
  const thread = new Worker(join(findPackageRoot(import.meta.dirname), 'out', 'main', 'watchdog.js'), {
    workerData: orders,
  })
  thread.unref()
  // A thread that fails leaves the host as it is without one.
  thread.on('error', () => clearInterval(timer))
  return {
    async stop() {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}

const reportSchema = z.object({
  at: z.string(),
  pid: z.number(),
  silentMs: z.number(),
  work: z.string(),
  place: z.array(z.string()),
  startedAgain: z.boolean(),
})

/** Why the host before this one was ended; null where it was not. It is told once: the file is called `unanswered.last.json` from then on. */
export async function takeUnanswered(dataPath: string): Promise<UnansweredReport | null> {
  try {
    const report = reportSchema.parse(JSON.parse(await readFile(reportFile(dataPath), 'utf8')))
    await rename(reportFile(dataPath), toldFile(dataPath))
    return report
  } catch {
    return null
  }
}

/** It in words for a person. */
export const unansweredWords = ({ at, silentMs, work, place }: UnansweredReport): string =>
  `Loam did not answer for ${Math.round(silentMs / 1000)} s and was ended at ${at}. At work: ${work === '' ? 'nothing that is known' : work}.${place[0] === undefined ? '' : ` Its code was in ${place[0]}.`}`
