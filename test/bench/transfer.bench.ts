import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataFolder } from '../../src/main/host/data-folder'
import { openMemories } from '../../src/main/memories/memories'
import type { StoredMemory } from '../../src/main/memory-store/memory'
import { openSigners } from '../../src/main/share/signers'
import { createExports } from '../../src/main/transfer/exports'
import { createImports } from '../../src/main/transfer/imports'
import { exportChoiceSchema, importChoiceSchema } from '../../src/shared/domain/item-transfer'
import { attempt } from '../main/memory-store/fixtures'
import { benchEmbedder } from './bench-embedder'

/**
 * Most resident memory and processor time of exporting and importing a memory, each in a process of its own, which opens the memory too. `items`
 * attempts of about 2 KB, each with its case; beforeMiB is what the process had before it opened the memory. Prints one JSON line.
 * Usage: `tsx test/bench/transfer.bench.ts [--items N,N] [--formats bundle,loam,jsonl,parquet] [--imports bundle,loam,jsonl]`
 */
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}
const list = (text: string): string[] => text.split(',').filter((one) => one !== '')
const SIZES = list(option('--items', '1000,3000')).map(Number)
const ITEMS = SIZES[0] ?? 0
const PER_COMMIT = 256
const NAMES: Record<string, string> = { bundle: 'm.loam', parquet: 'm.parquet', loam: 'm-loam.jsonl' }

const stateOf = (n: number): string =>
  Array.from({ length: 30 }, (_, i) => `word${(n * 31 + i * i * 7) % 600}`).join(' ') + ` order ${n}`
const long = 'SELECT name FROM orders WHERE status = 7; '.repeat(20)

async function fill(memory: StoredMemory): Promise<void> {
  for (let start = 0; start < ITEMS; start += PER_COMMIT) {
    const events = []
    for (let n = start; n < Math.min(ITEMS, start + PER_COMMIT); n++) {
      const [trajectory, added] = attempt(n, stateOf(n))
      if (trajectory?.kind === 'trajectory-added') trajectory.trajectory.task.context = `${long}${n}`
      events.push(...(trajectory ? [trajectory] : []), ...(added ? [added] : []))
    }
    await memory.commit(events)
  }
}

interface Took {
  readonly beforeMiB: number
  readonly mostMiB: number
  readonly cpuMs: number
  readonly rows: number
}

/** One step; what it took goes into a file. */
async function step(kind: string, folder: string, format: string): Promise<void> {
  const clock = { now: () => new Date('2026-01-01') }
  const data = await openDataFolder(join(folder, `data-${kind}`), { clock })
  const embedder = benchEmbedder
  const memories = openMemories({ data, clock, embedder })
  const signers = openSigners(data.path, clock.now)
  const memoryId = join(folder, kind === 'import' ? `into-${format}` : 'from')
  const file = join(folder, NAMES[format] ?? `m.${format}`)
  const before = process.resourceUsage().maxRSS
  const began = process.cpuUsage()
  let rows = 0
  if (kind === 'fill') await fill(await memories.open(memoryId))
  if (kind === 'export') {
    const exports = createExports({ memories, clock, version: '0', dataPath: data.path, signers })
    const choice = exportChoiceSchema.parse({ format, sign: false })
    const { kinds } = await exports.run({ ...choice, memoryId, path: file, replace: true })
    rows = kinds.reduce((sum, { written }) => sum + written, 0)
  }
  if (kind === 'import') {
    const imports = createImports({ memories, clock, embedder, network: () => false, signers })
    const choice = importChoiceSchema.parse({ source: { from: 'paths', paths: [file] } })
    rows = (await imports.run({ ...choice, memoryId })).imported
  }
  const { user, system } = process.cpuUsage(began)
  const took: Took = {
    beforeMiB: Math.round(before / 1024),
    mostMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    cpuMs: Math.round((user + system) / 1000),
    rows,
  }
  await writeFile(join(folder, 'took.json'), JSON.stringify(took))
  await memories.close()
  await data.close()
}

async function apart(items: number, kind: string, folder: string, format: string): Promise<Took> {
  const words = ['--step', kind, '--folder', folder, '--format', format, '--items', String(items)]
  execFileSync(process.execPath, ['--import', 'tsx', import.meta.filename, ...words], { stdio: 'inherit' })
  return JSON.parse(await readFile(join(folder, 'took.json'), 'utf8')) as Took
}

/** Everything with a memory of so many attempts. */
async function play(items: number) {
  const folder = await mkdtemp(join(tmpdir(), 'loam-transfer-bench-'))
  try {
    const fill = await apart(items, 'fill', folder, '')
    const exports: Record<string, Took> = {}
    const imports: Record<string, Took> = {}
    for (const format of list(option('--formats', 'bundle,loam,jsonl,parquet')))
      exports[format] = await apart(items, 'export', folder, format)
    for (const format of list(option('--imports', 'bundle,loam,jsonl')))
      imports[format] = await apart(items, 'import', folder, format)
    return { fill, exports, imports }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const own = option('--step', '')
if (own !== '') await step(own, option('--folder', ''), option('--format', ''))
else {
  const sizes: Record<string, unknown> = {}
  for (const items of SIZES) sizes[items] = await play(items)
  console.log(JSON.stringify({ bench: 'transfer', ...sizes }))
}
