import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytesOf, surplusOf } from '../../scripts/slim.mjs'

let modules: string
const FILES = [
  ...['linux-x64', 'linux-arm64', 'mac-arm64-metal'].map((name) => `@node-llama-cpp/${name}/bins/llama.node`),
  ...['linux/x64', 'linux/arm64', 'darwin/arm64', 'win32/x64'].map(
    (place) => `onnxruntime-node/bin/napi-v6/${place}/onnxruntime.node`,
  ),
  'sql.js/dist/sql-wasm.js',
  'sql.js/dist/sql-asm.js',
  'zod/index.js',
  'zod/index.js.map',
  'mathjs/lib/browser/math.js',
  'mathjs/lib/cjs/index.js',
]

beforeAll(() => {
  modules = mkdtempSync(join(tmpdir(), 'loam-slim-'))
  for (const file of FILES) {
    mkdirSync(dirname(join(modules, file)), { recursive: true })
    writeFileSync(join(modules, file), 'x'.repeat(10))
  }
})
afterAll(() => rmSync(modules, { recursive: true, force: true }))

const paths = (target: Parameters<typeof surplusOf>[1]) =>
  surplusOf(modules, target)
    .map(({ path }) => path)
    .sort()

test('runtimes of other systems and files that nothing reads are surplus', () => {
  const linux = { platform: 'linux', arch: 'x64' }
  const always = [
    '@node-llama-cpp/linux-arm64',
    '@node-llama-cpp/mac-arm64-metal',
    'mathjs/lib/browser/math.js',
    'onnxruntime-node/bin/napi-v6/darwin',
    'onnxruntime-node/bin/napi-v6/linux/arm64',
    'onnxruntime-node/bin/napi-v6/win32',
    'sql.js/dist/sql-asm.js',
    'zod/index.js.map',
  ]
  expect(paths(linux)).toEqual(always)
})

test('a Mac keeps what is for Macs', () => {
  const mac = paths({ platform: 'darwin', arch: 'arm64' })
  expect(mac).toContain('@node-llama-cpp/linux-x64')
  expect(mac).not.toContain('@node-llama-cpp/mac-arm64-metal')
  expect(mac).not.toContain('onnxruntime-node/bin/napi-v6/darwin')
})

test('sizes are of all files', () => expect(bytesOf(modules)).toBe(FILES.length * 10))
