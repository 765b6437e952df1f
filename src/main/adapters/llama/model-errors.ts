import type { Token } from 'node-llama-cpp'
import { LoamError } from '../../../shared/errors'

/** What is said of a prompt that does not fit. */
export const overflow = (prompt: readonly Token[], contextSize: number) =>
  new LoamError(
    'CONTEXT_OVERFLOW',
    `The prompt has ${prompt.length} tokens; the model reads ${contextSize}.`,
    { suggestion: 'Recall less, or load the model with a larger context.' },
  )

/** What is said of a model that cannot be loaded. */
export const loadError = (path: string, why: string, underlying?: unknown) =>
  new LoamError('MODEL_LOAD', `${path}: ${why}`, {
    suggestion: 'Try fewer GPU layers or CPU, a smaller context, or a smaller model.',
    underlying,
  })
