import { afterEach, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { parrot } from './parrot'
import { askAndWait, RIGHT, useAsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

test('answers wait for a word in order, one key takes each out, and the person is asked once a day', async () => {
  server = await startModelServer('parrot', parrot)
  const rig = await openRig()
  const { app } = rig
  expect(app.asks.review()).toEqual({ entries: [], total: 0, due: false })
  const model = `openai:parrot@${server.url}`
  const ask = async (text: string) => (await askAndWait(app, { text, model, tools: [] })).ask.id
  const first = await ask('Sort the invoices of March by customer and date')
  const capital = await ask('What is the capital of Australia?')
  const second = await ask('Sort the invoices of April by customer and date')
  // Thanks lean one way, so that the other one of its kind is more in doubt.
  await app.asks.say(second, 'Thank you so much!', [], null)
  await app.asks.settled()

  const review = app.asks.review()
  expect(review).toMatchObject({ total: 4, due: true })
  expect(review.entries.map(({ askId, attempt, often }) => [askId, attempt, often])).toEqual([
    [first, 0, 2],
    [second, 0, 2],
    [second, 1, 1],
    [capital, 0, 1],
  ])
  expect(review.entries[1]).toMatchObject({
    next: 'Thank you so much!',
    supposed: { verdict: 'right', because: 'thanks or praise followed' },
  })
  await app.asks.teach(first, 0, RIGHT)
  expect(app.asks.review().entries.map(({ askId }) => askId)).not.toContain(first)
  expect(await app.asks.putOffReview()).toMatchObject({ total: 3, due: false })
  await app.asks.remove(capital)
  // The next start asks no second time, but still says what waits.
  expect((await rig.reopen()).asks.review()).toMatchObject({ total: 2, due: false })
})
