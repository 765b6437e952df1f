import { defineConfig } from 'vitest/config'
import { sortTests } from './scripts/test-kinds.ts'

const { pure, window, real } = sortTests(import.meta.dirname)
const shared = { isolate: false, setupFiles: ['test/patience.ts', 'test/pure-process.ts'] }
const drawn = { ...shared, setupFiles: [...shared.setupFiles, 'test/window-process.ts'] }

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Generous: tests with real engines and child processes share busy two-core machines. None asserts on time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { ...shared, name: 'pure', include: pure, sequence: { groupOrder: 0 } } },
      { extends: true, test: { ...drawn, name: 'window', include: window, sequence: { groupOrder: 1 } } },
      // Native libraries keep process-wide state, so each of these files gets a process of its own.
      {
        extends: true,
        test: { name: 'real', include: real, setupFiles: ['test/patience.ts'], sequence: { groupOrder: 2 } },
      },
    ],
  },
})
