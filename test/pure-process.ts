import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'

// Loaded into every process that test files share (vitest.config.ts): one that loads a native library or starts a process or
// thread there fails in words, whatever way its imports hid it (scripts/test-kinds.ts).
const refuse = (what: string) =>
  function refused(): never {
    throw new Error(
      `A test that shares its process with others ${what}. Name it *.integration.test.ts, then it has one of its own.`,
    )
  }

process.dlopen = refuse('loads a native library')
for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const)
  childProcess[name] = refuse('starts a process') as never
workerThreads.Worker = refuse('starts a thread') as never
syncBuiltinESMExports()
