import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, readKeys } from '../../src/main/api/program-keys'
import { kbRest } from '../../src/main/api/kb-rest'
import { callersWith, createRestGuard } from '../../src/main/api/rest-guard'
import { startUiServer } from '../../src/main/api/ui-server'
import { createExperienceBase } from '../../src/main/kb/experience-base'
import { openMemory } from '../../src/main/memory-store/memory'
import { experienceOf } from '../core/memory/experiences/fixtures'
import { benchEmbedder } from './bench-embedder'

// The door for programs under load: how long the searches of one client take, alone and while fifty connections of another ask as fast as they can; what those are
// answered; and when connections that send nothing, half a request, or a body a byte at a time are closed. Clients and host share one process, so times are longer than a program's.
const SEARCHES = 200
const CROWD = 50
const SLOW = 20
const LONGEST_WAIT_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'loam-doors-'))
await writeFile(join(folder, 'format.json'), '{}')
await writeFile(join(folder, 'index.html'), '')
const embedder = await benchEmbedder()
const memory = await openMemory({ folder: join(folder, 'memory'), embedder })
await memory.commit(
  Array.from({ length: 500 }, (_, n) => ({
    kind: 'experience-added' as const,
    experience: experienceOf(
      `e${n}`,
      `How is part ${n} of the ${['ferry', 'mill', 'tower'][n % 3] ?? ''} repaired?`,
    ),
  })),
)
const never = (): Promise<never> => Promise.reject(new Error('not used'))
const kb = createExperienceBase({
  memories: { open: () => Promise.resolve(memory) },
  clock: { now: () => new Date(0) },
  embedder: () => Promise.resolve(embedder),
  prompts: never,
  loadModel: never,
})
const [quiet, crowd] = await Promise.all(
  ['quiet', 'crowd'].map((name) => createKey(folder, { name, scopes: ['read'] }, new Date(0))),
)
const guard = createRestGuard({ caller: callersWith(() => readKeys(folder)) })
const server = await startUiServer({
  root: folder,
  port: 0,
  serveSocket: () => undefined,
  rest: kbRest({ kb, guard, defaultMemory: () => 'bench', opens: () => true }),
})
const descriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)

/** The status of one search, and how long it took in milliseconds. */
function search(token: string, agent: Agent): Promise<{ status: number; ms: number }> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ host: '127.0.0.1', port: server.port, path: '/search/hybrid', method: 'POST', agent },
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      },
      (answer) =>
        answer
          .on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - begun }))
          .resume(),
    )
    call.on('error', reject)
    call.end(JSON.stringify({ query: 'repair of the mill', top_k: 3 }))
  })
}

async function searches(token: string) {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  let served = 0
  for (let n = 0; n < SEARCHES; n++) {
    const { status, ms } = await search(token, agent)
    served += Number(status === 200)
    times.push(ms)
  }
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number): number =>
    Number((times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1))
  return { served, of: SEARCHES, p50: at(0.5), p95: at(0.95), longest: at(1) }
}

async function beside(token: string, other: string) {
  const counts: Record<string, number> = {}
  const end = new AbortController()
  const work = Array.from({ length: CROWD }, async () => {
    const agent = new Agent({ keepAlive: true })
    while (!end.signal.aborted) {
      const { status } = await search(other, agent)
      counts[status] = (counts[status] ?? 0) + 1
    }
    agent.destroy()
  })
  const quietly = await searches(token)
  end.abort()
  await Promise.all(work)
  return { quiet: quietly, crowd: counts }
}

/** Seconds until the server lets go of connections that say this, the last of them; null where some stay. */
async function patience(begin: string, drip: string): Promise<number | null> {
  const begun = performance.now()
  const closings = Array.from(
    { length: SLOW },
    () =>
      new Promise<number | null>((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(begin))
        const timer = drip === '' ? undefined : setInterval(() => socket.write(drip), 1000)
        const late = setTimeout(() => done(null), LONGEST_WAIT_MS)
        const done = (seconds: number | null): void => {
          clearInterval(timer)
          clearTimeout(late)
          socket.destroy()
          resolve(seconds)
        }
        socket.on('error', () => undefined)
        socket.on('close', () => done((performance.now() - begun) / 1000))
        socket.resume()
      }),
  )
  const seconds = await Promise.all(closings)
  return seconds.includes(null) ? null : Number(Math.max(...seconds.map((one) => one ?? 0)).toFixed(1))
}

const before = descriptors()
const alone = await searches(quiet ?? '')
const loaded = await beside(quiet ?? '', crowd ?? '')
const head = `POST /search/hybrid HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`
const body = `${head}Authorization: Bearer ${quiet ?? ''}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n`
const [silent, half, slow] = await Promise.all([patience('', ''), patience(head, ''), patience(body, '{')])
await new Promise((resolve) => setTimeout(resolve, 500))
const figures = {
  alone,
  ...loaded,
  ratioP50: Number((loaded.quiet.p50 / alone.p50).toFixed(2)),
  closedAfterS: { silent, half, slow },
  descriptors: { before, after: descriptors() },
}
await server.close()
await memory.close()
await rm(folder, { recursive: true, force: true })
process.stdout.write(`${JSON.stringify(figures)}\n`)
