import { expect, test } from 'vitest'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { askAndWait, DEMO_MODEL, hasDemoModel, listAll, RIGHT, useAsksRig } from './rig'

const openRig = useAsksRig()
const needsModel = test.skipIf(!hasDemoModel)

/** Asks for the first tasks of a world, and takes each answer for right. */
async function liveThrough(app: Parameters<typeof askAndWait>[0], count: number): Promise<string[]> {
  const { tasks } = await app.streams.load('house-rules-a')
  const ids: string[] = []
  for (const [index, { instruction }] of tasks.slice(0, count).entries()) {
    const { ask } = await askAndWait(app, { text: instruction, world: { stream: 'house-rules-a', index } })
    await app.asks.teach(ask.id, 0, RIGHT)
    await app.asks.settled()
    ids.push(ask.id)
  }
  return ids
}

needsModel('judged asks are replayed in memories of their own, and give way to an ask at once', async () => {
  const rig = await openRig()
  const { app } = rig
  const ids = await liveThrough(app, 2)
  // What no person said counts for nothing, and says so where it cannot be replayed.
  const plain = await askAndWait(app, { text: 'Tell me a story.', maxTokens: 16 })
  await app.asks.teach(plain.ask.id, 0, { ...RIGHT, verdict: 'wrong' })
  await app.asks.settled()
  const memoryId = app.memories.resolve(MY_MEMORY)
  const held = async () => (await app.memory.list(listAll(memoryId))).rows.map(({ id }) => id)
  const before = await held()
  const memories = (await app.memories.list()).length

  const first = app.methodChoice.compare()
  const { id } = await app.askDrafts.start({ model: DEMO_MODEL, text: 'And another.', maxTokens: 16 })
  expect((await first.finished).activity).toContain('Goes on another time')
  await app.asks.settled()
  expect(app.asks.get(id).attempts).toHaveLength(1)

  const job = await app.methodChoice.compare().finished
  expect(job).toMatchObject({ status: 'done', activity: 'Compared' })
  const choice = await app.methodChoice.get()
  expect(choice).toMatchObject({ usable: 2, replayed: 2, offer: null, nextLook: 20, jobId: null })
  expect(choice.comparisons.map(({ method, n }) => [method, n])).toEqual(
    ['none', 'case-bank-q', 'amem', 'loam'].map((method) => [method, 2]),
  )
  expect(choice.unusable).toEqual([{ why: 'nobody said what would have been right', count: 1 }])
  expect(await held()).toEqual(before)
  expect(await app.memories.list()).toHaveLength(memories)

  // The next start knows what was replayed; what is judged anew begins it anew.
  const again = await rig.reopen()
  expect(await again.methodChoice.get()).toMatchObject({ replayed: 2 })
  await again.asks.remove(ids[0] ?? '')
  expect(await again.methodChoice.get()).toMatchObject({ usable: 1, replayed: 0 })
})

needsModel('Loam chooses where nobody did, and a choice of a person always counts', async () => {
  const rig = await openRig()
  const { app } = rig
  const text = 'Remember that the cabin is called Marmot.'
  expect((await askAndWait(app, { text })).ask.spec).toMatchObject({ method: 'case-bank', automatic: true })
  await app.methodChoice.choose('amem')
  const own = await askAndWait(app, { text, method: 'loam' })
  expect(own.ask.spec).toMatchObject({ method: 'loam', automatic: false })
  const again = await rig.reopen()
  expect(await again.methodChoice.get()).toMatchObject({ method: 'amem', changed: { from: 'case-bank' } })
  expect((await askAndWait(again, { text })).ask.spec).toMatchObject({ method: 'amem', automatic: true })
  for (const method of ['oracle', 'replay']) {
    await expect(again.askDrafts.start({ model: DEMO_MODEL, text, method })).rejects.toThrow(
      'only measures in the Lab',
    )
    await expect(again.methodChoice.choose(method)).rejects.toThrow('only measures in the Lab')
  }
})
