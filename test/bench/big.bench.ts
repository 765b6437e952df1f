import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getLlama } from 'node-llama-cpp'
import type { DeclaredConstraint } from '../../src/core/ground/constraint'
import { estimateTraining } from '../../src/core/consolidation/estimate'
import { chooseLengths } from '../../src/core/consolidation/lengths'
import { MOST_LENGTHS } from '../../src/core/consolidation/memory'
import type { TrainingSample } from '../../src/core/consolidation/samples'
import { freeMainMemory } from '../../src/main/adapters/ggml/free-memory'
import { readModelShape } from '../../src/main/adapters/ggml/model-shape'
import { EngineSupervisor } from '../../src/main/adapters/llama/supervisor'
import { trainingSettingsSchema } from '../../src/shared/domain/soft-prompt'
import { writeBigModel } from '../models/big-model'
import type { BigTraining, BigTrained } from './big-training'

/**
 * A model of the size people have: 1.1 billion parameters in Q4_K with random weights, written here and removed after. How long it takes to
 * load, what it takes in memory, tokens per second against the same file driven directly through node-llama-cpp, how soon a cancel is felt,
 * four replies at once, and three steps of training a soft prompt with the memory they were forecast to take. Prints one JSON line.
 * Usage: `npm run bench -- --big [--threads N]`
 */
const root = resolve(import.meta.dirname, '../..')
const vocabulary = resolve(root, '../shared/data/real/vocab/ggml-vocab-phi-3.gguf')
const at = process.argv.indexOf('--threads')
const threads = at < 0 ? 2 : Number(process.argv[at + 1])
const CONTEXT = 16_384
const TOKENS = 32
const ROUNDS = 3
const SEQUENCES = 4
const TRAINED_ON = 96
const prompt = 'Harbor rules: cancelled K, price cents, guest upper\n'.repeat(8)
const MiB = 2 ** 20

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Resident memory of a process in bytes, and its peak; null where the system does not tell. */
async function residentOf(pid: number | undefined): Promise<{ now: number; peak: number } | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null)
  if (status === null) return null
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024
  return { now: field('VmRSS'), peak: field('VmHWM') }
}

/** Never ends by itself: a model with random weights might. */
const LETTERS = { kind: 'gbnf', grammar: 'root ::= [a-z ]+' } as unknown as DeclaredConstraint

async function direct(path: string): Promise<{ loadMs: number; rates: number[] }> {
  const began = performance.now()
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 0 })
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
  const context = await model.createContext({ contextSize: CONTEXT, threads })
  const loadMs = performance.now() - began
  const sequence = context.getSequence()
  const rates: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    await sequence.clearHistory()
    let written = 0
    let began = 0
    for await (const _token of sequence.evaluate(model.tokenize(prompt), { temperature: 1, seed: round })) {
      if (written === 0) began = performance.now()
      if (++written > TOKENS) break
    }
    if (round >= 0) rates.push((written - 1) / ((performance.now() - began) / 1000))
  }
  await llama.dispose()
  return { loadMs, rates }
}

async function throughEngine(path: string) {
  const engine = new EngineSupervisor()
  try {
    const began = performance.now()
    const load = (sequences: number) =>
      engine.loadModel({ path, gpuLayers: 'cpu', contextSize: CONTEXT, threads, sequences })
    const model = await load(1)
    const loadMs = performance.now() - began
    const fit = await engine.fit({ path, gpuLayers: 'cpu', contextSize: CONTEXT })
    const rates: number[] = []
    for (let round = -1; round < ROUNDS; round++) {
      let first = 0
      let written = 0
      await model.generateRaw(
        prompt,
        { maxTokens: TOKENS + 1, temperature: 1, seed: round, constraint: LETTERS },
        {
          onToken: () => {
            if (written++ === 0) first = performance.now()
          },
        },
      )
      if (round >= 0) rates.push(TOKENS / ((performance.now() - first) / 1000))
    }
    const memory = await residentOf(engine.pid)
    const cancels: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const controller = new AbortController()
      let aborted = 0
      const long = `${round} ${prompt.repeat(6)}`
      // Once while the prompt is read, else while the reply is written.
      const writing = model.generateRaw(
        round === 0 ? long : prompt,
        { maxTokens: 4000, constraint: LETTERS, temperature: 1 },
        {
          signal: controller.signal,
          onToken: () => {
            if (aborted === 0) {
              aborted = performance.now()
              controller.abort()
            }
          },
        },
      )
      if (round === 0)
        setTimeout(() => {
          aborted = performance.now()
          controller.abort()
        }, 1500)
      await writing.catch(() => undefined)
      cancels.push(performance.now() - aborted)
      // Only once the engine takes the next one is it really free.
      await model.generateRaw('?', { maxTokens: 1 })
      cancels.push(performance.now() - aborted)
    }
    const shared = await load(SEQUENCES)
    const ask = (index: number) =>
      shared.generateRaw(`${index}. ${prompt}`, {
        maxTokens: TOKENS,
        temperature: 1,
        seed: index,
        constraint: LETTERS,
      })
    for (let index = 0; index < SEQUENCES; index++) await ask(index)
    const together = async (): Promise<number> => {
      const started = performance.now()
      const all = await Promise.all(Array.from({ length: SEQUENCES }, (_, index) => ask(index)))
      const written = all.reduce((sum, { usage }) => sum + usage.completionTokens, 0)
      return written / ((performance.now() - started) / 1000)
    }
    const atOnce = median([await together(), await together(), await together()])
    return { loadMs, rates, memory, fit, cancels, atOnce }
  } finally {
    await engine.dispose()
  }
}

