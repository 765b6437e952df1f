import type { CallOptions, LanguageModel } from '../../core/ground/ports'
import { LoamError } from '../../shared/errors'

/** How long no guest has had the engine before a model that had to go is loaded again, in ms. */
const QUIET_MS = 60_000

/**
 * A model that gives way: where another one took its place for somebody who waits, its next call waits until that is over for a while, and loads it
 * again. Calls hear that they are held.
 *
 * @param load loads it, or answers the loaded one
 * @param quiet resolves once nobody has had the engine for so many ms
 */
export async function restingModel(
  load: (signal?: AbortSignal) => Promise<LanguageModel>,
  quiet: (quietMs: number, signal?: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<LanguageModel> {
  /** Never takes the place of what somebody who waits has loaded. */
  const loadQuietly = async (own?: AbortSignal): Promise<LanguageModel> => {
    await quiet(0, own)
    return load(own)
  }
  let model = await loadQuietly(signal)
  const call = async <T>(
    work: (model: LanguageModel) => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> => {
    for (;;) {
      const before = model
      try {
        return await work(before)
      } catch (error) {
        if (!(error instanceof LoamError) || error.code !== 'CONFLICT') throw error
      }
      options.onHeld?.(true)
      try {
        await quiet(QUIET_MS, options.signal)
        if (model === before) model = await loadQuietly(options.signal)
      } finally {
        options.onHeld?.(false)
      }
    }
  }
  return {
    ...model,
    generate: (request, options) => call((now) => now.generate(request, options), options),
    countTokens: (texts, options) => call((now) => now.countTokens(texts, options), options),
  }
}
