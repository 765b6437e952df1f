import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const reach = (name: string) =>
  createRequire(import.meta.url)(name) as Record<string, (program: string) => unknown> & {
    Worker: new (program: string) => unknown
  }

it('a process that test files share starts nothing and loads nothing native, however it was reached', () => {
  const { Worker } = reach('node:worker_threads')
  expect(() => reach('node:child_process')['spawn']?.(process.execPath)).toThrow('starts a process')
  expect(() => new Worker('/nothing.js')).toThrow('starts a thread')
  expect(() => process.dlopen({ exports: {} }, 'any.node')).toThrow('loads a native library')
})
