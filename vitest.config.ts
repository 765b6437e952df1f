import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, 'test/e2e/**', 'test/bench/**'],
    // Native libraries keep process-wide state, so each file gets a process of its own.
    pool: 'forks',
    maxWorkers: 2,
    // Generous: tests with real engines and child processes share busy two-core machines. None asserts on time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
