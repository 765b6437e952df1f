import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { lexicalEmbedder } from '../../src/core/retrieval/lexical-embedder'
import { openMemory, type StoredMemory } from '../../src/main/memory-store/memory'
import { experienceOf } from '../core/memory/experiences/fixtures'
import { generatedQuestions } from '../fixtures/kb/generated-questions'
import { buildLabelledSet, hasLabelledData, type RetrievalFigures } from '../fixtures/kb/labelled-set'
import type { ScaleTask } from '../fixtures/kb/measure-scale.ts'
import { timeOf } from '../main/memory-store/fixtures'
import { RETRIEVAL_MODES, searchFold, type ModeFigures } from '../fixtures/kb/measure-modes'

// Agent KB: how well and how fast experiences are found (k = 3, lexical-384, queries already embedded, texts read from the journal).
// LOAM_BENCH_EXPERIENCES=1000,10000,100000,1000000 measures other sizes; the last takes about a quarter of an hour and 6 GB of disk.
const SIZES = (process.env['LOAM_BENCH_EXPERIENCES'] ?? '1000,10000').split(',').map(Number)
const QUERIES = 320
const PER_COMMIT = 50
const DIMENSION = lexicalEmbedder.dimension
const ADDITIONS = 10
/** Indexed once, when grown; what is measured is a memory opened with the defaults. */
const GROWING = { pendingRows: 4096, unindexedRows: Infinity, idleMs: 0 }
const MEASURE = resolve(import.meta.dirname, '../fixtures/kb/measure-scale.ts')
const round = (value: number, digits = 2): number => Number(value.toFixed(digits))

/** Adds experiences until there are `to`; their vectors go to `file` too. */
async function grow(
  memory: StoredMemory,
  next: () => string,
  file: FileHandle,
  from: number,
  to: number,
): Promise<void> {
  for (let start = from; start < to; start += PER_COMMIT) {
    const texts = Array.from({ length: Math.min(PER_COMMIT, to - start) }, next)
    const vectors = new Float32Array(texts.length * DIMENSION)
    const made = await lexicalEmbedder.embed(texts)
    made.forEach((vector, i) => {
      vectors.set(vector, i * DIMENSION)
    })
    await file.write(Buffer.from(vectors.buffer))
    await memory.commit(
      texts.map((text, i) => ({
        kind: 'experience-added' as const,
        experience: experienceOf(`e${start + i}`, text),
      })),
    )
  }
}

/** Milliseconds of a commit of one experience, and of the search right after it, which has to find it. */
async function additions(
  memory: StoredMemory,
  next: () => string,
): Promise<{ commitMs: number; searchMs: number }> {
  const [commits, searches]: [number[], number[]] = [[], []]
  for (let n = 0; n < ADDITIONS; n++) {
    const id = `fresh-${[...memory.experiences.entries()].length}`
    const text = `${next()} ${id}`
    const begun = performance.now()
    await memory.commit([{ kind: 'experience-added', experience: experienceOf(id, text) }])
    const committed = performance.now()
    const [hit] = await memory.experiences.search({ text, mode: 'hybrid', k: 1 })
    commits.push(committed - begun)
    searches.push(performance.now() - committed)
    if (hit?.experience.id !== id) throw new Error(`The search after its commit did not find ${id}`)
    await memory.commit([{ kind: 'experience-evicted', experienceId: id, score: 0, at: timeOf(1) }])
  }
  const median = (samples: number[]): number =>
    round(samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0)
  return { commitMs: median(commits), searchMs: median(searches) }
}

async function measure(task: ScaleTask): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, ['--import', 'tsx', MEASURE, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`Measuring failed with ${String(code)}`)
  return JSON.parse(output) as Record<string, unknown>
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
      const memory = await openMemory({ folder, embedder: lexicalEmbedder })
      folds.push(await searchFold(memory, fold))
      await memory.close()
    })
  const figures: Record<string, RetrievalFigures> = {}
  for (const mode of RETRIEVAL_MODES) {
    const queries = folds.reduce((sum, fold) => sum + fold[mode].queries, 0)
    const mean = (name: 'recallAt3' | 'recallAt5' | 'mrr'): number =>
      round(folds.reduce((sum, fold) => sum + fold[mode][name] * fold[mode].queries, 0) / queries, 4)
    figures[mode] = { queries, recallAt3: mean('recallAt3'), recallAt5: mean('recallAt5'), mrr: mean('mrr') }
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
  const [memoryFolder, vectors] = [join(folder, 'space'), join(folder, 'vectors.f32')]
  const next = generatedQuestions('experience bench')
  const file = await open(vectors, 'a')
  let count = 0
  for (const size of SIZES) {
    const memory = await openMemory({ folder: memoryFolder, embedder: lexicalEmbedder, tuning: GROWING })
    const begun = performance.now()
    await grow(memory, next, file, count, size)
    const growMs = round(performance.now() - begun, 0)
    await memory.tidy()
    const tidyMs = round(performance.now() - begun - growMs, 0)
    const added = await additions(memory, next)
    await memory.close()
    const queries = Array.from({ length: QUERIES }, next)
    const measured = { ...(await measure({ memory: memoryFolder, vectors, queries })), added, growMs, tidyMs }
    figures[`experiences${size}`] = measured
    process.stdout.write(`${size} experiences: ${JSON.stringify(measured)}\n`)
    count = size
  }
  await file.close()
})
process.stdout.write(JSON.stringify({ unit: 'ms', k: 3, ...figures }) + '\n')
