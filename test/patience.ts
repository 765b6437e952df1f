import { vi } from 'vitest'

/** How long a test waits for what it expects, in ms: long on a busy machine, and nothing where it comes at once. */
const PATIENCE_MS = 60_000

// vi.waitFor gives up after a second unless it is told otherwise; expect.poll has its time from vitest.config.ts. Files that share a
// process load this once for each.
const { waitFor } = vi
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, options ?? PATIENCE_MS)
  }
}
