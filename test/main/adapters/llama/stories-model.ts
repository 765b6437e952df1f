import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** A real llama.cpp model of 1.1 MB, kept beside the checkout; tests that need it skip where it is absent. */
export const STORIES = resolve(
  import.meta.dirname,
  '../../../../../shared/models/stories260K/stories260K-F32.gguf',
)
export const hasStories = existsSync(STORIES)
if (!hasStories) process.stderr.write(`Skipped: the small test model is not at ${STORIES}\n`)
