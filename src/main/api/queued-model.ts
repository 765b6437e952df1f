import { isAbortError } from '../../core/ground/abort'
import type { LanguageModel } from '../../core/ground/chat'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'
import { readReference } from '../ground/model-reference'

/** How long a call waits for what works with the model now, in ms. */
const WAIT_MS = 20_000

/**
 * A model that takes a turn in the line of runs for each call, and gives it back after: a run, an ask or another model may come between two.
 * One of a server needs no turn.
 * @throws LoamError `ENGINE_BUSY` from each call when something else works with a model for longer than 20 seconds, and what loading throws
 */
export async function queuedModel(
  { runs, loadModel }: Pick<App, 'runs' | 'loadModel'>,
  path: string,
  contextSize: number | null,
): Promise<LanguageModel> {
  if (readReference(path) !== null) return loadModel(path, { contextSize })
  const inTurn = async <T>(
    signal: AbortSignal | undefined,
    work: (model: LanguageModel) => Promise<T>,
  ): Promise<T> => {
    const giveBack = await turn(runs, path, signal)
    try {
      return await work(await loadModel(path, { contextSize, signal, first: true }))
    } finally {
      giveBack()
    }
  }
  const { name, contextSize: reads, can } = await inTurn(undefined, (model) => Promise.resolve(model))
  return {
    name,
    path,
    contextSize: reads,
    ...(can && { can }),
    generate: (request, options) => inTurn(options?.signal, (model) => model.generate(request, options)),
    countTokens: (texts, options) => inTurn(options?.signal, (model) => model.countTokens(texts, options)),
  }
}

async function turn(runs: App['runs'], model: string, signal: AbortSignal | undefined): Promise<() => void> {
  const late = AbortSignal.timeout(WAIT_MS)
  try {
    return await runs.visitModel(
      { title: 'a request to the memory proxy', lane: 'program', model },
      AbortSignal.any([late, ...(signal ? [signal] : [])]),
    )
  } catch (error) {
    if (!isAbortError(error) || signal?.aborted === true || !late.aborted) throw error
    throw new LoamError(
      'ENGINE_BUSY',
      `Loam is at work: ${runs.atWork() ?? 'something else has the model'}.`,
      { suggestion: 'Ask again when it is done, or pause it.', retryable: true },
    )
  }
}
