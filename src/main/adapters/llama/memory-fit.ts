import type { GgufInsights, Llama } from 'node-llama-cpp'
import type { ModelFit, ModelLoadOptions } from '../../../shared/domain/model'
import { LoamError } from '../../../shared/errors'
import { throwIfAborted } from '../../../core/ground/abort'
import { chooseTemplate, edgeTokens } from './choose-template'
import type { LlamaRuntime } from './llama-runtime'

/** How much of what is free a model may take; the rest is for encoders, trainings and everything else on the machine. */
const SHARE = 0.8
/** Contexts are multiples of it, as llama.cpp pads them. */
const STEP = 256
/** Sequences beside a model's own for requests that a person waits for. */
const RESERVE = 1
/** The same where they take little: asks and connected programs then keep what they read apart. */
const AMPLE_RESERVE = 2
/** How much of what is free weights and all sequences may take for that. */
const AMPLE_SHARE = 0.25
/** Tokens of context that no reserved sequence may take away. */
const LEAST_WITH_RESERVE = 8192
/** Tokens that a model has to read at least to be of use beside others. */
const LEAST_BESIDE = 4096
/** For files that do not say what they were trained for. */
const USUAL_TRAINING = 4096

type Asked = Pick<
  ModelLoadOptions,
  'path' | 'gpuLayers' | 'gpuBackend' | 'flashAttention' | 'cacheType' | 'contextSize' | 'sequences'
>

/** As node-llama-cpp takes it. */
export const flashAttentionOf = ({
  flashAttention,
}: Pick<ModelLoadOptions, 'flashAttention'>): 'auto' | boolean =>
  flashAttention === 'auto' ? 'auto' : flashAttention === 'on'

/**
 * How the cache is kept, as node-llama-cpp takes it for a context; nothing for its usual 16 bits. llama.cpp reads values of 8 bits with flash attention alone.
 * @throws LoamError `MODEL_LOAD` where that is off
 */
export function cacheTypeOf({
  cacheType,
  flashAttention,
}: Pick<ModelLoadOptions, 'cacheType' | 'flashAttention'>): {
  experimentalKvCacheKeyType?: 'Q8_0'
  experimentalKvCacheValueType?: 'Q8_0'
} {
  if (cacheType === 'f16') return {}
  if (flashAttention === 'off')
    throw new LoamError('MODEL_LOAD', 'A cache in 8 bits needs flash attention, which is off.', {
      suggestion: 'Under Settings, set “Flash attention” to Automatic or On, or “Cache” to 16 bits.',
    })
  return { experimentalKvCacheKeyType: 'Q8_0', experimentalKvCacheValueType: 'Q8_0' }
}

interface Need {
  readonly ram: number
  readonly vram: number
}

const add = (...needs: readonly Need[]): Need => ({
  ram: needs.reduce((sum, { ram }) => sum + ram, 0),
  vram: needs.reduce((sum, { vram }) => sum + vram, 0),
})

/**
 * What a model would take before it is loaded, by llama.cpp's own sums: weights, the cache of its context and the memory it computes in,
 * against what is free in RAM and VRAM. Without a context size of its own it gets as much as memory allows, up to what it was trained for.
 * The cache counts a sequence in reserve, where there is room for one.
 *
 * Throws what reading the file fails with, and an AbortError when `signal` fires.
 */
