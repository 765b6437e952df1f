import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyRunEvent, newRunState, stepOf, type RunRecord } from '../../src/core/lab/run-record'
import { lexicalEmbedder } from '../../src/core/retrieval/lexical-embedder'
import { entrySnapshot, newEntry } from '../../src/main/runs/run-entry'
import { openMemory, type StoredMemory } from '../../src/main/memory-store/memory'
import { attempt, trajectoryOf } from '../main/memory-store/fixtures'
import { patchBetween } from '../../src/shared/patch'

// What a thing costs at each size, and as a ratio to the smallest: 1 everywhere means that nothing grows with the size.
const SIZES = (process.env.SIZES ?? '1000,4000,16000').split(',').map(Number)
const PER_COMMIT = 128
const SAMPLES = 40

const median = (samples: readonly number[]): number =>
  [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0

async function timed(job: () => unknown): Promise<number> {
  const begun = performance.now()
  await job()
  return (performance.now() - begun) * 1000
}

async function sampled(job: (i: number) => unknown, count = SAMPLES): Promise<number> {
  const samples: number[] = []
  for (let i = 0; i < count; i++) samples.push(await timed(() => job(i)))
  return median(samples)
}

const config = {
  ...{ stream: 's', method: 'none', model: 'm', seed: 1, k: 0, tasks: null, memoryId: 's' },
  ...{ temperature: 0, maxTokens: 64, settings: {} },
}
const record: RunRecord = {
  ...{
    format: 1,
    id: 'r',
    config,
    total: 100_000,
    createdAt: '',
    appVersion: '',
    modelName: '',
    memoryPath: '',
  },
  hashes: { model: { sizeBytes: 1, sha256: '' }, stream: '', prompt: '' },
}

/** Microseconds to apply one step and tell watchers of it, as it goes over the wire, at a size; and how many bytes that is. */
async function stepCost(size: number): Promise<{ us: number; bytes: number }> {
  const step = stepOf(trajectoryOf('t'))
  const entry = newEntry(newRunState(record), () => newRunState(record))
  for (let index = 0; index < size; index++) entry.state = applyRunEvent(entry.state, { ...step, index })
  let told = entrySnapshot(entry)
  let bytes = 0
  const us = await sampled((i) => {
    entry.state = applyRunEvent(entry.state, { ...step, index: size + i })
    const now = entrySnapshot(entry)
    bytes = JSON.stringify(patchBetween(told, now)).length
    told = now
  }, 200)
  return { us, bytes }
}

const stateOf = (n: number): string =>
  Array.from({ length: 30 }, (_, i) => `word${(n * 31 + i * i * 7) % 600}`).join(' ') + ` order ${n}`
/** A text of about 4 KB, as an attempt has. */
const long = 'SELECT name FROM orders WHERE status = 7; '.repeat(100)

async function fill(memory: StoredMemory, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += PER_COMMIT) {
    const events = []
    for (let n = start; n < Math.min(to, start + PER_COMMIT); n++) {
      const [trajectory, added] = attempt(n, stateOf(n))
      if (trajectory?.kind === 'trajectory-added') trajectory.trajectory.task.context = long
      events.push(...(trajectory ? [trajectory] : []), ...(added ? [added] : []))
    }
    await memory.commit(events)
  }
}

const rows: Record<string, number[]> = {}
const note = (name: string, value: number): void => {
  ;(rows[name] ??= []).push(value)
}
const folder = await mkdtemp(join(tmpdir(), 'loam-growth-'))
try {
  const memory = await openMemory({ folder, embedder: lexicalEmbedder })
  let count = 0
  for (const size of SIZES) {
    const { us, bytes } = await stepCost(size)
    note('run step, told (us)', us)
    note('run step, told (bytes)', bytes)
    await fill(memory, count, size)
    count = size
    await memory.tidy()
    const [vector = new Float32Array()] = await lexicalEmbedder.embed([stateOf(17)])
    await memory.search('word7 word19', 4)
    await memory.nearest(vector, 4)
    const idOf = (i: number): string => `t-c${String((i * 97) % size).padStart(5, '0')}`
    note(`one attempt of a commit of ${PER_COMMIT} (us)`, await sampled((i) => memory.trajectory(idOf(i))))
    await memory.commit([{ kind: 'trajectory-added', trajectory: trajectoryOf(`alone-${size}`) }])
    note('one attempt of a commit of its own (us)', await sampled(() => memory.trajectory(`alone-${size}`)))
    note('nearest 4 (us)', await sampled(() => memory.nearest(vector, 4)))
    note('words, warm (us)', await sampled((i) => memory.search(`word${i} word${i + 9}`, 4)))
    const afterWrite: number[] = []
    for (let i = 0; i < 12; i++) {
      await memory.commit(attempt(900_000 + size + i, stateOf(i)))
      afterWrite.push(await timed(() => memory.search(`word${i} word${i + 9}`, 4)))
    }
    note('words, after a write (us)', median(afterWrite))
  }
  await memory.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}
const ratios: Record<string, number[]> = {}
for (const [name, values] of Object.entries(rows)) {
  const first = values[0] ?? 1
  ratios[name] = values.map((value) => Number((value / first).toFixed(2)))
  console.log(
    name.padEnd(42),
    values.map((value, i) => `${SIZES[i]}: ${value.toFixed(0)} (x${(value / first).toFixed(1)})`).join('   '),
  )
}
console.log(JSON.stringify({ sizes: SIZES, figures: rows, ratios }))
