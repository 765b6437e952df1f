import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  getLlama,
  InputLookupTokenPredictor,
  type LlamaContextOptions,
  type LlamaContextSequence,
  type LlamaModel,
  type Token,
} from 'node-llama-cpp'
import { createApp } from '../../src/main/app'
import { EngineSupervisor } from '../../src/main/engine-client/supervisor'

/**
 * Whether what the engine's library offers pays with the models that are here: prompt look-up, no flash attention and a cache of 8 bits against the
 * engine as it is, on prompts of a real case-bank run and on plain asks, and reading a prefix against loading its state from the disk. One thread, greedy,
 * each prompt with every option before the next one, processor time. Prints one JSON line.
 * Usage: `tsx test/bench/engine-options.bench.ts [--models demo,smollm2] [--prompts N] [--tokens N] [--prefixes 500,1500,4000]`
 */
const option = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise)
}
const list = (text: string): string[] => text.split(',').filter((one) => one !== '')
const PROMPTS = Number(option('--prompts', '4'))
const TASKS = Number(option('--tasks', '24'))
const TOKENS = Number(option('--tokens', '64'))
const PREFIXES = list(option('--prefixes', '500,1500,4000')).map(Number)
const CONTEXT = 4096
/** Longest prompt that is compared, so that a small machine comes to an end. */
const MOST_PROMPT = Number(option('--longest', '1200'))

interface Said {
  readonly role: string
  readonly content: string
}
interface Subject {
  readonly path: string
  readonly stream: string
  /** Its chat template. */
  readonly write: (messages: readonly Said[]) => string
}
const root = resolve(import.meta.dirname, '../..')
const models: Record<string, Subject> = {
  demo: {
    path: join(root, 'models/loam-demo.gguf'),
    stream: 'house-rules-a',
    write: (messages) =>
      `<s>${messages.map(({ role, content }) => `<|${role}|>${content}<|end|>`).join('')}<|assistant|>`,
  },
  smollm2: {
    path:
      [1, 2]
        .map((up) =>
          resolve(
            root,
            '../'.repeat(up),
            'shared/models/smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf',
          ),
        )
        .find((path) => existsSync(path)) ?? '',
    stream: 'tools-retail',
    write: (messages) =>
      `${messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')}<|im_start|>assistant\n`,
  },
}
const ASKS = [
  'How long do potatoes boil?',
  'Write a short poem about a harbor.',
  'Why does ice float on water?',
  'Name three things to pack for a hike, and say why.',
]
const plain = ASKS.map((content) => [{ role: 'user', content }])

const median = (values: readonly number[]): number =>
  Number((values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(3))

async function cpuOf<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly came: T }> {
  const began = process.cpuUsage()
  const came = await work()
  const { user, system } = process.cpuUsage(began)
  return { ms: (user + system) / 1000, came }
}

