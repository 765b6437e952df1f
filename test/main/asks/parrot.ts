import type { LanguageModel } from '../../../src/core/ground/chat'

/** A model that always answers the same. */
export const parrotSaying = (text: string, name = 'parrot'): LanguageModel => ({
  name,
  path: name,
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((one) => Math.ceil(one.length / 4))),
  generate: (_request, { onToken } = {}) => {
    onToken?.(text)
    return Promise.resolve({
      text,
      usage: { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 },
      finish: 'end',
    })
  },
})

export const parrot = parrotSaying('The capital of Australia is Sydney.')
