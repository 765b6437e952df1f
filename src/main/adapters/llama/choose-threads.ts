import { availableParallelism } from 'node:os'
import type { LlamaModel } from 'node-llama-cpp'
import { throwIfAborted } from '../../../core/ground/abort'
import type { ModelLoadOptions, ModelSpeed, ThreadCounts } from '../../../shared/domain/model'
import { fastest, isBusy, processorChoices } from '../../ground/machine'

/** Bytes of weights under which one thread is as fast as several: a token is then done before the others have begun. */
const SMALL = 48e6
/** Threads beside a GPU that holds all of a model: what is left for the processor is little. */
const BESIDE_GPU = 4
/** ms that all trials of a model take together, about; the last one may end later. Trials of processes have the third second. */
const MOST_MS = 2000
/** ms more that the first trial of a choice may take. */
const FIRST_MS = 1000
/** Rounds that all choices are tried in turn, so that what else the machine does meets them all, and the mean of a choice's trials tells of it. */
const ROUNDS = 4
/** Tokens of a trial: read together, as a prompt is, and one by one, as a reply is written. */
const READ_TOKENS = 32
const WRITTEN_TOKENS = 6
/** ms after which a trial of writing takes no further token. */
const WRITE_MS = 300
/** Rows of a batch from which on it is a prompt that is read, and no replies that are written side by side. */
const READING_FROM = 16

/** What a trial takes: `read` and `write` answer the ms of a token with so many threads. */
export interface ThreadTrials {
  read(threads: number): Promise<number>
  write(threads: number): Promise<number>
}

/** What came of trials: the threads that are fastest, and tokens in a second with them. */
export interface Trial {
  readonly threads: ThreadCounts
  /** `reading` is null where no trial of it fitted into the time. */
  readonly rates: Pick<ModelSpeed, 'reading' | 'writing'>
}

/**
 * The threads that reading and writing are fastest with, each tried with one, half of the processors and all in turn, all first. A choice that would
 * not be over in time is left out: with the time per token of another number of threads it takes at most so many times as long as that has more.
 *
 * @param busy whether other programs want the processors: threads that wait for each other are then the slowest, and what could not be tried counts
 *   as better than that
 * @param now ms of a clock that only goes forward
 */
export async function calibrate(
  choices: readonly number[],
  trials: ThreadTrials,
  busy: boolean,
  now: () => number = () => performance.now(),
): Promise<Trial> {
  const end = now() + MOST_MS
  const [writes, reads] = [new Map<number, number>(), new Map<number, number>()]
  const counts = new Map<string, number>()
  const works = [
    {
      times: writes,
      lasts: (ms: number) => ms * Math.max(1, Math.min(WRITTEN_TOKENS, Math.ceil(WRITE_MS / ms))),
      attempt: (threads: number) => trials.write(threads),
    },
    {
      times: reads,
      lasts: (ms: number) => ms * READ_TOKENS,
      attempt: (threads: number) => trials.read(threads),
    },
  ]
  for (let round = 0; round < ROUNDS; round++)
    for (const threads of choices.toReversed())
      for (const { times, lasts, attempt } of works) {
        // Reading is at most as slow as writing, token by token.
        const basis = times.size > 0 ? times : writes
        const slowest = Math.min(...Array.from(basis, ([other, ms]) => ms * Math.max(1, other / threads)))
        // To know nothing of a choice costs more than a little time.
        const own = times === writes && !times.has(threads) ? end + FIRST_MS : end
        if (basis.size > 0 && now() + lasts(slowest) > own) continue
        const key = `${threads} ${times === reads}`
        const count = counts.get(key) ?? 0
        // A quick trial among slow ones had luck: the mean counts, not the best.
        times.set(threads, ((times.get(threads) ?? 0) * count + (await attempt(threads))) / (count + 1))
        counts.set(key, count + 1)
      }
  const best = (times: ReadonlyMap<number, number>): number =>
    fastest(choices.map((threads) => [threads, times.get(threads) ?? Infinity] as const))
  const writing = best(writes)
  const reading = reads.size === 0 ? writing : best(reads)
  const msToRead = reads.get(reading)
  // Half of them is at most twice as slow, where nothing else was in time.
  const half =
    busy && writes.size === 1 ? choices.find((count) => count < writing && count * 2 >= writing) : null
  return {
    threads: { reading: half ?? reading, writing: half ?? writing },
    rates: {
      reading: msToRead === undefined ? null : 1000 / msToRead,
      writing: 1000 / (writes.get(writing) as number),
    },
  }
}

/** Tries a model in a small context of its own, with each of these numbers of threads. */
async function tryModel(
  model: LlamaModel,
  choices: readonly number[],
  busy: boolean,
  signal?: AbortSignal,
): Promise<Trial | null> {
  const token = model.tokens.bos ?? model.tokenize('a')[0]
  if (token === undefined || token === null) return null
  const context = await model.createContext({
    ...{ contextSize: 256, sequences: 1, threads: 1, createSignal: signal },
  })
  try {
    const native = threadsByWork(threadedNativeOf(context), { reading: 1, writing: 1 })
    const sequence = context.getSequence()
    const msPerToken = async (threads: number, work: () => Promise<number>): Promise<number> => {
      throwIfAborted(signal)
      native.use({ reading: threads, writing: threads })
      const began = performance.now()
      const tokens = await work()
      const ms = (performance.now() - began) / tokens
      await sequence.clearHistory()
      return ms
    }
    const one = (): Promise<void> => sequence.evaluateWithoutGeneratingNewTokens([token])
    // Not counted: it brings the weights into memory.
    await one()
    return await calibrate(
      choices,
      {
        read: (threads) =>
          msPerToken(threads, async () => {
            await sequence.evaluateWithoutGeneratingNewTokens(
              Array.from({ length: READ_TOKENS }, () => token),
            )
            return READ_TOKENS
          }),
        write: (threads) =>
          msPerToken(threads, async () => {
            const began = performance.now()
            let tokens = 0
            do {
              await one()
              tokens++
            } while (tokens < WRITTEN_TOKENS && performance.now() - began < WRITE_MS)
            return tokens
          }),
      },
      busy,
    )
  } finally {
    await context.dispose()
  }
}

