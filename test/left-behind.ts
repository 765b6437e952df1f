import { afterAll, vi } from 'vitest'

// Test files share processes, so what one leaves behind would meet the next. This puts the environment and the working folder back
// after each file, and fails in the file that changed them.
const { env } = process
/** Set by Loam once for a library that stays loaded in the process, and may read it late (adapters/lancedb). */
const OF_LIBRARIES: ReadonlySet<string> = new Set(['LANCE_CPU_THREADS', 'LANCEDB_LOG'])
/** Set by Loam for its first host in a process (adapters/llama): put back without a word. */
const OF_THE_HOST = 'LOAM_LIBRARIES'
const before = { ...env }
const folder = process.cwd()

afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  const left = process.env === env ? [] : ['process.env itself']
  process.env = env
  for (const name of new Set([...Object.keys(before), ...Object.keys(env)])) {
    if (env[name] === before[name] || OF_LIBRARIES.has(name)) continue
    if (name !== OF_THE_HOST) left.push(name)
    if (before[name] === undefined) Reflect.deleteProperty(env, name)
    else env[name] = before[name]
  }
  if (process.cwd() !== folder) {
    left.push('the working folder')
    process.chdir(folder)
  }
  if (left.length > 0) throw new Error(`This test file leaves behind a change of ${left.join(', ')}.`)
})