/** What a case-bank run asks a model, prompt by prompt. */
async function promptsOf({ path, stream }: Subject): Promise<Said[][]> {
  const asked: Said[][] = []
  const watched = new WeakSet()
  const folder = await mkdtemp(join(tmpdir(), 'loam-engine-options-'))
  const load = Object.getOwnPropertyDescriptor(EngineSupervisor.prototype, 'loadModel')?.value as (
    ...words: unknown[]
  ) => Promise<{ generate(request: { messages: Said[] }, more: unknown): unknown }>
  EngineSupervisor.prototype.loadModel = async function (this: EngineSupervisor, ...words: unknown[]) {
    const model = await load.apply(this, words)
    if (watched.has(model)) return model
    watched.add(model)
    const generate = model.generate.bind(model)
    return Object.assign(model, {
      generate: (request: { messages: Said[] }, more: unknown) => {
        asked.push(request.messages.map(({ role, content }) => ({ role, content })))
        return generate(request, more)
      },
    })
  } as never
  const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  try {
    const run = await app.runDrafts.start({
      ...{ stream, method: 'case-bank', seed: 5, tasks: TASKS, temperature: 0 },
      ...{ model: path, contextSize: CONTEXT, maxTokens: 64, threads: 1 },
      settings: { 'tool-use': { rounds: 3 } },
    })
    await app.runs.ended(run.id)
  } finally {
    await app.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  return asked
}

const OPTIONS: Record<string, Partial<LlamaContextOptions>> = {
  /** As the engine has it: flash attention where the library thinks that it can. */
  plain: {},
  lookUp: {},
  noFlash: { flashAttention: false },
  cache8: { flashAttention: true, experimentalKvCacheKeyType: 'Q8_0', experimentalKvCacheValueType: 'Q8_0' },
}

interface Way {
  readonly sequence: LlamaContextSequence
  readonly predictor: InputLookupTokenPredictor | null
}

async function answered({ sequence, predictor }: Way, input: Token[]) {
  await sequence.clearHistory()
  predictor?.updateInputTokens(input)
  const reply: Token[] = []
  const tokens = sequence.evaluate(input, { temperature: 0 })
  const read = await cpuOf(async () => {
    const { value, done } = await tokens.next()
    if (done !== true) reply.push(value)
  })
  const write = await cpuOf(async () => {
    for await (const token of tokens) {
      reply.push(token)
      if (reply.length >= TOKENS) break
    }
  })
  return { reply, readMs: read.ms, writeMs: write.ms }
}

async function compare(model: LlamaModel, prompts: readonly Token[][]) {
  const ways: Record<string, Way> = {}
  for (const [name, more] of Object.entries(OPTIONS)) {
    const context = await model.createContext({ contextSize: CONTEXT, threads: 1, ...more })
    const predictor = name === 'lookUp' ? new InputLookupTokenPredictor() : null
    ways[name] = { sequence: context.getSequence(predictor ? { tokenPredictor: predictor } : {}), predictor }
  }
  const rows: Record<string, { read: number[]; write: number[]; same: number }> = {}
  let written = 0
  for (const input of prompts) {
    const came = new Map<string, Awaited<ReturnType<typeof answered>>>()
    for (const [name, way] of Object.entries(ways)) came.set(name, await answered(way, input))
    const base = came.get('plain')
    if (!base || base.reply.length < 4) continue
    written += base.reply.length
    for (const [name, { reply, readMs, writeMs }] of came) {
      const row = (rows[name] ??= { read: [], write: [], same: 0 })
      row.read.push(readMs / base.readMs)
      row.write.push(writeMs / reply.length / (base.writeMs / base.reply.length))
      if (reply.join() === base.reply.join()) row.same++
    }
  }
  for (const { sequence } of Object.values(ways)) await sequence.context.dispose()
  const n = rows['plain']?.read.length ?? 0
  return {
    ...{ prompts: n, written, promptTokens: prompts.reduce((sum, { length }) => sum + length, 0) },
    ...Object.fromEntries(
      Object.entries(rows)
        .filter(([name]) => name !== 'plain')
        .map(([name, { read, write, same }]) => [
          name,
          { read: median(read), write: median(write), sameReplies: `${same} of ${n}` },
        ]),
    ),
  }
}

/** Reading a prefix, against loading what was read of it. */
async function statesOf(model: LlamaModel, text: readonly Token[], folder: string) {
  const rows = []
  for (const tokens of PREFIXES.filter((one) => one <= Math.min(CONTEXT - 8, text.length))) {
    const [first, second] = [await oneContext(model), await oneContext(model)]
    const prefix = text.slice(0, tokens)
    const file = join(folder, `${tokens}.state`)
    const read = await cpuOf(() => first.evaluateWithoutGeneratingNewTokens(prefix as Token[]))
    const save = await cpuOf(() => first.saveStateToFile(file))
    const load = await cpuOf(() => second.loadStateFromFile(file, { acceptRisk: true }))
    const next = text.slice(tokens, tokens + 1)
    const after = async (sequence: LlamaContextSequence): Promise<Token[]> => {
      const reply: Token[] = []
      for await (const token of sequence.evaluate([...next] as Token[], { temperature: 0 }))
        if (reply.push(token) >= 8) break
      return reply
    }
    const same = (await after(first)).join() === (await after(second)).join()
    const mib = Math.round((await stat(file)).size / 1024 / 102.4) / 10
    rows.push({
      ...{ tokens, readMs: Math.round(read.ms), saveMs: Math.round(save.ms), loadMs: Math.round(load.ms) },
      ...{ mib, ratio: Number((load.ms / read.ms).toFixed(3)), same },
    })
    await first.context.dispose()
    await second.context.dispose()
  }
  return rows
}

const oneContext = async (model: LlamaModel): Promise<LlamaContextSequence> =>
  (await model.createContext({ contextSize: CONTEXT, threads: 1 })).getSequence()

const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1 })
const folder = await mkdtemp(join(tmpdir(), 'loam-engine-options-'))
const results: Record<string, unknown> = {}
try {
  for (const name of list(option('--models', 'demo,smollm2'))) {
    const subject = models[name]
    if (!subject || !existsSync(subject.path)) continue
    const asked = await promptsOf(subject)
    const model = await llama.loadModel({ modelPath: subject.path, gpuLayers: 0 })
    const tokensOf = (messages: readonly Said[]): Token[] => model.tokenize(subject.write(messages), true)
    const all = asked.map(tokensOf)
    const fitting = all.filter(({ length }) => length <= MOST_PROMPT)
    // The later ones, since a case bank is empty at first.
    const run = (fitting.length >= PROMPTS ? fitting : all.map((one) => one.slice(-MOST_PROMPT))).slice(
      -PROMPTS,
    )
    results[name] = {
      run: await compare(model, run),
      asks: await compare(model, plain.map(tokensOf)),
      states: await statesOf(model, all.flat(), folder),
    }
    console.log(name, JSON.stringify(results[name]))
    await model.dispose()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
  await llama.dispose()
}
console.log(JSON.stringify({ bench: 'engine-options', threads: 1, tokens: TOKENS, ...results }))