/** What of a native context decides how many threads a batch is worked out with. */
export interface ThreadedNative {
  initBatch: (rows: number) => unknown
  setThreads: (threads: number) => void
  decodeBatch: () => Promise<unknown>
}

/** The native context, which the library keeps to itself. */
export const threadedNativeOf = (context: object): ThreadedNative =>
  (context as { readonly _ctx: ThreadedNative })._ctx

/** Has each batch worked out with the threads of its kind: of a prompt that is read, or of replies that are written. */
export function threadsByWork(native: ThreadedNative, threads: ThreadCounts) {
  let counts = threads
  let rows = 0
  const initBatch = native.initBatch.bind(native)
  const setThreads = native.setThreads.bind(native)
  const decodeBatch = native.decodeBatch.bind(native)
  const own: ThreadedNative = {
    initBatch(size) {
      rows = size
      return initBatch(size)
    },
    // The library shares all threads out evenly before each batch.
    setThreads: () => undefined,
    decodeBatch() {
      setThreads(rows >= READING_FROM ? counts.reading : counts.writing)
      return decodeBatch()
    },
  }
  // Natively they are not writable; properties of the object's own stand before those.
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(native, name, { value, configurable: true })
  return {
    /** From the next batch on. */
    use(next: ThreadCounts): void {
      counts = next
    },
  }
}

const allChoices = (): number[] => processorChoices(availableParallelism())

/** Bytes of weights that are read to write a token; null where experts take turns, or a graphics card has some. */
const bytesPerToken = ({ fileInfo: { metadata }, size, gpuLayers }: LlamaModel): number | null => {
  const own = (metadata as Readonly<Record<string, { readonly expert_count?: number } | undefined>>)[
    metadata.general.architecture
  ]
  return gpuLayers > 0 || (own?.expert_count ?? 0) > 0 ? null : size
}

/** What a model is worked out with, and how fast that is; `speed` is null where it was not tried. */
interface Workers {
  readonly threads: ThreadCounts
  readonly speed: ModelSpeed | null
}

/**
 * How many threads a model is worked out with: as was asked for, or, for `auto`, what it is fastest with on this machine as it is now. Two were seen
 * fifty times slower than one on a busy machine, and one far slower than eight on an idle one.
 * Takes about 2 s at most, and nothing for small models or where it was measured before.
 *
 * Rejects with an AbortError when `signal` fires.
 */
export async function threadsFor(
  model: LlamaModel,
  {
    threads,
    measuredThreads,
    wantsSpeed,
  }: Pick<ModelLoadOptions, 'threads' | 'measuredThreads' | 'wantsSpeed'>,
  signal?: AbortSignal,
): Promise<Workers> {
  const processors = availableParallelism()
  const isOnCard = model.gpuLayers >= model.fileInsights.totalLayers
  const fixed = (): number | null => {
    if (threads !== 'auto') return threads
    if (model.size < SMALL || processors === 1) return 1
    return isOnCard ? Math.min(BESIDE_GPU, processors) : null
  }
  const count = fixed()
  const usual = count ?? 1
  const untried = { threads: { reading: usual, writing: usual }, speed: null }
  if (measuredThreads !== null) return count === null ? { threads: measuredThreads, speed: null } : untried
  if (count !== null && !(wantsSpeed && model.size >= SMALL)) return untried
  const busy = isBusy()
  const trial = await tryModel(model, count === null ? allChoices() : [count], busy, signal)
  if (trial === null) return untried
  const { rates } = trial
  const weights = bytesPerToken(model)
  return {
    threads: trial.threads,
    speed: {
      ...rates,
      bytesPerSecond: weights === null ? null : weights * rates.writing,
      at: new Date().toISOString(),
      busy,
    },
  }
}

/** ms after which a machine's load is looked at again while a model is loaded. */
const LOOK_AGAIN_MS = 60_000

/** Tries a loaded model again when the machine got busy or idle since its threads were measured; else nothing. */
export function openThreadWatch(
  model: LlamaModel,
  { threads }: Pick<ModelLoadOptions, 'threads'>,
  use: (counts: ThreadCounts) => void,
) {
  const isMeasured =
    threads === 'auto' && model.size >= SMALL && model.gpuLayers < model.fileInsights.totalLayers
  let wasBusy = isBusy()
  let lookedAt = performance.now()
  return async (signal?: AbortSignal): Promise<void> => {
    if (!isMeasured || performance.now() - lookedAt < LOOK_AGAIN_MS) return
    lookedAt = performance.now()
    if (isBusy() === wasBusy) return
    wasBusy = !wasBusy
    const trial = await tryModel(model, allChoices(), wasBusy, signal)
    if (trial) use(trial.threads)
  }
}
