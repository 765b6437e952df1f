import type { LanguageModel } from '../../core/ground/ports'

/** Loads a model, or answers the loaded one at once. */
export type LoadByPath = (path: string, signal?: AbortSignal) => Promise<LanguageModel>

/**
 * A model that shares the engine's one place with others: each call loads it first where another took its place. Planner and executor may so
 * be different models on a machine that holds one at a time.
 */
export async function shareModel(
  path: string,
  load: LoadByPath,
  signal?: AbortSignal,
): Promise<LanguageModel> {
  const { name, contextSize, can } = await load(path, signal)
  return {
    name,
    path,
    contextSize,
    ...(can && { can }),
    generate: async (request, options) => (await load(path, options?.signal)).generate(request, options),
    countTokens: async (texts, options) => (await load(path, options?.signal)).countTokens(texts, options),
  }
}
