import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** A real instruct model of 135 million weights, kept beside the checkout; tests that need it skip where it is absent. */
export const SMOLLM2 = resolve(
  import.meta.dirname,
  '../../../../../shared/models/smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf',
)
export const hasSmolLm2 = existsSync(SMOLLM2)
if (!hasSmolLm2) process.stderr.write(`Skipped: SmolLM2 is not at ${SMOLLM2}\n`)
