import type { LanguageModel } from '../../../src/core/ground/chat'

/** A model that always answers the same. */
export const parrot: LanguageModel = {
  name: 'parrot',
  path: 'parrot',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate: (_request, { onToken } = {}) => {
    const text = 'The capital of Australia is Sydney.'
    onToken?.(text)
    return Promise.resolve({
      text,
      usage: { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 },
      finish: 'end',
    })
  },
}
