import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { lexicalEmbedder } from '../../src/core/memory/retrieval/lexical-embedder'
import { createRng } from '../../src/core/random'
import { openSpace, type Space } from '../../src/main/adapters/lancedb/space'
import { folderBytes } from '../../src/main/adapters/lancedb/space-folder'
import { experienceOf } from '../core/memory/experiences/fixtures'
import { buildLabelledSet, hasLabelledData, type RetrievalFigures } from '../fixtures/kb/labelled-set'
import { RETRIEVAL_MODES, searchFold, type ModeFigures } from '../fixtures/kb/measure-modes'

// Agent KB: how well and how fast experiences are found (k = 3, lexical-384, queries already embedded, texts read from the journal).
// LOAM_BENCH_EXPERIENCES=1000,10000,100000,1000000 measures other sizes.
const SIZES = (process.env['LOAM_BENCH_EXPERIENCES'] ?? '1000,10000').split(',').map(Number)
const QUERIES = 200
const EXACT_QUERIES = 50
const PER_COMMIT = 50
const DIMENSION = lexicalEmbedder.dimension
const rng = createRng('experience bench')
const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

const words = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + rng.int(3) }, () =>
    rng.pick(['ba', 'ke', 'lo', 'mi', 'ru', 'ta', 'vo', 'sin', 'der']),
  ).join(''),
)
/** Words as they are in a language: a few very often, most seldom. */
const word = (): string => words[Math.floor(words.length * rng.next() ** 3)] ?? ''
const textOf = (count: number): string => Array.from({ length: count }, word).join(' ')

function percentiles(samples: readonly number[]): { p50: number; p95: number } {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number): number => round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return { p50: at(0.5), p95: at(0.95) }
}

async function grow(space: Space, vectors: Float32Array, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += PER_COMMIT) {
    const texts = Array.from(
      { length: Math.min(PER_COMMIT, to - start) },
      (_, i) => `${textOf(24)} order ${start + i}`,
    )
    const made = await lexicalEmbedder.embed(texts)
    made.forEach((vector, i) => {
      vectors.set(vector, (start + i) * DIMENSION)
    })
    await space.commit(
      texts.map((text, i) => ({
        kind: 'experience-added' as const,
        experience: experienceOf(`e${start + i}`, text),
      })),
    )
  }
  await space.tidy()
}

/** Share of the exact 10 nearest that the index finds. */
async function recallAt10(space: Space, vectors: Float32Array, count: number): Promise<number> {
  let found = 0
  for (let n = 0; n < EXACT_QUERIES; n++) {
    const [query = new Float32Array()] = await lexicalEmbedder.embed([textOf(12)])
    const scores = Array.from({ length: count }, (_, row) => {
      let dot = 0
      for (let i = 0; i < DIMENSION; i++) dot += (vectors[row * DIMENSION + i] ?? 0) * (query[i] ?? 0)
      return { id: `e${row}`, dot }
    })
    const exact = new Set(
      scores
        .sort((a, b) => b.dot - a.dot)
        .slice(0, 10)
        .map(({ id }) => id),
    )
    const hits = await space.experiences.nearest(query, 10)
    found += hits.filter(({ id }) => exact.has(id)).length
  }
  return round(found / (10 * EXACT_QUERIES), 4)
}

/** `cpuMs`: processor time per query, LanceDB's threads included; the figure to compare on a busy machine. */
async function latency(space: Space): Promise<Record<string, { p50: number; p95: number; cpuMs: number }>> {
  const times: Record<string, { p50: number; p95: number; cpuMs: number }> = {}
  for (const mode of RETRIEVAL_MODES) {
    const samples: number[] = []
    let cpu = 0
    for (let n = 0; n < QUERIES; n++) {
      const text = textOf(10)
      const [vector = new Float32Array()] = await lexicalEmbedder.embed([text])
      const [begun, before] = [performance.now(), process.cpuUsage()]
      await space.experiences.search({ text, mode, k: 3, vector })
      const { user, system } = process.cpuUsage(before)
      if (n < 10) continue
      samples.push(performance.now() - begun)
      cpu += (user + system) / 1000
    }
    times[mode] = { ...percentiles(samples), cpuMs: round(cpu / samples.length) }
  }
  return times
}

async function inFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-bench-'))
  try {
    return await body(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function quality(data: string): Promise<Record<string, RetrievalFigures>> {
  const folds: ModeFigures[] = []
  for (const fold of buildLabelledSet(data).test)
    await inFolder(async (folder) => {
      const space = await openSpace({ folder, embedder: lexicalEmbedder })
      folds.push(await searchFold(space, fold))
      await space.close()
    })
  const figures: Record<string, RetrievalFigures> = {}
  for (const mode of RETRIEVAL_MODES) {
    const queries = folds.reduce((sum, fold) => sum + fold[mode].queries, 0)
    const mean = (name: 'recallAt3' | 'mrr'): number =>
      round(folds.reduce((sum, fold) => sum + fold[mode][name] * fold[mode].queries, 0) / queries, 4)
    figures[mode] = { queries, recallAt3: mean('recallAt3'), mrr: mean('mrr') }
  }
  return figures
}

const figures: Record<string, unknown> = {}
const data = resolve('../shared/data/lifelongagentbench')
if (hasLabelledData(data)) {
  figures['quality'] = await quality(data)
  process.stdout.write(`${JSON.stringify(figures['quality'])}\n`)
} else process.stdout.write('The labelled data sets are not here; retrieval quality is not measured.\n')

await inFolder(async (folder) => {
  const space = await openSpace({ folder, embedder: lexicalEmbedder })
  const vectors = new Float32Array(Math.max(...SIZES) * DIMENSION)
  let count = 0
  for (const size of SIZES) {
    await grow(space, vectors, count, size)
    count = size
    const measured = {
      ...(await latency(space)),
      recallAt10: await recallAt10(space, vectors, count),
      indexBytes: await folderBytes(join(folder, 'lance-experiences')),
      rssBytes: process.memoryUsage().rss - vectors.byteLength,
    }
    figures[`experiences${size}`] = measured
    process.stdout.write(`${size} experiences: ${JSON.stringify(measured)}\n`)
  }
  await space.close()
})
process.stdout.write(JSON.stringify({ unit: 'ms', k: 3, ...figures }) + '\n')
