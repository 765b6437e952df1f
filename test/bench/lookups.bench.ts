import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aMem } from '../../src/core/methods/amem/amem'
import { caseBank } from '../../src/core/methods/case-bank/case-bank'
import type { MethodContext } from '../../src/core/ground/method'
import type { MemoryEvent } from '../../src/core/ground/ports'
import { findGenerator } from '../../src/core/tasks/generators'
import { lexicalEmbedder } from '../../src/core/retrieval/lexical-embedder'
import { openMemory, type StoredMemory } from '../../src/main/memory-store/memory'
import { folderBytes } from '../../src/main/memory-store/memory-folder'
import { mean } from '../../src/shared/figures/mean'
import { experienceOf } from '../core/memory/experiences/fixtures'
import { generatedQuestions } from '../fixtures/kb/generated-questions'
import { attempt, timeOf, trajectoryOf } from '../main/memory-store/fixtures'

// Agent KB, figure 4: what one lookup takes, and what a store takes, beside rivals: A-MEM's notes and a case bank. Each store holds the
// same made-up tasks, is opened by a process of its own, and gives three things for a task (texts read, nothing embedded but the task).
// LOAM_BENCH_LOOKUPS=100000 measures other sizes, LOAM_BENCH_STORES=1 fewer stores of each, LOAM_BENCH_TASKS=house-rules or workplaces tasks
// of the worlds from 2131 on, one for each store.
const SIZES = (process.env['LOAM_BENCH_LOOKUPS'] ?? '1000,10000').split(',').map(Number)
const SEEDS = Array.from({ length: Number(process.env['LOAM_BENCH_STORES'] ?? '5') }, (_, n) => n + 1)
const LOOKUPS = 100
const WARM_UP = 10
const K = 3
const FAMILY = process.env['LOAM_BENCH_TASKS']

/** Tasks to keep, or others to ask about. */
function wordingsOf(seed: number, use: 'kept' | 'asked'): () => string {
  if (FAMILY === undefined)
    return generatedQuestions(use === 'kept' ? `lookups ${seed}` : `lookups asked ${seed}`)
  const all = findGenerator(FAMILY).generate(2130 + seed, WARM_UP + LOOKUPS + Math.max(...SIZES))
  const texts = all.map((entry) => (entry as { readonly instruction: string }).instruction)
  const own = (use === 'asked' ? texts.slice(0, WARM_UP + LOOKUPS) : texts.slice(WARM_UP + LOOKUPS)).values()
  return () => own.next().value ?? ''
}

/** What a task leaves in each store. */
const STORES: Readonly<Record<string, (n: number, text: string) => MemoryEvent[]>> = {
  'agent-kb': (n, text) => [{ kind: 'experience-added', experience: experienceOf(`e${n}`, text) }],
  amem: (n, text) => {
    const trajectory = trajectoryOf(`n${n}`)
    const words = text.split(' ').slice(0, 4)
    const note = { id: `n${n}`, runId: 'r1', environment: 'lab-db', trajectoryIds: [trajectory.id] }
    const about = { title: text, keywords: words, tags: words.slice(0, 2), context: text, links: [] }
    return [
      { kind: 'trajectory-added', trajectory },
      { kind: 'memory-added', memory: { kind: 'note', ...note, createdAt: timeOf(n), ...about } },
    ]
  },
  'case-bank': attempt,
}

/** How many things it came to. */
async function lookUp(store: string, memory: StoredMemory, instruction: string): Promise<number> {
  if (store === 'agent-kb')
    return (await memory.experiences.search({ text: instruction, mode: 'hybrid', k: K })).length
  const task = { ...trajectoryOf('asked').task, instruction, payload: null }
  const context = { bank: memory, embedder: lexicalEmbedder, k: K, settings: {}, seed: 1 } as unknown
  const method = store === 'amem' ? aMem : caseBank
  const { retrieved } = await method.recall({ task, context: '' }, context as MethodContext)
  return retrieved.length
}

const percentile = (samples: readonly number[], share: number): number =>
  [...samples].sort((a, b) => a - b)[Math.floor(share * (samples.length - 1))] ?? 0

/** In a process of its own: opens a store and looks things up. */
async function measure(store: string, folder: string, seed: number): Promise<void> {
  const memory = await openMemory({ folder, embedder: lexicalEmbedder })
  const next = wordingsOf(seed, 'asked')
  const [waits, works]: [number[], number[]] = [[], []]
  for (let n = 0; n < WARM_UP + LOOKUPS; n++) {
    const text = next()
    const [begun, before] = [performance.now(), process.cpuUsage()]
    const count = await lookUp(store, memory, text)
    const { user, system } = process.cpuUsage(before)
    if (count !== K) throw new Error(`${store} gave ${count} of ${K} for: ${text}`)
    if (n < WARM_UP) continue
    waits.push(performance.now() - begun)
    works.push((user + system) / 1000)
  }
  const { rss } = process.memoryUsage()
  await memory.close()
  const figures = {
    p50: percentile(waits, 0.5),
    cpuMs: mean(works) ?? 0,
    rssMiB: rss / 2 ** 20,
    diskMiB: (await folderBytes(folder)) / 2 ** 20,
  }
  process.stdout.write(JSON.stringify(figures))
}

async function inStore<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-bench-'))
  try {
    return await body(join(folder, 'space'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function figuresOf(store: string, size: number, seed: number): Promise<Record<string, number>> {
  return inStore(async (folder) => {
    const memory = await openMemory({ folder, embedder: lexicalEmbedder })
    const next = wordingsOf(seed, 'kept')
    for (let n = 0; n < size; n += 200) {
      const events = Array.from({ length: Math.min(200, size - n) }, (_, i) => STORES[store]?.(n + i, next()))
      await memory.commit(events.flatMap((each) => each ?? []))
    }
    await memory.tidy()
    await memory.close()
    const order = ['--import', 'tsx', import.meta.filename, store, folder, String(seed)]
    return JSON.parse(execFileSync(process.execPath, order, { encoding: 'utf8' })) as Record<string, number>
  })
}

const [asked, folder, seed] = process.argv.slice(2)
if (asked !== undefined && folder !== undefined) await measure(asked, folder, Number(seed))
else {
  const figures: Record<string, unknown> = {}
  for (const size of SIZES)
    for (const store of Object.keys(STORES)) {
      const all: Record<string, number>[] = []
      for (const each of SEEDS) all.push(await figuresOf(store, size, each))
      figures[`${store} ${size}`] = Object.fromEntries(
        Object.keys(all[0] ?? {}).map((name) => {
          const values = all.map((one) => one[name] ?? 0)
          const ends = [mean(values) ?? 0, Math.min(...values), Math.max(...values)]
          const [middle, low, high] = ends.map((value) => String(Number(value.toPrecision(3))))
          return [
            name,
            `${middle} [${low}, ${high}]: ${values.map((value) => Number(value.toPrecision(3))).join(', ')}`,
          ]
        }),
      )
      process.stdout.write(`${store} ${size}: ${JSON.stringify(figures[`${store} ${size}`])}\n`)
    }
  process.stdout.write(`${JSON.stringify({ unit: 'ms', k: K, ...figures })}\n`)
}
