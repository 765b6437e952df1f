import type { LanguageModel } from '../../core/ground/chat'
import type { App } from '../app'
import { readReference } from '../ground/model-reference'

/** Requests of programs at a time that share one model, where memory allows. */
const LANES = 4
/** Tokens of context that no lane may take away. */
const LEAST_CONTEXT = 32_768

/** How many dialogs a model is loaded for; 1 for a file that cannot be measured: its load says what is wrong. */
async function lanesOf({ fit }: Pick<App, 'fit'>, path: string, contextSize: number | null): Promise<number> {
  for (let lanes = LANES; lanes > 1; lanes /= 2) {
    const size = await fit(path, contextSize, lanes).catch(() => null)
    if (size === null) return 1
    const isLong = contextSize !== null || size.contextSize >= Math.min(size.trainContext ?? 0, LEAST_CONTEXT)
    if (size.fits && isLong) return lanes
  }
  return 1
}

/**
 * A model that takes a turn in the line of runs for each call, and gives it back after: a run, an ask or another model may come between two. Calls of one
 * model go side by side, and clients by turns. Answers the model as one client calls it.
 * One of a server needs no turn.
 * It waits until the caller leaves. @throws what loading throws
 */
export async function queuedModel(
  { runs, loadModel, fit }: Pick<App, 'runs' | 'loadModel' | 'fit'>,
  path: string,
  contextSize: number | null,
): Promise<(client: string) => LanguageModel> {
  const isServed = readReference(path) !== null
  const served = isServed ? await loadModel(path, { contextSize }) : null
  const sequences = isServed ? 1 : await lanesOf({ fit }, path, contextSize)
  const inTurn = async <T>(
    client: string,
    signal: AbortSignal | undefined,
    work: (model: LanguageModel) => Promise<T>,
  ): Promise<T> => {
    const giveBack = await runs.visitModel(
      { title: 'a request to the memory proxy', lane: 'program', model: path, client },
      signal ?? new AbortController().signal,
    )
    try {
      const choice = { contextSize, sequences, signal, first: true, lane: 'program' } as const
      return await work(served ?? (await loadModel(path, choice)))
    } finally {
      giveBack()
    }
  }
  const {
    name,
    contextSize: reads,
    can,
    recommended,
  } = await inTurn('', undefined, (model) => Promise.resolve(model))
  return (client) => ({
    name,
    path,
    contextSize: reads,
    ...(can && { can }),
    ...(recommended && { recommended }),
    generate: (request, options) =>
      inTurn(client, options?.signal, (model) => model.generate(request, options)),
    countTokens: (texts, options) =>
      inTurn(client, options?.signal, (model) => model.countTokens(texts, options)),
  })
}
