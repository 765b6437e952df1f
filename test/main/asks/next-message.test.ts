import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { parrot } from './parrot'
import { askAndWait, useAsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function openTalk() {
  server = await startModelServer('parrot', parrot)
  const { app } = await openRig()
  const { ask } = await askAndWait(app, {
    text: 'What is the capital of Australia?',
    model: `openai:parrot@${server.url}`,
    tools: [],
  })
  const say = async (text: string) => {
    await app.asks.say(ask.id, text, [], null)
    await app.asks.settled()
    return app.asks.get(ask.id).attempts
  }
  return { app, ask, say }
}

test('a complaint that follows teaches that an attempt failed, and a person can turn it', async () => {
  const { app, ask, say } = await openTalk()
  const [attempt] = await say('That is wrong.')
  expect(attempt?.judgement).toMatchObject({ by: 'rule', verdict: 'wrong', note: 'a complaint followed' })
  await app.asks.teach(ask.id, 0, { verdict: 'right', answer: null, wrongAt: null, note: null })
  await app.asks.settled()
  expect(app.asks.get(ask.id).attempts[0]?.judgement).toMatchObject({ by: 'person', verdict: 'right' })
})

test('thanks are told, and wait for the key of the person', async () => {
  const { app, ask, say } = await openTalk()
  const [attempt] = await say('Thank you so much!')
  expect(attempt).toMatchObject({ judgement: null, ruled: { value: 'solved' } })
  expect(app.asks.get(ask.id).ask.presumed).toBe(1)
  await app.asks.teach(ask.id, 0, { verdict: 'right', answer: null, wrongAt: null, note: null })
  expect(app.asks.get(ask.id).ask.presumed).toBe(0)
})

test('what settles nothing leaves an attempt open, and a failure by rule counts in no rate', async () => {
  const { app, ask, say } = await openTalk()
  const [first] = await say('How many people live in Berlin?')
  expect(first).toMatchObject({ judgement: null, ruled: null })
  await say('That is wrong.')
  const { points } = await app.askHistory.curve(ask.spec.memoryId)
  expect(points.map(({ right }) => right)).toEqual([null, null, null])
})

test('what is said, changed or taken out as soon as an answer is there does not wait for its last moments', async () => {
  const { app, ask } = await openTalk()
  const answered = async (tries: number): Promise<void> => {
    while (app.asks.get(ask.id).attempts.length < tries) await turn()
  }
  await app.asks.say(ask.id, 'And of Austria?', [], null)
  await answered(2)
  await app.asks.say(ask.id, 'And of Germany?', [], null)
  await answered(3)
  await app.asks.editAnswer(ask.id, 2, 'Berlin.')
  await app.asks.say(ask.id, 'And of Italy?', [], null)
  await answered(5)
  await app.asks.takeOut(ask.id, { attempt: 4 }, true)
  expect(app.asks.get(ask.id).attempts.map(({ removed }) => removed)).toEqual([
    ...[false, false, false, false, true],
  ])
})
