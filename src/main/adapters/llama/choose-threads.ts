import { availableParallelism } from 'node:os'
import type { LlamaModel } from 'node-llama-cpp'
import { throwIfAborted } from '../../../core/ground/abort'
import type { ModelLoadOptions } from '../../../shared/domain/model'

/** Bytes of weights under which one thread is as fast as several: a token is then done before the others have begun. */
const SMALL = 48e6
/** Threads beside a GPU that holds all of a model: what is left for the processor is little. */
const BESIDE_GPU = 4
/** Tokens that are read one by one, as a reply is written, and ms after which no further one is. */
const TOKENS = 8
const PASS_MS = 800
/** Rounds that all choices are tried in turn, so that what else the machine does meets them all, and ms after which no further one begins. */
const ROUNDS = 2
const MOST_MS = 5000
/** More threads are taken only where they take at most this part of the time. */
const WORTH = 0.9

/** One, half of the processors, and all of them. */
export const threadChoices = (processors: number): number[] => [
  ...new Set([1, Math.max(1, Math.floor(processors / 2)), processors]),
]

/** The fewest threads that nothing else beats by more than a tenth. `times`: ms of a token by threads, fewest threads first. */
export const fastest = (times: readonly (readonly [threads: number, ms: number])[]): number =>
  times.reduce((best, one) => (one[1] < best[1] * WORTH ? one : best)).at(0) as number

/** Reads some tokens with so many threads; answers the ms that each took. */
async function timeOf(model: LlamaModel, threads: number, signal?: AbortSignal): Promise<number> {
  const context = await model.createContext({ contextSize: 128, sequences: 1, threads, createSignal: signal })
  try {
    const token = model.tokens.bos ?? model.tokenize('a')[0]
    if (token === undefined || token === null) return Infinity
    const sequence = context.getSequence()
    // The first one is not counted: it brings the weights into memory.
    await sequence.evaluateWithoutGeneratingNewTokens([token])
    const began = performance.now()
    let tokens = 0
    do {
      throwIfAborted(signal)
      await sequence.evaluateWithoutGeneratingNewTokens([token])
      tokens++
    } while (tokens < TOKENS && performance.now() - began < PASS_MS)
    return (performance.now() - began) / tokens
  } finally {
    await context.dispose()
  }
}

/**
 * How many threads a model is worked out with: as was asked for, or, for `auto`, what it is fastest with on this machine as it is now, tried with one, half of
 * the processors and all of them. Two were seen fifty times slower than one on a busy machine, and one far slower than eight on an idle one.
 * Takes up to some seconds, and nothing for small models or where it was measured before.
 *
 * Rejects with an AbortError when `signal` fires.
 */
export async function threadsFor(
  model: LlamaModel,
  { threads, measuredThreads }: Pick<ModelLoadOptions, 'threads' | 'measuredThreads'>,
  signal?: AbortSignal,
): Promise<number> {
  if (threads !== 'auto') return threads
  const processors = availableParallelism()
  if (model.size < SMALL || processors === 1) return 1
  if (model.gpuLayers >= model.fileInsights.totalLayers) return Math.min(BESIDE_GPU, processors)
  if (measuredThreads !== null) return measuredThreads
  const choices = threadChoices(processors)
  const times = new Map<number, number>()
  const began = performance.now()
  for (let round = 0; round < ROUNDS; round++)
    for (const count of choices) {
      if (round > 0 && performance.now() - began > MOST_MS) break
      times.set(count, Math.min(times.get(count) ?? Infinity, await timeOf(model, count, signal)))
    }
  return fastest(choices.map((count) => [count, times.get(count) ?? Infinity] as const))
}
