import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../../../src/main/app'
import { connectTo, isBuilt, startHeadless } from '../headless-process'
import { writeRandomModel } from '../../models/random-model'
import { hasDemoModel } from './rig'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let folder: string | null = null
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
  folder = null
})

const WORLD = { stream: 'house-rules-a', index: 3 }

test.skipIf(!isBuilt || !hasDemoModel)(
  'a host that is killed keeps every ask, what was judged is learned from, and what was worked on says so (needs a build)',
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-killed-'))
    const host = startHeadless(folder)
    const { client } = await connectTo(await host.url)
    const text = 'Harbor: Count the bookings with price over 32.'
    const first = await client.asks.start({ text, world: WORLD })
    const stateOf = async (askId: string) => (await client.asks.get({ askId })).ask.status
    await vi.waitUntil(async () => (await stateOf(first.id)) === 'done', { timeout: 60_000, interval: 50 })
    await client.asks.teach({
      askId: first.id,
      attempt: 0,
      teaching: { verdict: 'right', answer: null, wrongAt: null, note: null },
    })
    const second = await client.asks.start({ text, world: WORLD })
    host.child.kill('SIGKILL')
    await host.ended

    const app = await createApp({ dataPath: folder, host: 'memory', gpuLayers: 'cpu' })
    try {
      await app.asks.settled()
      const kept = app.asks.get(first.id)
      expect(kept.attempts[0]?.judgement).toMatchObject({ verdict: 'right', problem: null })
      expect(kept.attempts[0]?.judgement?.learned).toHaveLength(1)
      expect(app.asks.get(second.id).ask.status).toMatch(/stopped|done/)
      expect(app.asks.list({ text: '', deleted: false })).toHaveLength(2)
    } finally {
      await app.dispose()
    }
  },
)

test.skipIf(!isBuilt || !hasDemoModel)(
  'what an ask had written when its host was killed is kept, and an ask that waited is answered (needs a build)',
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-killed-'))
    const model = join(folder, 'babel.gguf')
    const vocabulary = resolve('models/loam-demo.gguf')
    writeRandomModel(model, { architecture: 'qwen2', vocabulary, template: null, seed: 3, loud: ['"', '{'] })
    const dataPath = join(folder, 'data')
    const host = startHeadless(dataPath)
    const { client } = await connectTo(await host.url)
    const { id: long } = await client.asks.start({
      ...{ text: 'Tell me a story.', model, maxTokens: 3000, temperature: 1, seed: 3 },
    })
    const text = 'Harbor: Count the bookings with price over 32.'
    const { id: waits } = await client.asks.start({ text, world: WORLD })
    const shown = async () => (await client.asks.get({ askId: long })).live?.streaming ?? ''
    await vi.waitUntil(async () => (await shown()).length > 40, { timeout: 60_000, interval: 20 })
    const before = await shown()
    const { wait } = await client.asks.get({ askId: waits })
    expect(wait).toMatchObject({ place: 1, behind: 'the ask “Tell me a story.”' })
    // Kept about each second, while it is written as in between.
    const written = join(dataPath, 'asks', long, 'written.json')
    const kept = JSON.stringify(before).slice(1, -1)
    await vi.waitUntil(async () => existsSync(written) && (await readFile(written, 'utf8')).includes(kept), {
      ...{ timeout: 60_000, interval: 20 },
    })
    host.child.kill('SIGKILL')
    await host.ended

    const app = await createApp({ dataPath, host: 'memory', gpuLayers: 'cpu' })
    try {
      await app.asks.settled()
      const { ask, attempts } = app.asks.get(long)
      expect(ask).toMatchObject({ status: 'stopped', problem: { code: 'INTERRUPTED' } })
      const { finish, startedAt = '', finishedAt = '' } = attempts[0]?.trajectory ?? {}
      expect(finish).toBe('stopped')
      expect(Date.parse(finishedAt)).toBeGreaterThan(Date.parse(startedAt))
      expect(attempts[0]?.trajectory.rounds[0]?.completion.startsWith(before)).toBe(true)
      expect(app.asks.get(waits)).toMatchObject({ ask: { status: 'done' }, wait: null })
    } finally {
      await app.dispose()
    }
  },
)
