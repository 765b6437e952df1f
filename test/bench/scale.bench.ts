import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRng } from '../../src/shared/random'
import { loadLanceDb } from '../../src/main/adapters/lancedb/load-lancedb'
import { PUBLISHED_RESCORED } from '../../src/main/adapters/lancedb/published-table'
import { vectorIndex } from '../../src/main/adapters/lancedb/vector-index'
import { folderBytes } from '../../src/main/memory-store/memory-folder'

/**
 * What one search of a published table reads, and its processor time, at growing sizes: every vector, and through the index that a large one has.
 * What is read is what crosses the network where the table lies on an object store. Clustered vectors; questions are rows, a little moved.
 * `LOAM_SCALE_SIZES` names the sizes. Then what a call takes where a hundred agents share a host, from what the proxy's bench noted.
 */
const SIZES = (process.env['LOAM_SCALE_SIZES'] ?? '10000,100000,200000').split(',').map(Number)
const DIMENSION = 384
const CLUSTERS = 200
const QUESTIONS = 30
const K = 10
const PER_WRITE = 10_000
const AGENTS = 100

const random = createRng('scale')
const centres = Array.from({ length: CLUSTERS }, () =>
  Array.from({ length: DIMENSION }, () => random.next() - 0.5),
)
const near = (centre: readonly number[], spread: number): number[] =>
  centre.map((value) => value + spread * (random.next() - 0.5))

/** Bytes that this process has read of files so far; NaN where the system does not tell. */
function bytesRead(): number {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

/** Calls a second that the gateway answers with recall and record at 100,000 memories, eight clients side by side, as `npm run bench proxy` noted it. */
function hostCallsPerS(): number {
  const noted = readFileSync(join(import.meta.dirname, '../../docs/results/bench/proxy.json'), 'utf8')
  const { figures: proxy } = JSON.parse(noted) as {
    figures: { 'gateway-both100000': { sideBySide: { perS: number } } }
  }
  return proxy['gateway-both100000'].sideBySide.perS
}

/** Agents that take turns at one host, each with pauses of `pauseS` seconds: calls a second, and seconds a call (exact mean value analysis). */
function turns(agents: number, pauseS: number, serviceS: number): { perS: number; secondsACall: number } {
  let [waiters, perS, secondsACall] = [0, 0, serviceS]
  for (let n = 1; n <= agents; n++) {
    secondsACall = serviceS * (1 + waiters)
    perS = n / (pauseS + secondsACall)
    waiters = perS * secondsACall
  }
  return { perS: Number(perS.toFixed(2)), secondsACall: Number(secondsACall.toFixed(3)) }
}

const folder = await mkdtemp(join(tmpdir(), 'loam-scale-'))
const library = await loadLanceDb()
const figures = []
try {
  for (const size of SIZES) {
    const uri = join(folder, String(size))
    const connection = await library.lancedb.connect(uri)
    const questions: number[][] = []
    const rowsFrom = (start: number): { id: string; vector: number[] }[] =>
      Array.from({ length: Math.min(PER_WRITE, size - start) }, (_, i) => {
        const vector = near(random.pick(centres), 0.6)
        if ((start + i) % Math.ceil(size / QUESTIONS) === 0) questions.push(near(vector, 0.2))
        return { id: `${start + i}`, vector }
      })
    const table = await connection.createTable('items', rowsFrom(0))
    for (let start = PER_WRITE; start < size; start += PER_WRITE) await table.add(rowsFrom(start))
    const tableBytes = await folderBytes(uri)
    table.close()
    /** Opened anew, so that nothing is held of earlier searches. */
    const ask = async () => {
      const reader = await connection.openTable('items')
      const vectors = vectorIndex(reader, library, { exactRows: size, rescored: PUBLISHED_RESCORED })
      const answers: Set<string>[] = []
      let [first, later, cpu] = [0, 0, 0]
      for (const [i, question] of questions.entries()) {
        const [before, began] = [bytesRead(), process.cpuUsage()]
        const query = await vectors.nearest(Float32Array.from(question), K)
        const rows = (await query.select(['id', '_distance']).limit(K).toArray()) as { id: string }[]
        const { user, system } = process.cpuUsage(began)
        answers.push(new Set(rows.map(({ id }) => id)))
        if (i === 0) first = bytesRead() - before
        else {
          later += bytesRead() - before
          cpu += user + system
        }
      }
      reader.close()
      const others = questions.length - 1
      const kB = (bytes: number): number => Math.round(bytes / 1000)
      return {
        answers,
        cost: {
          firstKB: kB(first),
          laterKB: kB(later / others),
          cpuMs: Number((cpu / 1000 / others).toFixed(2)),
        },
      }
    }
    const whole = await ask()
    const began = process.cpuUsage()
    const writer = await connection.openTable('items')
    await vectorIndex(writer, library, { exactRows: 0 }).train()
    writer.close()
    const { user, system } = process.cpuUsage(began)
    const indexed = await ask()
    let matches = 0
    for (const [i, answer] of indexed.answers.entries())
      for (const id of answer) if (whole.answers[i]?.has(id) === true) matches++
    figures.push({
      rows: size,
      tableMB: Math.round(tableBytes / 1e6),
      indexMB: Math.round(((await folderBytes(uri)) - tableBytes) / 1e6),
      buildCpuS: Number(((user + system) / 1e6).toFixed(1)),
      whole: whole.cost,
      indexed: { ...indexed.cost, recall: Number((matches / (questions.length * K)).toFixed(3)) },
    })
    connection.close()
    console.error(JSON.stringify(figures.at(-1)))
  }
  const agents = [5, 10, 30].map((pauseS) => ({ pauseS, ...turns(AGENTS, pauseS, 1 / hostCallsPerS()) }))
  console.log(JSON.stringify({ bench: 'scale', dimension: DIMENSION, k: K, sizes: figures, agents }))
} finally {
  await rm(folder, { recursive: true, force: true })
}
