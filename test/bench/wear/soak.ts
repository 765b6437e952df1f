import type { ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { statesOf } from '../../../src/shared/feed'
import { childrenOf, connectTo, startHeadless } from '../../main/headless-process'
import { ASK } from './folder'

/** What a host and its engine hold at rest, and what lies on the disk. */
export interface Sample {
  readonly when: string
  readonly asks: number
  readonly tasks: number
  readonly descriptors: number
  /** MiB that the host still holds once its garbage was collected: its objects, and what lies outside of them for them. */
  readonly heldMiB: number
  /** Resident MiB, of the host and of its children. */
  readonly hostMiB: number
  readonly childrenMiB: number
  readonly diskMiB: number
}

/** What a sample is called, and the share of asks and tasks that is over by then. */
const SAMPLES = [
  ['warm', 0.2],
  ['two fifths', 0.4],
  ['three fifths', 0.6],
  ['four fifths', 0.8],
  ['end', 1],
] as const

/** Tasks of one run; there are no more in the stream. */
const RUN_TASKS = 100

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Opens a host's inspector; `held` collects its garbage and says what is left, in MiB. */
async function inspect({ pid, stderr }: ChildProcess) {
  const address = new Promise<string>((found) => {
    let text = ''
    stderr?.on('data', (chunk) => {
      const match = /Debugger listening on (ws:\S+)/.exec((text += String(chunk)))
      if (match?.[1]) found(match[1])
    })
  })
  process.kill(pid ?? 0, 'SIGUSR1')
  const socket = new WebSocket(await address)
  await once(socket, 'open')
  let last = 0
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++last
    socket.send(JSON.stringify({ id, method, params }))
    for await (const [data] of on(socket, 'message')) {
      const answer = JSON.parse(String(data)) as { id?: number; result?: unknown }
      if (answer.id === id) return answer.result
    }
    return null
  }
  return {
    async held(): Promise<number> {
      await call('HeapProfiler.collectGarbage')
      const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
      const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: number } }
      return result.value / 1024 / 1024
    },
    close: (): void => socket.terminate(),
  }
}

async function diskOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  return bytes / 1024 / 1024
}

/**
 * A built host answers asks and plays tasks with the demo model, for as long as it takes: a sample after each fifth of both, of which the first is
 * the warm-up. Only on Linux.
 */
export async function soak(
  data: string,
  asks: number,
  tasks: number,
  tell: (sample: Sample) => Promise<void>,
): Promise<void> {
  // Beside others that are inspected.
  process.env['NODE_OPTIONS'] = '--inspect-port=0'
  const host = startHeadless(data)
  const pid = host.child.pid ?? 0
  const inspector = await host.url.then(() => inspect(host.child))
  let [asked, played] = [0, 0]
  try {
    const { client, closed } = await connectTo(await host.url)
    closed.catch(() => undefined)
    const sample = async (when: string): Promise<void> => {
      // What was given free is not always given back at once.
      const readings: { descriptors: number; hostMiB: number; childrenMiB: number }[] = []
      for (let i = 0; i < 10; i++) {
        await sleep(500)
        const childrenMiB = childrenOf(pid).reduce((sum, child) => sum + residentOf(child), 0)
        readings.push({ descriptors: descriptorsOf(pid), hostMiB: residentOf(pid), childrenMiB })
      }
      const least = (key: 'descriptors' | 'hostMiB' | 'childrenMiB'): number =>
        Math.min(...readings.map((reading) => reading[key]))
      const heldMiB = await inspector.held()
      await tell({
        ...{ when, asks: asked, tasks: played, descriptors: least('descriptors') },
        ...{
          heldMiB,
          hostMiB: least('hostMiB'),
          childrenMiB: least('childrenMiB'),
          diskMiB: await diskOf(data),
        },
      })
    }
    const ask = async (): Promise<void> => {
      const { id } = await client.asks.start({ ...ASK, world: { ...ASK.world, index: asked++ % 120 } })
      // As the window does it, since what was watched may leave something behind.
      for await (const { ask: request } of statesOf(await client.asks.watch({ askId: id })))
        if (!/waiting|working/.test(request.status)) break
    }
    const run = async (count: number): Promise<void> => {
      const { id } = await client.runs.start({
        ...{ stream: 'house-rules-a', method: 'case-bank', tasks: count, seed: played, maxTokens: 96 },
      } as never)
      for (;;) {
        const { status } = await client.runs.get({ runId: id })
        if (status === 'done') break
        if (status !== 'running' && status !== 'queued') throw new Error(`A run of the soak is ${status}.`)
        await sleep(100)
      }
      played += count
    }
    const reach = async (share: number): Promise<void> => {
      while (asked < asks * share || played < tasks * share) {
        // Side by side in time, so that neither waits for the end of the other.
        if (asked < asks * share) for (let i = 0; i < 20 && asked < asks * share; i++) await ask()
        if (played < tasks * share) await run(Math.min(RUN_TASKS, tasks - played))
      }
    }
    for (const [when, share] of SAMPLES) {
      await reach(share)
      await sample(when)
    }
  } finally {
    inspector.close()
    host.child.kill('SIGTERM')
    await host.ended
  }
}