/** Three steps, in a process of their own so that its memory is theirs. */
async function train(path: string) {
  const shape = await readModelShape(path)
  const reservedIds = Array.from({ length: 20 }, (_, i) => 3 + 0xc0 + i)
  const sample = (id: string): TrainingSample => ({
    id,
    tokens: Array.from({ length: TRAINED_ON }, (_, i) => (i === 0 ? 1 : 300 + ((i * 37) % 5000))),
    softAt: 1,
    targets: Array.from({ length: 16 }, (_, i) => TRAINED_ON - 16 + i),
  })
  const settings = trainingSettingsSchema.parse({ steps: 3, batch: 1, lookEvery: 3 })
  const length = TRAINED_ON + reservedIds.length - 1
  const forecast = estimateTraining(
    shape.sizes,
    chooseLengths([length], MOST_LENGTHS),
    'auto',
    freeMainMemory(),
  )
  const job = {
    ...{ model: path, reservedIds, train: [sample('a'), sample('b')], heldOut: [], settings, backend: 'cpu' },
    ...{ threads, transposes: 'auto', checkpoint: null, selfTest: null, memoryLimit: null },
  } satisfies BigTraining
  const child = fork(join(import.meta.dirname, 'big-training.ts'), [], { execArgv: ['--import', 'tsx'] })
  const began = performance.now()
  const trained = await new Promise<BigTrained>((done, fail) => {
    child.on('message', (message) => done(message as BigTrained))
    child.on('exit', (code) => fail(new Error(`the training ended with ${code}`)))
    child.send(job)
  })
  const wallMs = performance.now() - began
  child.kill()
  if ('problem' in trained) throw new Error(trained.problem)
  const predicted = forecast.weightBytes + forecast.workBytes
  return {
    transposes: forecast.transposes,
    forecastMiB: Math.round(predicted / MiB),
    tookMiB: Math.round(trained.peakBytes / MiB),
    ratio: Number((predicted / trained.peakBytes).toFixed(3)),
    steps: trained.steps,
    secondsPerStep: Number((wallMs / 1000 / trained.steps).toFixed(1)),
    losses: trained.losses.map((loss) => Number(loss.toFixed(3))),
  }
}

if (!existsSync(vocabulary)) throw new Error('There is no real vocabulary to write a model with.')
const folder = mkdtempSync(join(tmpdir(), 'loam-big-'))
try {
  const path = join(folder, 'big.gguf')
  const began = performance.now()
  const { parameters, bytes } = writeBigModel(path, vocabulary, 1)
  const writtenMs = performance.now() - began
  console.log(
    `${(parameters / 1e9).toFixed(2)} billion parameters, ${Math.round(bytes / 1e6)} MB, written in ${Math.round(writtenMs)} ms`,
  )
  const bare = await direct(path)
  console.log(`directly: loaded in ${Math.round(bare.loadMs)} ms, ${median(bare.rates).toFixed(2)} tokens/s`)
  const engine = await throughEngine(path)
  console.log(
    `through the engine: loaded in ${Math.round(engine.loadMs)} ms, ${median(engine.rates).toFixed(2)} tokens/s, cancels ${engine.cancels.map(Math.round).join(', ')} ms`,
  )
  const training = process.argv.includes('--no-training') ? null : await train(path)
  const { fit } = engine
  console.log(
    JSON.stringify({
      ...{ bench: 'big', parameters, fileMB: Math.round(bytes / 1e6), contextSize: CONTEXT, threads },
      ...{ directLoadMs: Math.round(bare.loadMs), engineLoadMs: Math.round(engine.loadMs) },
      directTokensPerSecond: Number(median(bare.rates).toFixed(2)),
      engineTokensPerSecond: Number(median(engine.rates).toFixed(2)),
      ratio: Number((median(engine.rates) / median(bare.rates)).toFixed(3)),
      bestRatio: Number((Math.max(...engine.rates) / Math.max(...bare.rates)).toFixed(3)),
      fitMiB: Math.round((fit.weightsBytes + fit.cacheBytes + fit.computeBytes) / MiB),
      engineMiB: engine.memory && Math.round(engine.memory.now / MiB),
      cancelMs: Math.round(Math.max(...engine.cancels)),
      parallel: { sequences: SEQUENCES, togetherTokensPerSecond: Number(engine.atOnce.toFixed(2)) },
      training,
    }),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
