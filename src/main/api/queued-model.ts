import type { LanguageModel } from '../../core/ground/chat'
import type { App } from '../app'
import { readReference } from '../ground/model-reference'

/**
 * A model that takes a turn in the line of runs for each call, and gives it back after: a run, an ask or another model may come between two.
 * One of a server needs no turn.
 * It waits until the caller leaves. @throws what loading throws
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
    const giveBack = await runs.visitModel(
      { title: 'a request to the memory proxy', lane: 'program', model: path },
      signal ?? new AbortController().signal,
    )
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
