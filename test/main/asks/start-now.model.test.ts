import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { answerOf } from '../../../src/shared/domain/ask'
import { writeRandomModel } from '../../models/random-model'
import { BOOKINGS, COUNT_BOOKINGS, hasDemoModel, useAsksRig } from './rig'

const openRig = useAsksRig()

test.skipIf(!hasDemoModel)(
  'a waiting ask starts now: the one at work rests, goes on to the letter as the same try, and can be stopped while it rests',
  async () => {
    const { app, folder } = await openRig()
    const model = join(folder, 'babel.gguf')
    const vocabulary = resolve('models/loam-demo.gguf')
    writeRandomModel(model, {
      architecture: 'qwen2',
      vocabulary,
      template: null,
      seed: 3,
      loud: ['"', '{', '`', '<', '['],
    })
    const story = { text: 'Tell me a story.', model, maxTokens: 700, temperature: 1, tools: [] }
    const { id: long } = await app.askDrafts.start({ ...story, seed: 3 })
    const firstAnswer = (id: string): string => {
      const [attempt] = app.asks.get(id).attempts
      return (attempt && answerOf(attempt)) ?? ''
    }
    const written = () => app.asks.get(long).live?.streaming ?? ''
    await vi.waitUntil(() => written().length > 60, { timeout: 60_000, interval: 5 })

    const { id: waits } = await app.askDrafts.start({ text: COUNT_BOOKINGS, world: BOOKINGS })
    await vi.waitUntil(() => app.asks.get(waits).wait !== null, { interval: 5 })
    expect(app.asks.get(waits).wait).toMatchObject({ place: 1, canStart: true })
    expect(() => app.asks.startNow(long)).toThrow(expect.objectContaining({ code: 'CONFLICT' }) as Error)
    app.asks.startNow(waits)
    await vi.waitUntil(() => app.asks.get(long).ask.status === 'waiting', { interval: 2 })
    const before = written()
    expect(app.asks.get(long).wait).toMatchObject({ place: 1 })
    await vi.waitUntil(() => app.asks.get(waits).ask.status === 'done', { timeout: 60_000 })
    expect(app.asks.get(long).ask.status).not.toBe('done')

    await app.asks.settled()
    const { ask, attempts } = app.asks.get(long)
    expect(ask).toMatchObject({ status: 'done', problem: null, attempts: 1 })
    expect(firstAnswer(long).startsWith(before.trim())).toBe(true)
    expect(attempts[0]?.trajectory.rounds).toHaveLength(1)

    const { id: second } = await app.askDrafts.start({ ...story, maxTokens: 2000, seed: 4 })
    await vi.waitUntil(() => (app.asks.get(second).live?.streaming ?? '').length > 60, { timeout: 60_000 })
    const { id: other } = await app.askDrafts.start({ text: COUNT_BOOKINGS, world: BOOKINGS })
    await vi.waitUntil(() => app.asks.get(other).wait !== null, { interval: 5 })
    app.asks.startNow(other)
    await vi.waitUntil(() => app.asks.get(second).ask.status === 'waiting', { interval: 2 })
    const kept = (app.asks.get(second).live?.streaming ?? '').trim()
    await app.asks.stop(second)
    await app.asks.settled()
    expect(app.asks.get(second)).toMatchObject({ ask: { status: 'stopped' }, wait: null })
    expect(app.asks.get(second).attempts).toHaveLength(1)
    expect(firstAnswer(second)).toBe(kept)
  },
)
