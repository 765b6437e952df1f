import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { fileAge } from '../ground/file-age'
import type { WatchOrders, UnansweredReport } from './orders'

/** How often the thread looks. */
const TICK_MS = 500
/** How long the host is asked where it is. */
const ASK_MS = 3000
/** A host that stopped answering twice within this time is not started a third time. */
const AGAIN_MS = 10 * 60_000
const MOST_FRAMES = 12

const orders = workerData as WatchOrders
const beats = new Int32Array(orders.beats)
const text = new Uint8Array(orders.text)

/** What was at work at the last beat, in words. */
function readWork(): string {
  const copy = Uint8Array.from(text)
  const end = copy.indexOf(0)
  return new TextDecoder().decode(copy.subarray(0, end < 0 ? copy.length : end))
}

/** The functions that the host's thread is in, innermost first: names and places of Loam's own code, no values. */
async function readPlace(): Promise<string[]> {
  const session = new Session()
  try {
    session.connectToMainThread()
    const paused = new Promise<string[]>((resolve) => {
      session.once('Debugger.paused', ({ params }) =>
        resolve(
          params.callFrames
            .slice(0, MOST_FRAMES)
            .map(
              ({ functionName, url, location }) =>
                `${functionName || '(no name)'} ${basename(url)}:${location.lineNumber + 1}`,
            ),
        ),
      )
    })
    const request = session.post('Debugger.enable').then(() => session.post('Debugger.pause'))
    request.catch(() => undefined)
    return await Promise.race([paused, sleep(ASK_MS).then((): string[] => [])])
  } catch {
    return []
  }
}

const ageOf = (path: string): number => {
  try {
    return fileAge(statSync(path))
  } catch {
    return Infinity
  }
}

function write(report: UnansweredReport): void {
  const file = openSync(orders.report, 'w', 0o600)
  writeSync(file, `${JSON.stringify(report, null, 2)}\n`)
  fsyncSync(file)
  closeSync(file)
}

/** Gives the folder free, if it is still this host's. */
function freeLock(): void {
  const holder = JSON.parse(readFileSync(orders.lock, 'utf8')) as { pid?: unknown }
  if (holder.pid === process.pid) rmSync(orders.lock, { force: true })
}

async function end(silentMs: number): Promise<never> {
  const place = await readPlace()
  const isSecond = Math.min(ageOf(orders.report), ageOf(orders.told)) < AGAIN_MS
  const restart = isSecond ? null : orders.restart
  try {
    write({
      at: new Date().toISOString(),
      pid: process.pid,
      silentMs,
      work: readWork(),
      place,
      startedAgain: restart !== null,
    })
  } finally {
    try {
      freeLock()
    } catch {
      // A lock that is gone, or that cannot be removed, is taken over once this process is gone.
    }
    if (restart)
      spawn(restart.command, [...restart.args], {
        detached: true,
        stdio: 'inherit',
        env: process.env,
      }).unref()
    process.kill(process.pid, 'SIGKILL')
  }
  return sleep(AGAIN_MS) as Promise<never>
}

let last = -1
let silent = 0
for (;;) {
  await sleep(TICK_MS)
  const beat = Atomics.load(beats, 0)
  // Ticks are counted, not time: a machine that slept woke this thread together with the host.
  silent = beat === last ? silent + 1 : 0
  last = beat
  if (silent * TICK_MS >= orders.limitMs) await end(silent * TICK_MS)
}
