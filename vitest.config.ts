import { defineConfig } from 'vitest/config'
import { ProjectsInTurn } from './scripts/projects-in-turn.ts'
import { sortTests } from './scripts/test-kinds.ts'

const { pure, window, real, late, alone } = sortTests(import.meta.dirname)
const setup = ['test/patience.ts', 'test/left-behind.ts']
const shared = { isolate: false, setupFiles: [...setup, 'test/pure-process.ts'] }
const native = { isolate: false, setupFiles: setup }
const drawn = { ...shared, setupFiles: [...shared.setupFiles, 'test/window-process.ts'] }

export default defineConfig({
  test: {
    pool: 'forks',
    // What a file becomes is kept until the file changes.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    // Two processors: with three workers beside the browser tests a whole run took longer.
    maxWorkers: 2,
    sequence: { sequencer: ProjectsInTurn },
    // Generous: tests with real engines and child processes share busy two-core machines. None asserts on time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { ...shared, name: 'pure', include: pure } },
      { extends: true, test: { ...drawn, name: 'window', include: window } },
      // In the processes of these, native libraries and child processes are allowed.
      { extends: true, test: { ...native, name: 'real', include: real } },
      // `npm test` plays these beside the others, once the browser tests are over.
      { extends: true, test: { ...native, name: 'late', include: late } },
      // What replaces modules would find them loaded already in a shared process, or leave its own behind.
      { extends: true, test: { name: 'alone', include: alone, setupFiles: ['test/patience.ts'] } },
    ],
  },
})
