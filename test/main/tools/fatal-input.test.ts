import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type BuiltServer } from './built-server'
import { TORTURE } from '../../torture'

/** Code that brings down the interpreter itself, not only its own call. */
const FATAL = {
  'recursion without a limit':
    'import sys\nsys.setrecursionlimit(10**9)\ndef deep(n):\n    return deep(n + 1)\ndeep(0)',
  'nesting that overflows the stack':
    'eval("(" * 5000 + ")" * 5000)\nx = []\nfor i in range(10**6): x = [x]\nrepr(x)',
  'an abort': 'import os\nos.abort()',
  'a read of memory that is not there': 'import ctypes\nctypes.string_at(2**31)',
  'a hard exit': 'import os\nos._exit(3)',
  'a call of null': 'import ctypes\nctypes.CFUNCTYPE(None)(1)()',
} as const

let folder: string
let server: BuiltServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-fatal-'))
  server = await startServer('code', '--root', folder, '--time-limit', '20')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

describe('an interpreter that a call has broken', () => {
  it.each(Object.entries(FATAL).slice(0, TORTURE ? undefined : 1))(
    'is replaced before the next call: %s',
    { timeout: 60_000 },
    async (_, code) => {
      const broken = await server.call('run_python', { code })
      expect(broken.failed).toBe(true)
      const next = await server.call('run_python', { code: 'sum(range(5))' })
      expect(next).toEqual({ text: '10', failed: false })
      expect((await server.call('run_python', { code: 'open("kept.txt", "w").write("yes")' })).failed).toBe(
        false,
      )
    },
  )

  it('is replaced in JavaScript too', { timeout: 60_000 }, async () => {
    const deep = 'const f = (n) => [f(n + 1)]; f(0)'
    const huge = 'let s = "x"; for (;;) s += s'
    for (const code of [deep, huge, '('.repeat(100_000)]) {
      await server.call('run_javascript', { code })
      expect(await server.call('run_javascript', { code: '1 + 1' })).toEqual({ text: '2', failed: false })
    }
  })
})
