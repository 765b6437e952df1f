import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { getLlama, type LlamaContextSequence, type LlamaModel } from 'node-llama-cpp'
import { EngineSupervisor } from '../../src/main/engine-client/supervisor'

/**
 * Tokens per second through the engine process against the same GGUF driven directly through node-llama-cpp, in one run and
 * interleaved, so that both see the same machine; and what reusing the prompt prefix saves. Prints one JSON line.
 * Usage: `tsx test/bench/engine.bench.ts [MODEL.gguf] [--rounds N] [--tokens N]`
 */
const root = resolve(import.meta.dirname, '../..')
const found = [
  process.argv[2]?.endsWith('.gguf') ? resolve(process.argv[2]) : '',
  resolve(root, 'models/loam-demo.gguf'),
  resolve(root, '../shared/models/stories260K/stories260K-F32.gguf'),
].find((path) => path !== '' && existsSync(path))
if (found === undefined) throw new Error('There is no model to measure.')
const path = found
const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}
const rounds = option('--rounds', 15)
const tokens = option('--tokens', 200)
/** A list that repeats itself, which even the smallest model continues for as long as it is asked to. */
const prompt = 'Harbor rules: cancelled K, price cents, guest upper\n'.repeat(8)
const LINE = 'You answer in one short line. '
const temperature = 0
const SIDE_BY_SIDE = 4

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The plainest direct use: evaluate, collect, detokenise at the end. */
async function direct(
  model: LlamaModel,
  sequence: LlamaContextSequence,
): Promise<{ rate: number; text: string }> {
  await sequence.clearHistory()
  const { bos, shouldPrependBosToken } = model.tokens
  const input = [...(shouldPrependBosToken && bos !== null ? [bos] : []), ...model.tokenize(prompt)]
  const started = performance.now()
  const written = []
  for await (const token of sequence.evaluate(input, { temperature })) {
    written.push(token)
    if (written.length >= tokens) break
  }
  if (written.length < tokens) throw new Error(`The model stopped after ${written.length} tokens.`)
  const text = model.detokenize(written)
  return { rate: written.length / ((performance.now() - started) / 1000), text }
}

const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 0 })
const directModel = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
const contextSize = Math.min(directModel.trainContextSize, 2048)
const context = await directModel.createContext({ contextSize, threads: 1 })
const sequence = context.getSequence()

const engine = new EngineSupervisor()
try {
  const model = await engine.loadModel({ path, gpuLayers: 'cpu', contextSize, threads: 1 })
  const viaEngine = async (stream: boolean) => {
    const started = performance.now()
    const { usage, text } = await model.generateRaw(
      prompt,
      { maxTokens: tokens, temperature },
      stream ? { onToken: () => undefined } : {},
    )
    return { rate: usage.completionTokens / ((performance.now() - started) / 1000), text }
  }
  const rates = { direct: [] as number[], engine: [] as number[], streaming: [] as number[] }
  const ratios: number[] = []
  let sameText = true
  for (let round = -1; round < rounds; round++) {
    const plain = await direct(directModel, sequence)
    await model.generateRaw('?', { maxTokens: 1 })
    const through = await viaEngine(false)
    await model.generateRaw('?', { maxTokens: 1 })
    const streamed = await viaEngine(true)
    sameText &&= plain.text.trim() === through.text.trim() && through.text === streamed.text
    // The first round warms both up.
    if (round < 0) continue
    rates.direct.push(plain.rate)
    rates.engine.push(through.rate)
    rates.streaming.push(streamed.rate)
    ratios.push(through.rate / plain.rate)
  }

  // A prompt that shares nothing with the next one, so that the next one starts cold.
  const rinse = () => model.generateRaw('?', { maxTokens: 1 })
  const [perLine = 1] = await model.countTokens([LINE])
  const system = LINE.repeat(Math.floor((contextSize * 0.8) / perLine))
  const ask = async (name: string) => {
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: `What does ${name} do?` },
    ]
    return (await model.generate({ messages, maxTokens: 8 })).usage
  }
  const reuse = { cold: [] as number[], warm: [] as number[], promptTokens: 0, reusedTokens: 0 }
  for (let round = 0; round < rounds; round++) {
    await rinse()
    const cold = await ask(`Lily${round}`)
    const warm = await ask(`Tom${round}`)
    reuse.cold.push(cold.ms)
    reuse.warm.push(warm.ms)
    reuse.promptTokens = warm.promptTokens
    reuse.reusedTokens = warm.reusedTokens
  }
  // Four replies at once, decoded in shared batches, against one at a time.
  const shared = await engine.loadModel({
    path,
    gpuLayers: 'cpu',
    contextSize,
    threads: 1,
    sequences: SIDE_BY_SIDE,
  })
  const parallel = { together: [] as number[], alone: [] as number[] }
  const raw = (index: number) => shared.generateRaw(`${index}. ${prompt}`, { maxTokens: 64, temperature })
  for (let round = 0; round < Math.min(rounds, 5); round++) {
    for (const kind of ['alone', 'together'] as const) {
      const started = performance.now()
      let written = 0
      if (kind === 'alone')
        for (let i = 0; i < SIDE_BY_SIDE; i++) written += (await raw(i)).usage.completionTokens
      else
        for (const { usage } of await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, i) => raw(i))))
          written += usage.completionTokens
      parallel[kind].push(written / ((performance.now() - started) / 1000))
    }
  }
  const result = {
    bench: 'engine',
    model: basename(path),
    tokens,
    rounds,
    directTokensPerSecond: Math.round(median(rates.direct)),
    engineTokensPerSecond: Math.round(median(rates.engine)),
    streamingTokensPerSecond: Math.round(median(rates.streaming)),
    ratio: Number(median(ratios).toFixed(3)),
    // Of the best round of each: what is left when the machine's other work is not counted.
    bestRatio: Number((Math.max(...rates.engine) / Math.max(...rates.direct)).toFixed(3)),
    sameText,
    prefix: {
      promptTokens: reuse.promptTokens,
      reusedTokens: reuse.reusedTokens,
      coldMs: Number(median(reuse.cold).toFixed(1)),
      warmMs: Number(median(reuse.warm).toFixed(1)),
    },
    parallel: {
      sequences: SIDE_BY_SIDE,
      oneAtATimeTokensPerSecond: Math.round(median(parallel.alone)),
      togetherTokensPerSecond: Math.round(median(parallel.together)),
    },
    engineMemoryMiB: Math.round((engine.state.memoryBytes ?? 0) / 2 ** 20),
  }
  console.log(JSON.stringify(result))
} finally {
  await engine.dispose()
  await llama.dispose()
}
