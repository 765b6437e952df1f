import type { LanguageModel } from '../../core/ground/chat'

/** A model, and how many tokens the fullest request to it took so far: what it read and what it wrote. */
export function withMeter(model: LanguageModel): { readonly model: LanguageModel; fullest(): number } {
  let most = 0
  return {
    model: {
      ...model,
      async generate(request, options) {
        const result = await model.generate(request, options)
        most = Math.max(most, result.usage.promptTokens + result.usage.completionTokens)
        return result
      },
    },
    fullest: () => most,
  }
}