export async function measureFit(
  runtime: LlamaRuntime,
  request: Asked,
  signal?: AbortSignal,
): Promise<ModelFit> {
  const llama = await runtime.for(request)
  const { GgmlType, GgufInsights, readGgufFileInfo } = await import('node-llama-cpp')
  const file = await readGgufFileInfo(request.path, { logWarnings: false })
  const insights = await GgufInsights.from(file, llama)
  throwIfAborted(signal)
  const cacheOf = request.cacheType === 'f16' ? GgmlType.F16 : GgmlType.Q8_0
  const cacheTypes = { kvCacheKeyType: cacheOf, kvCacheValueType: cacheOf }
  const layers = await layersOf(insights, request.gpuLayers, llama)
  const model = await insights.estimateModelResourceRequirementsV2({ gpuLayers: layers })
  const weights: Need = { ram: model.cpuRam, vram: model.gpuVram }
  const [ram, vram] = await Promise.all([llama.getRamState(), llama.getVramState()])
  const contextNeed = async (contextSize: number, sequences: number): Promise<Need> => {
    throwIfAborted(signal)
    const { cpuRam, gpuVram } = await insights.estimateContextResourceRequirementsV2({
      ...{ contextSize, sequences, modelGpuLayers: layers, swaFullCache: true },
      ...cacheTypes,
      flashAttention: flashAttentionOf(request),
    })
    return { ram: cpuRam, vram: gpuVram }
  }
  const isWithin = (need: Need, share: number): boolean =>
    need.ram <= ram.free * share && need.vram <= vram.free * share
  const trained = insights.trainContextSize ?? USUAL_TRAINING
  const isRoomFor = async (size: number, sequences: number, share = SHARE): Promise<boolean> =>
    isWithin(add(weights, await contextNeed(size, sequences)), share)
  const contextFor = async (sequences: number): Promise<number> =>
    request.contextSize ?? (await largest(trained, (size) => isRoomFor(size, sequences)))
  const withReserve = request.sequences + RESERVE
  const shared = await contextFor(withReserve)
  const isReserved =
    request.contextSize === null
      ? shared >= Math.min(trained, LEAST_WITH_RESERVE)
      : await isRoomFor(shared, withReserve)
  const ample = request.sequences + AMPLE_RESERVE
  const isAmple = isReserved && (await isRoomFor(shared, ample, AMPLE_SHARE))
  const sequences = isAmple ? ample : isReserved ? withReserve : request.sequences
  const contextSize = isReserved ? shared : await contextFor(sequences)
  const context = await contextNeed(contextSize, sequences)
  const cache = insights.estimateContextResourceRequirements({
    ...{ contextSize, sequences, modelGpuLayers: layers, swaFullCache: true, ...cacheTypes },
    includeGraphOverhead: false,
  })
  const total = add(weights, context)
  const cacheBytes = Math.min(cache.cpuRam + cache.gpuVram, context.ram + context.vram)
  return {
    path: request.path,
    trainContext: insights.trainContextSize ?? null,
    contextSize,
    reserve: sequences - request.sequences,
    weightsBytes: weights.ram + weights.vram,
    cacheBytes,
    computeBytes: context.ram + context.vram - cacheBytes,
    ram: { needed: total.ram, free: ram.free, total: ram.total },
    vram: vram.total === 0 ? null : { needed: total.vram, free: vram.free, total: vram.total },
    fits: total.ram <= ram.free && total.vram <= vram.free,
    layout: (await chooseTemplate(file, edgeTokens(file.metadata))).layout,
  }
}

/** The context a model is loaded with, and how many sequences beside its own are for those who wait. One that cannot be measured says itself what is wrong. */
export async function sizeOf(
  runtime: LlamaRuntime,
  options: Asked,
  signal?: AbortSignal,
): Promise<{ readonly contextSize: number; readonly reserve: number }> {
  const { contextSize: choice } = options
  if (choice === null) return measureFit(runtime, options, signal)
  try {
    return await measureFit(runtime, options, signal)
  } catch {
    throwIfAborted(signal)
    return { contextSize: choice, reserve: 0 }
  }
}

/** Whether a model can be loaded while others stay. A file that cannot be measured cannot: it is then loaded alone, and says itself what is wrong. */
export async function hasRoomFor(
  runtime: LlamaRuntime,
  request: Asked,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    const { ram, vram, contextSize, trainContext } = await measureFit(runtime, request, signal)
    if (request.contextSize === null && contextSize < Math.min(trainContext ?? USUAL_TRAINING, LEAST_BESIDE))
      return false
    return ram.needed <= ram.free * SHARE && (vram === null || vram.needed <= vram.free * SHARE)
  } catch {
    throwIfAborted(signal)
    return false
  }
}

/** The largest multiple of the step up to `most` that fits; the smallest one where none does, since its failure to load says why. */
async function largest(most: number, fits: (size: number) => Promise<boolean>): Promise<number> {
  if (most <= STEP || (await fits(most))) return most
  let [low, high] = [1, Math.floor(most / STEP)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await fits(middle * STEP)) low = middle
    else high = middle - 1
  }
  return low * STEP
}

async function layersOf(
  insights: GgufInsights,
  request: ModelLoadOptions['gpuLayers'],
  llama: Llama,
): Promise<number> {
  if (llama.gpu === false || request === 'cpu') return 0
  if (request === 'max') return insights.totalLayers
  if (typeof request === 'number') return Math.min(request, insights.totalLayers)
  return await insights.configurationResolver.resolveModelGpuLayers('auto')
}
