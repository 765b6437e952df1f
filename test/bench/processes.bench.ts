import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { EngineLanguageModel } from '../../src/main/engine-client/engine-language-model'
import { openEnginePool } from '../../src/main/engine-client/engine-pool'
import { EngineSupervisor } from '../../src/main/engine-client/supervisor'
import { onTrail } from '../../src/main/ground/trail'
import { modelLoadOptionsSchema } from '../../src/shared/domain/model'

/**
 * Replies a second of one model in one engine process and in several, the same works in turn, and what calibration chooses; on one processor and on two
 * where the system can hold processes to some (`taskset`). Prints one JSON line.
 * Usage: `tsx test/bench/processes.bench.ts [--rounds N] [--works N] [--models A.gguf,B.gguf]`
 */
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}
const root = resolve(import.meta.dirname, '../..')
const ROUNDS = Number(option('--rounds', '3'))
const WORKS = Number(option('--works', '4'))
const COUNTS = [1, 2, 4]

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
const round = (value: number): number => Number(value.toFixed(3))

/** Works of three turns, each of which goes on from the one before, as attempts of a stream do. */
async function work(model: EngineLanguageModel, n: number): Promise<string[]> {
  const replies: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const content = `Work ${n}, turn ${turn}. ${replies.join(' ')} The harbor office lists orders, guests and boats. ${'Say what is asked. '.repeat(10)}`
    const { text } = await model.generate({
      ...{ messages: [{ role: 'user', content }], maxTokens: 8, temperature: 0, seed: 1 },
    })
    replies.push(text)
  }
  return replies
}

/** All works of a turn, as many at a time as there are processes. Each turn has others: none begins as one that a process still holds. */
async function play(model: EngineLanguageModel, width: number, turn: number) {
  const replies: string[][] = []
  const waiters = Array.from({ length: WORKS }, (_, n) => n)
  const began = performance.now()
  const worker = async (): Promise<void> => {
    for (let n = waiters.shift(); n !== undefined; n = waiters.shift()) {
      const own = n
      replies[own] = await onTrail(`work ${turn} ${own}`, () => work(model, turn * WORKS + own))
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return { ms: performance.now() - began, replies: JSON.stringify(replies) }
}

async function measure(path: string) {
  const options = { path, gpuLayers: 'cpu' as const, contextSize: 2048, threads: 1 }
  const rigs = await Promise.all(
    COUNTS.map(async (count) => {
      const engine = new EngineSupervisor()
      const pool = openEnginePool(engine, () => new EngineSupervisor())
      const loaded = await engine.loadModel(options)
      const parsed = modelLoadOptionsSchema.parse(options)
      const { model } = await pool.spread('bench', loaded, parsed, { most: count, isMeasured: true })
      return { count, engine, pool, model, ratios: [] as number[], ms: [] as number[] }
    }),
  )
  const chooser = new EngineSupervisor()
  const choosing = openEnginePool(chooser, () => new EngineSupervisor())
  try {
    let isSame = true
    for (let turn = -1; turn < ROUNDS; turn++) {
      const replies = new Set<string>()
      let alone = Number.NaN
      for (const rig of rigs) {
        const result = await play(rig.model, rig.count, turn + 1)
        replies.add(result.replies)
        if (rig.count === 1) alone = result.ms
        // The first turn warms them up.
        if (turn < 0) continue
        rig.ms.push(result.ms)
        rig.ratios.push(alone / result.ms)
      }
      isSame &&= replies.size === 1
    }
    const loaded = await chooser.loadModel(options)
    const parsed = modelLoadOptionsSchema.parse(options)
    const { count } = await choosing.spread('bench', loaded, parsed, { most: 4, isMeasured: false })
    return {
      sameReplies: isSame,
      chosenOf4: count,
      times: Object.fromEntries(rigs.map(({ count: n, ratios }) => [n, round(median(ratios))])),
      ms: Object.fromEntries(rigs.map(({ count: n, ms }) => [n, Math.round(median(ms))])),
    }
  } finally {
    for (const { pool, engine } of rigs) {
      await pool.dispose()
      await engine.dispose()
    }
    await choosing.dispose()
    await chooser.dispose()
  }
}

const own = option('--step', '')
if (own !== '') console.log(JSON.stringify(await measure(own)))
else {
  const models = option(
    '--models',
    [
      'models/loam-demo.gguf',
      '../shared/models/smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf',
    ].join(),
  )
    .split(',')
    .map((path) => resolve(root, path))
    .filter((path) => existsSync(path))
  const figures: Record<string, unknown> = {}
  for (const path of models)
    for (const cores of ['0', '0,1']) {
      const words = ['-c', cores, process.execPath, '--import', 'tsx', import.meta.filename]
      const rest = ['--step', path, '--rounds', String(ROUNDS), '--works', String(WORKS)]
      const text = execFileSync('taskset', [...words, ...rest], { encoding: 'utf8' })
      figures[`${basename(path, '.gguf')}, ${cores.split(',').length} cores`] = JSON.parse(text.trim())
    }
  console.log(JSON.stringify({ bench: 'processes', works: WORKS, rounds: ROUNDS, ...figures }))
}
