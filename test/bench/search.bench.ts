import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  benchCorpus,
  benchSystems,
  K,
  type BenchQuery,
  type BenchRow,
  type BenchSystem,
} from './search-systems'

// What a search costs, side by side with sqlite-vec + FTS5 and MiniSearch + hnswlib, in one process, query by query, the order turning: medians of CPU
// milliseconds, and Loam's as a share of the best peer's. SIZES=1000,10000, ROUNDS=60, PEERS=sqlite choose. Then, in a process of its own, opening from disk with the first search, and memory after 21.
const root = join(fileURLToPath(new URL('.', import.meta.url)), '..', '..')
const SIZES = (process.env['SIZES'] ?? '1000,10000,30000').split(',').map(Number)
const ROUNDS = Number(process.env['ROUNDS'] ?? 60)
const SEARCHES = 21
const names = process.env['PEERS']?.split(',')
const systems = Object.fromEntries(
  Object.entries(benchSystems(root)).filter(([name]) => name === 'loam' || (names?.includes(name) ?? true)),
)
const WAYS = ['words', 'meaning', 'hybrid', 'hybrid after a write'] as const

const cpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const median = (samples: readonly number[]): number =>
  [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
const round = (value: number): number => Number(value.toPrecision(3))

async function search(system: BenchSystem, way: (typeof WAYS)[number], query: BenchQuery): Promise<number[]> {
  return way === 'words'
    ? system.words(query)
    : way === 'meaning'
      ? system.meaning(query)
      : system.hybrid(query)
}

function exactly(rows: readonly BenchRow[], { vector }: BenchQuery): number[] {
  const scores = rows.map(({ n, vector: own }) => ({
    n,
    score: own.reduce((sum, value, i) => sum + value * (vector[i] ?? 0), 0),
  }))
  return scores
    .sort((a, b) => b.score - a.score)
    .slice(0, K)
    .map(({ n }) => n)
}

async function compare(folder: string, size: number) {
  const corpus = benchCorpus(root)
  const rows = Array.from({ length: size }, (_, n) => corpus.row(n))
  const open: [string, BenchSystem][] = []
  const build: Record<string, number> = {}
  for (const [name, opener] of Object.entries(systems)) {
    const begun = performance.now()
    const system = await opener(folder, size + ROUNDS)
    await system.fill(rows)
    build[name] = Math.round(performance.now() - begun)
    open.push([name, system])
  }
  const samples = new Map<string, number[]>()
  const recall = new Map(open.map(([name]) => [name, 0]))
  for (let i = 0; i < ROUNDS; i++) {
    const query = corpus.query()
    const extra = corpus.row(size + i)
    for (const way of WAYS) {
      open.push(...open.splice(0, 1))
      for (const [name, system] of open) {
        if (way === 'hybrid after a write') await system.add(extra)
        const begun = cpu()
        const found = await search(system, way, query)
        const spent = cpu() - begun
        const key = `${way}, ${name}`
        // The first ones compile and read what is read once.
        if (i >= 5) samples.set(key, [...(samples.get(key) ?? []), spent])
        if (way === 'meaning' && i < 20) {
          const exact = new Set(exactly(rows, query))
          recall.set(
            name,
            (recall.get(name) ?? 0) + found.filter((n) => exact.has(n)).length / K / Math.min(20, ROUNDS),
          )
        }
      }
    }
    rows.push(extra)
  }
  for (const [, system] of open) await system.close()
  const medians = Object.fromEntries(
    WAYS.map((way) => [
      way,
      Object.fromEntries(
        open.map(([name]) => [name, round(median(samples.get(`${way}, ${name}`) ?? []))]).sort(),
      ),
    ]),
  ) as Record<(typeof WAYS)[number], Record<string, number>>
  const ratios = Object.fromEntries(
    WAYS.map((way) => {
      const { loam = 0, ...peers } = medians[way]
      return [way, round(loam / Math.min(...Object.values(peers)))]
    }),
  )
  return {
    build,
    cpuMs: medians,
    shareOfBestPeer: ratios,
    recallAt10: Object.fromEntries([...recall].map(([name, share]) => [name, round(share)])),
  }
}

/** Opens from disk in a process of its own. */
function reopen(name: string, folder: string): unknown {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', fileURLToPath(import.meta.url)],
    {
      env: { ...process.env, LOAM_BENCH_REOPEN: JSON.stringify({ name, folder }) },
      encoding: 'utf8',
    },
  )
  return JSON.parse(child.stdout.trimEnd().split('\n').at(-1) ?? 'null')
}

async function measureOpening({
  name,
  folder,
}: {
  readonly name: string
  readonly folder: string
}): Promise<void> {
  const corpus = benchCorpus(root)
  const first = corpus.query()
  const warm = await mkdtemp(join(tmpdir(), 'loam-search-warm-'))
  // Libraries are loaded before the clock starts.
  const other = await systems[name]?.(warm, 10)
  await other?.close()
  await rm(warm, { recursive: true, force: true })
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  const [rss, begun, begunCpu] = [process.memoryUsage().rss, performance.now(), cpu()]
  const system = await systems[name]?.(folder, 10)
  if (!system) throw new Error(`No system ${name}`)
  await system.hybrid(first)
  const [wallMs, cpuMs] = [performance.now() - begun, cpu() - begunCpu]
  for (let i = 1; i < SEARCHES; i++) await system.hybrid(corpus.query())
  collect?.()
  const mib = (process.memoryUsage().rss - rss) / 2 ** 20
  await system.close()
  console.log(JSON.stringify({ wallMs: round(wallMs), cpuMs: round(cpuMs), mib: round(mib) }))
}

const job = process.env['LOAM_BENCH_REOPEN']
if (job !== undefined) await measureOpening(JSON.parse(job) as Parameters<typeof measureOpening>[0])
else {
  const figures: Record<string, unknown> = {}
  for (const size of SIZES) {
    const folder = await mkdtemp(join(tmpdir(), 'loam-search-'))
    try {
      const warm = await compare(folder, size)
      const opening = Object.fromEntries(
        Object.keys(systems)
          .filter((name) => !name.startsWith('minisearch'))
          .map((name) => [name, reopen(name, folder)]),
      )
      figures[size] = { ...warm, opening }
      console.log(`${size} rows: ${JSON.stringify(figures[size], null, 1)}`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  console.log(JSON.stringify(figures))
}
