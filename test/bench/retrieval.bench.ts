import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lexicalEmbedder } from '../../src/core/retrieval/lexical-embedder'
import { createRng } from '../../src/core/ground/random'
import { openMemory, type StoredMemory } from '../../src/main/memory-store/memory'
import { folderBytes } from '../../src/main/memory-store/memory-folder'
import { attempt } from '../main/memory-store/fixtures'

// Retrieval (K = 4) and commit times of a case bank that grows one case at a time, as in a run; lexical-384 embedder.
const SIZES = [1_000, 10_000]
const SAMPLES = 200
const rng = createRng('retrieval bench')
const words = Array.from({ length: 600 }, () =>
  Array.from({ length: 2 + rng.int(3) }, () => rng.pick(['ba', 'ke', 'lo', 'mi', 'ru', 'ta', 'vo'])).join(''),
)
const stateOf = (n: number): string =>
  Array.from({ length: 40 }, () => rng.pick(words)).join(' ') + ` order ${n}`

interface Times {
  readonly p50: number
  readonly p95: number
}

function times(samples: readonly number[]): Times {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (share: number): number =>
    Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2))
  return { p50: at(0.5), p95: at(0.95) }
}

async function timed(samples: number[], job: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await job()
  samples.push(performance.now() - begun)
}

async function measureReads(memory: StoredMemory): Promise<{ nearest: Times; search: Times }> {
  const nearest: number[] = []
  const search: number[] = []
  for (let i = 0; i < SAMPLES; i++) {
    const [vector = new Float32Array()] = await lexicalEmbedder.embed([stateOf(i)])
    await timed(nearest, () => memory.nearest(vector, 4))
    await timed(search, () => memory.search(`${rng.pick(words)} ${rng.pick(words)}`, 4))
  }
  return { nearest: times(nearest), search: times(search) }
}

const folder = await mkdtemp(join(tmpdir(), 'loam-bench-'))
const figures: Record<string, unknown> = {}
try {
  let memory = await openMemory({ folder, embedder: lexicalEmbedder })
  let count = 0
  for (const size of SIZES) {
    const commit: number[] = []
    while (count < size) {
      const events = attempt(count++, stateOf(count))
      await timed(commit, () => memory.commit(events))
    }
    await memory.tidy()
    figures[`cases${size}`] = { ...(await measureReads(memory)), commit: times(commit) }
    process.stdout.write(`${size} cases: ${JSON.stringify(figures[`cases${size}`])}\n`)
  }
  await memory.close()
  const reopened = performance.now()
  memory = await openMemory({ folder, embedder: lexicalEmbedder })
  figures['openMs'] = Math.round(performance.now() - reopened)
  const rebuilt = performance.now()
  await memory.reindex()
  figures['reindexMs'] = Math.round(performance.now() - rebuilt)
  await memory.close()
  figures['diskBytes'] = await folderBytes(folder)
  figures['indexBytes'] = await folderBytes(join(folder, 'lance'))
  figures['rssBytes'] = process.memoryUsage().rss
  figures['peakRssBytes'] = process.resourceUsage().maxRSS * 1024
  process.stdout.write(JSON.stringify({ unit: 'ms', k: 4, ...figures }) + '\n')
} finally {
  await rm(folder, { recursive: true, force: true })
}
