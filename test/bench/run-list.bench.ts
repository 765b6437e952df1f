import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stepOf, type RunRecord } from '../../src/core/lab/run-record'
import { openRunQueue } from '../../src/main/runs/run-queue'
import { openRunStore } from '../../src/main/runs/run-store'
import { sealed, sealedFile } from '../../src/main/ground/sealed'
import { trajectoryOf } from '../main/memory-store/fixtures'

/**
 * What it takes to open the runs of a data folder and to list them, read from their events and from their summaries. Processor time and heap.
 * Prints one JSON line. Usage: `node --expose-gc --import tsx test/bench/run-list.bench.ts [--runs N] [--tasks N]`
 */
const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const RUNS = option('--runs', 2000)
const TASKS = option('--tasks', 60)

const folder = mkdtempSync(join(tmpdir(), 'loam-run-list-'))
const step = stepOf(trajectoryOf('t'))
const recordOf = (n: number): RunRecord => ({
  ...{ format: 1, id: `run-${String(n).padStart(6, '0')}`, total: TASKS, appVersion: '0', modelName: 'm' },
  createdAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
  memoryPath: '/m',
  config: {
    ...{ stream: 'house-rules-a', method: 'case-bank', model: '/m.gguf', seed: n, k: 4, tasks: null },
    ...{ memoryId: `m${n}`, temperature: 0, maxTokens: 64, settings: {} },
  },
  hashes: { model: { sizeBytes: 1, sha256: '' }, stream: '', prompt: '' },
})

function writeRun(n: number): void {
  const record = recordOf(n)
  const path = join(folder, record.id)
  mkdirSync(path)
  writeFileSync(join(path, 'run.json'), sealedFile(record))
  const events = [
    { kind: 'record', record },
    ...Array.from({ length: TASKS }, (_, index) => ({ ...step, index, taskId: `t${index}` })),
    { kind: 'status', status: 'done', problem: null, at: record.createdAt },
  ]
  writeFileSync(join(path, 'events.jsonl'), events.map((event) => `${sealed(event)}\n`).join(''))
}

const logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
}

async function open() {
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed
  const cpu = process.cpuUsage()
  const runs = await openRunQueue({
    store: openRunStore(folder),
    clock: { now: () => new Date() },
    logger,
    publish: () => undefined,
    prepare: () => Promise.reject(new Error('Nothing is played here.')),
    openStore: () => Promise.reject(new Error('Nothing is learned here.')),
  } as unknown as Parameters<typeof openRunQueue>[0])
  const { user, system } = process.cpuUsage(cpu)
  globalThis.gc?.()
  const opened = process.memoryUsage().heapUsed
  const began = process.cpuUsage()
  const list = runs.list()
  const listing = process.cpuUsage(began)
  const first = process.cpuUsage()
  const steps = runs.steps(list[0]?.id ?? '').length
  const reading = process.cpuUsage(first)
  const ms = (of: NodeJS.CpuUsage): number => Math.round((of.user + of.system) / 100) / 10
  return {
    runs: list.length,
    openCpuMs: Math.round((user + system) / 1000),
    listCpuMs: ms(listing),
    heapMiB: Math.round((opened - heap) / 2 ** 18) / 4,
    firstRun: { steps, cpuMs: ms(reading) },
  }
}

try {
  for (let n = 0; n < RUNS; n++) writeRun(n)
  const fromEvents = await open()
  const fromSummaries = await open()
  // One with as many events as a lifetime has.
  console.log(JSON.stringify({ bench: 'run-list', runs: RUNS, tasks: TASKS, fromEvents, fromSummaries }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
