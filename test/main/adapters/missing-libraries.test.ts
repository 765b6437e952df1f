import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LlamaRuntime } from '../../../src/main/adapters/llama/llama-runtime'
import { createApp } from '../../../src/main/app'
import { checkDataFolder } from '../../../src/main/storage/doctor'

// A machine for which neither library has a build, as their own packages tell of it.
vi.mock('@lancedb/lancedb', () => {
  throw new Error("Cannot find module '@lancedb/lancedb-linux-riscv64-gnu'")
})
vi.mock('node-llama-cpp', () => {
  class NoBinaryFoundError extends Error {}
  return {
    NoBinaryFoundError,
    LlamaLogLevel: { warn: 'warn' },
    getLlamaGpuTypes: () => Promise.resolve([]),
    getLlama: () => Promise.reject(new NoBinaryFoundError('NoBinaryFound')),
  }
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-missing-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

it('a model file where llama.cpp has no build is refused in words that say what works', async () => {
  const runtime = new LlamaRuntime(() => undefined)
  await expect(runtime.for({ gpuLayers: 'cpu', gpuBackend: 'auto' })).rejects.toMatchObject({
    code: 'NOT_FOR_THIS_MACHINE',
    why: expect.stringContaining(`no build of llama.cpp for ${process.platform}-${process.arch}`) as string,
    suggestion: expect.stringContaining('Connect a server') as string,
  })
})

it('Loam opens where LanceDB has no build: a memory is refused in words, and what there is works', async () => {
  const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  try {
    await expect(app.memories.open('mine')).rejects.toMatchObject({
      code: 'NOT_FOR_THIS_MACHINE',
      suggestion: expect.stringContaining('Nothing is lost') as string,
    })
    await app.saveSettings({ theme: 'dark' })
    expect(app.settings().theme).toBe('dark')
    expect(await app.servers.list()).toEqual([])
  } finally {
    await app.dispose()
  }
})

it('takes no index for damaged that it cannot look at', async () => {
  const index = join(folder, 'spaces', 'm', 'lance')
  await mkdir(join(folder, 'spaces', 'm', 'journal'), { recursive: true })
  await mkdir(index)
  const embedder = { id: 'words', dimension: 8 }
  const note = { format: 4, embedder, appliedSeq: 0, cases: 0, trajectories: 0 }
  await writeFile(join(index, 'index.json'), JSON.stringify(note))
  await writeFile(
    join(folder, 'spaces', 'm', 'space.json'),
    JSON.stringify({ format: 1, id: 'm', name: 'M', createdAt: '2026-01-01T00:00:00.000Z' }),
  )
  const { findings } = await checkDataFolder({ path: folder, repair: true, now: new Date(), version: '0' })
  expect(findings.filter(({ of }) => of === 'indexes')).toEqual([
    {
      of: 'indexes',
      place: 'spaces/m/lance',
      problem: 'It cannot be looked at (NOT_FOR_THIS_MACHINE).',
      done: null,
    },
  ])
  expect(await readdir(index)).toContain('index.json')
})
