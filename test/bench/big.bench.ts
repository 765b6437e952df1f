import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getLlama } from 'node-llama-cpp'
import type { DeclaredConstraint } from '../../src/core/ground/constraint'
import { estimateTraining } from '../../src/core/soft-prompts/estimate'
import { chooseLengths } from '../../src/core/soft-prompts/lengths'
import { MOST_LENGTHS } from '../../src/core/soft-prompts/memory'
import type { TrainingSample } from '../../src/core/soft-prompts/samples'
import { freeMainMemory } from '../../src/main/adapters/ggml/free-memory'
import { readModelShape } from '../../src/main/adapters/ggml/model-shape'
import { EngineSupervisor } from '../../src/main/engine-client/supervisor'
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
const ROUNDS = 5
const SEQUENCES = 4
const TRAINED_ON = 96
const prompt = 'Harbor rules: cancelled K, price cents, guest upper\n'.repeat(8)
const MiB = 2 ** 20

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Resident memory of a process in bytes: its own, and pages of mapped files, which the system may drop; null where it does not tell. */
async function residentOf(pid: number | undefined): Promise<{ own: number; mapped: number } | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null)
  if (status === null) return null
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024
  return { own: field('RssAnon'), mapped: field('RssFile') }
}

/** Never ends by itself: a model with random weights might. */
const LETTERS = { kind: 'gbnf', grammar: 'root ::= [a-z ]+' } as unknown as DeclaredConstraint

/** The file driven directly through node-llama-cpp. */
async function openDirect(path: string) {
  const began = performance.now()
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 0 })
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
  const context = await model.createContext({ contextSize: CONTEXT, threads })
  const loadMs = performance.now() - began
  const sequence = context.getSequence()
  return {
    loadMs,
    async rate(seed: number): Promise<number> {
      await sequence.clearHistory()
      let written = 0
      let first = 0
      for await (const _token of sequence.evaluate(model.tokenize(prompt), { temperature: 1, seed })) {
        if (written === 0) first = performance.now()
        if (++written > TOKENS) break
      }
      return (written - 1) / ((performance.now() - first) / 1000)
    },
    close: () => llama.dispose(),
  }
}

/** The same through the engine process. */
async function openEngine(path: string) {
  const engine = new EngineSupervisor()
  const load = (sequences: number) =>
    engine.loadModel({ path, gpuLayers: 'cpu', contextSize: CONTEXT, threads, sequences })
  const began = performance.now()
  const model = await load(1)
  const loadMs = performance.now() - began
  return {
    engine,
    loadMs,
    async rate(seed: number): Promise<number> {
      let first = 0
      const { usage } = await model.generateRaw(
        prompt,
        { maxTokens: TOKENS + 1, temperature: 1, seed },
        { onToken: () => (first ||= performance.now()) },
      )
      return (usage.completionTokens - 1) / ((performance.now() - first) / 1000)
    },
    /** From a cancel to the engine being free for the next one, in ms: while the prompt is read, and while the reply is written. */
    async cancel(reading: boolean): Promise<number> {
      const controller = new AbortController()
      let aborted = 0
      const abort = () => {
        if (aborted > 0) return
        aborted = performance.now()
        controller.abort()
      }
      if (reading) setTimeout(abort, 1500)
      const writing = model.generateRaw(
        reading ? `${performance.now()} ${prompt.repeat(8)}` : prompt,
        { maxTokens: 4000, constraint: LETTERS, temperature: 1 },
        { signal: controller.signal, onToken: abort },
      )
      await writing.catch(() => undefined)
      // Only once it takes the next one is it really free.
      await model.generateRaw('?', { maxTokens: 1 })
      return performance.now() - aborted
    },
    async together(): Promise<number> {
      const shared = await load(SEQUENCES)
      const all = async (): Promise<number> => {
        const started = performance.now()
        const asked = Array.from({ length: SEQUENCES }, (_, index) =>
          shared.generateRaw(`${index}. ${prompt}`, { maxTokens: TOKENS, temperature: 1, seed: index }),
        )
        const written = (await Promise.all(asked)).reduce((sum, { usage }) => sum + usage.completionTokens, 0)
        return written / ((performance.now() - started) / 1000)
      }
      // The first time reads the prompts.
      await all()
      return median([await all(), await all(), await all()])
    },
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
    ...{
      model: path,
      reservedIds,
      train: [sample('a'), sample('b')],
      heldOut: [],
      settings,
      begin: null,
      backend: 'cpu',
    },
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
  const bare = await openDirect(path)
  const own = await openEngine(path)
  const rates = { direct: [] as number[], engine: [] as number[], ratios: [] as number[] }
  // In turns, so that both see the same machine; the first round warms up.
  for (let round = -1; round < ROUNDS; round++) {
    const [plain, through] = [await bare.rate(round), await own.rate(round)]
    if (round < 0) continue
    rates.direct.push(plain)
    rates.engine.push(through)
    rates.ratios.push(through / plain)
  }
  await bare.close()
  const memory = await residentOf(own.engine.pid)
  const fit = await own.engine.fit({ path, gpuLayers: 'cpu', contextSize: CONTEXT })
  const cancels: number[] = []
  for (let round = 0; round < 2 * ROUNDS; round++) cancels.push(await own.cancel(round % 2 === 0))
  const atOnce = await own.together()
  await own.engine.dispose()
  const training = process.argv.includes('--no-training') ? null : await train(path)
  console.log(
    JSON.stringify({
      ...{ bench: 'big', parameters, fileMB: Math.round(bytes / 1e6), contextSize: CONTEXT, threads },
      ...{ directLoadMs: Math.round(bare.loadMs), engineLoadMs: Math.round(own.loadMs) },
      directTokensPerSecond: Number(median(rates.direct).toFixed(2)),
      engineTokensPerSecond: Number(median(rates.engine).toFixed(2)),
      ratio: Number(median(rates.ratios).toFixed(3)),
      bestRatio: Number((Math.max(...rates.engine) / Math.max(...rates.direct)).toFixed(3)),
      forecastMiB: Math.round((fit.weightsBytes + fit.cacheBytes + fit.computeBytes) / MiB),
      engineMiB: memory && { own: Math.round(memory.own / MiB), mappedFile: Math.round(memory.mapped / MiB) },
      cancelMs: cancels.map(Math.round),
      parallel: { sequences: SEQUENCES, togetherTokensPerSecond: Number(atOnce.toFixed(2)) },
      training,
    }),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
