import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { ENOUGH } from '../../../src/core/verdict/client-rules'
import type { App } from '../../../src/main/app'
import { readerLines } from '../../../src/shared/domain/message-reader'
import type { ReadRelation } from '../../../src/shared/domain/verdict'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { parrot } from './parrot'
import { askAndWait, DEMO_MODEL, hasDemoModel, NOTHING_SAID, passProbe, RIGHT, useAsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const WRONG = { ...NOTHING_SAID, verdict: 'wrong' } as const

/** Asks with an answer and a next message that rules make nothing of. */
async function openTalks(count: number) {
  server = await startModelServer('parrot', parrot)
  const rig = await openRig()
  const { app } = rig
  const talks: string[] = []
  for (let i = 0; i < count; i++) {
    const text = `What is the capital of place number ${i}?`
    const { ask } = await askAndWait(app, { text, model: `openai:parrot@${server.url}`, tools: [] })
    await app.asks.say(ask.id, `Hm, und wie steht es um Ort ${i}, so im Großen und Ganzen`, [], null)
    await app.asks.settled()
    talks.push(ask.id)
  }
  return { rig, app, talks }
}

const keep = (app: App, askId: string, relation: ReadRelation) =>
  app.asks.keepReading(askId, 0, { turn: 1, relation, model: 'reader', at: '2026-05-03T10:00:00.000Z' })

test('readings weigh nothing before thirty verdicts, then as they agree, and a verdict that is turned takes its weight along', async () => {
  const { rig, app, talks } = await openTalks(ENOUGH + 1)
  const last = talks.at(-1) ?? ''
  for (const [i, id] of talks.entries()) {
    await keep(app, id, i % 2 === 0 ? 'thanks' : 'complaint')
    if (id !== last && i > 0) await app.asks.teach(id, 0, i % 2 === 0 ? RIGHT : WRONG)
  }
  await app.asks.settled()
  const standing = () => app.asks.standingOf('reader')
  expect(standing()).toMatchObject({ compared: ENOUGH - 1, agreed: ENOUGH - 1, differed: 0 })
  expect(standing().weights).toEqual({ 'read-right': 0, 'read-wrong': 0 })
  await app.asks.teach(talks[0] ?? '', 0, RIGHT)
  expect(standing()).toMatchObject({ compared: ENOUGH, weights: { 'read-right': 1.5, 'read-wrong': -1.5 } })
  // It orders what waits, and settles nothing.
  const own = () => app.asks.review().entries.find(({ askId, attempt }) => askId === last && attempt === 0)
  expect(own()).toMatchObject({ supposed: null })
  expect(app.asks.get(last).attempts[0]).toMatchObject({ ruled: null, judgement: null })

  // Verdicts that are turned, or gone with their asks, weigh the other way or no more.
  for (const id of talks.slice(0, 10)) {
    const { judgement } = app.asks.get(id).attempts[0] ?? {}
    await app.asks.teach(id, 0, judgement?.verdict === 'right' ? WRONG : RIGHT)
  }
  await app.asks.settled()
  expect(standing()).toMatchObject({ compared: ENOUGH, agreed: 20, differed: 10 })
  expect(standing().weights['read-right']).toBeLessThan(1)
  await app.asks.remove(talks[20] ?? '')
  expect(standing()).toMatchObject({ compared: ENOUGH - 1, weights: { 'read-right': 0, 'read-wrong': 0 } })
  await app.asks.restore(talks[20] ?? '')
  const before = standing()
  expect((await rig.reopen()).asks.standingOf('reader')).toEqual(before)
})

test('nobody reads while no model on this machine has passed the test, and nobody reads what was written to itself', async () => {
  const { app, talks } = await openTalks(2)
  expect(await app.messageReader.read()).toBeNull()
  expect(await app.messageReader.get()).toMatchObject({ model: null, unread: 0, compared: 0 })
  expect(readerLines(await app.messageReader.get())[0]).toContain('no model on this machine has passed')
  // A model on a server that passed is none on this machine.
  const served = app.asks.get(talks[0] ?? '').ask.spec.model
  await passProbe(app, served, 'relations')
  expect((await app.messageReader.get()).model).toBeNull()
  expect(app.asks.unreadMessages('parrot')).toEqual([])
  expect(app.asks.unreadMessages('reader')).toHaveLength(2)
  await app.asks.say(talks[0] ?? '', app.asks.get(talks[0] ?? '').turns[1]?.text ?? '', [], null)
  await app.asks.settled()
  // The same once more is told without a model.
  expect(app.asks.unreadMessages('reader')).toHaveLength(2)
})

test('no server is asked what it has to find out who reads', async () => {
  const paths: string[] = []
  const counting = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.end(JSON.stringify({ object: 'list', data: [] }))
  })
  await new Promise<void>((listening) => counting.listen(0, '127.0.0.1', listening))
  try {
    const { app } = await openTalks(1)
    const url = `http://127.0.0.1:${(counting.address() as AddressInfo).port}/v1`
    await app.servers.save({ name: 'counting', provider: 'openai', url }, null)
    await app.providers.list()
    expect(paths).not.toEqual([])
    const before = paths.length
    if (hasDemoModel) await passProbe(app, DEMO_MODEL, 'relations')
    await app.messageReader.get()
    await (
      await app.messageReader.read()
    )?.finished
    expect(paths).toHaveLength(before)
  } finally {
    counting.close()
  }
})

test.skipIf(!hasDemoModel)(
  'a model on this machine that passed reads what is unread, under its form, and once',
  async () => {
    const { app, talks } = await openTalks(2)
    await passProbe(app, DEMO_MODEL, 'relations')
    await app.asks.teach(talks[0] ?? '', 0, RIGHT)
    await app.asks.settled()
    await vi.waitFor(async () => expect((await app.messageReader.get()).model).not.toBeNull())
    expect(await app.messageReader.get()).toMatchObject({ unread: 2 })
    const { model } = await app.messageReader.get()
    // What the person judged comes first: it weighs the rest.
    expect(app.asks.unreadMessages(model ?? '')[0]).toMatchObject({ askId: talks[0], isJudged: true })
    const job = await app.messageReader.read()
    expect(await job?.finished).toMatchObject({ status: 'done' })
    for (const id of talks) expect(app.asks.get(id).attempts[0]?.reading).toMatchObject({ model, turn: 1 })
    expect(await app.messageReader.get()).toMatchObject({ unread: 0, compared: 1 })
    expect(await app.messageReader.read()).toBeNull()
    await app.saveSettings({ readMessages: false })
    expect(readerLines(await app.messageReader.get())).toEqual(['Next messages are read by rules alone.'])
  },
)
