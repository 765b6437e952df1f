import { expect, test } from 'vitest'
import { askAndWait, hasDemoModel, listAll, RIGHT, useAsksRig } from './rig'

const openRig = useAsksRig()
const needsModel = test.skipIf(!hasDemoModel)

needsModel(
  'what a message asks to be remembered becomes facts at once, without a model; a later one takes the place of an earlier one',
  async () => {
    const { app } = await openRig()
    const first = await askAndWait(app, {
      text: 'Remember that the wifi password of the cabin is marmot-221.',
    })
    const [attempt] = first.attempts
    expect(first.ask.isFact).toBe(true)
    expect(attempt?.trajectory).toMatchObject({ model: 'Loam', usage: { promptTokens: 0 } })
    const [fact] = attempt?.facts ?? []
    if (!fact) throw new Error('Nothing was remembered.')
    const { memoryId } = first.ask.spec
    expect(await app.memory.get(memoryId, fact)).toMatchObject({
      title: 'The wifi password of the cabin is marmot-221.',
      gone: null,
    })

    // Said in the world of a task, as with the demo model alone, it is kept all the same.
    const second = await askAndWait(app, {
      text: 'Remember that the wifi password of the cabin is bear-7.',
      world: { stream: 'house-rules-a', index: 3 },
    })
    expect(second.ask.spec.world).toBeNull()
    const [later] = second.attempts[0]?.facts ?? []
    if (!later) throw new Error('Nothing was remembered.')
    expect((await app.memory.get(memoryId, fact)).gone).toMatchObject({ why: 'contradicted' })
    const history = await app.memory.history(memoryId, later)
    expect(history.map(({ title }) => title)).toEqual([
      'The wifi password of the cabin is marmot-221.',
      'The wifi password of the cabin is bear-7.',
    ])
    // Struck out, it gives the earlier one its place back.
    await app.memory.remove(memoryId, later)
    expect((await app.memory.get(memoryId, fact)).gone).toBeNull()
    // Said again, it is kept once.
    await askAndWait(app, { text: 'Remember that the wifi password of the cabin is marmot-221.' })
    expect((await app.memory.list({ ...listAll(memoryId), kinds: ['fact'] })).total).toBe(1)
  },
)

needsModel('what a message tells in passing is offered once, and kept only on a word', async () => {
  const rig = await openRig()
  const text = 'I am allergic to nuts. My dentist is Dr. Ferrari. What can I bake?'
  const { ask, attempts } = await askAndWait(rig.app, { text, maxTokens: 16 })
  const { memoryId } = ask.spec
  const facts = async () =>
    (await rig.app.memory.list({ ...listAll(memoryId), kinds: ['fact'] })).rows.map(({ title }) => title)
  const [nuts, dentist] = attempts[0]?.offers.map(({ statement }) => statement) ?? []
  expect([nuts, dentist]).toEqual(['I am allergic to nuts.', 'My dentist is Dr. Ferrari.'])
  expect(await facts()).toEqual([])
  await rig.app.asks.keepFact(ask.id, 0, String(nuts), true)
  await rig.app.asks.keepFact(ask.id, 0, String(dentist), false)
  expect(await facts()).toEqual([nuts])
  await expect(rig.app.asks.keepFact(ask.id, 0, 'I am tall.', true)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })

  // What was answered stays answered: after a start, in another try, and in another ask where it is known.
  const app = await rig.reopen()
  expect(app.asks.get(ask.id).attempts[0]?.offers.map(({ state }) => state)).toEqual(['kept', 'left'])
  await app.asks.retry(ask.id)
  await app.asks.settled()
  expect(app.asks.get(ask.id).attempts[1]?.offers).toEqual([])
  const next = await askAndWait(app, { text: 'I am allergic to nuts. Is pesto fine?', maxTokens: 16 })
  expect(next.attempts[0]?.offers).toEqual([])
  // Nobody has judged that answer or the other try, and the fact says that both were shown it.
  const { rows } = await app.memory.list({ ...listAll(memoryId), kinds: ['fact'] })
  expect(rows.map(({ recalls }) => recalls.recalled)).toEqual([0])
  expect(app.asks.withUnjudged(rows, memoryId)[0]?.recalls.unjudged).toBe(2)
  await app.asks.teach(next.ask.id, 0, RIGHT)
  await app.asks.settled()
  const { rows: judgedRows } = await app.memory.list({ ...listAll(memoryId), kinds: ['fact'] })
  const [after] = app.asks.withUnjudged(judgedRows, memoryId)
  expect(after?.recalls).toMatchObject({ recalled: 1, judged: 1, unjudged: 1 })

  const quiet = await askAndWait(app, {
    text: 'I live in Graz. Where to eat?',
    maxTokens: 16,
    remember: false,
  })
  expect(quiet.attempts[0]?.offers).toEqual([])
})

needsModel(
  'a correction becomes a fact; the wrong answer is in no later prompt, and in other projects neither',
  async () => {
    const { app } = await openRig()
    const plain = { maxTokens: 24, seed: 1, temperature: 0 }
    const asked = await askAndWait(app, {
      text: 'Which port does our Vela service use?',
      project: 'Harbor',
      ...plain,
    })
    await app.asks.teach(asked.ask.id, 0, { verdict: 'wrong', answer: '7411', wrongAt: null, note: null })
    await app.asks.settled()
    const { learned } = app.asks.get(asked.ask.id).attempts[0]?.judgement ?? {}
    expect(learned?.map(({ kind }) => kind).sort()).toEqual(['case', 'case', 'fact'])

    const again = await askAndWait(app, {
      text: 'Which port does our Vela service use?',
      project: 'Harbor',
      ...plain,
    })
    const { trajectory } = again.attempts[0] ?? {}
    // One item, and no tool: the question, what is known and the short prompt.
    expect(trajectory?.recalled.map(({ kind }) => kind)).toEqual(['fact'])
    expect(trajectory?.rounds[0]?.usage.promptTokens).toBeLessThan(150)
    const elsewhere = await askAndWait(app, {
      text: 'Which port does our Vela service use?',
      project: 'Garden',
      ...plain,
    })
    expect(elsewhere.attempts[0]?.trajectory.recalled).toEqual([])

    // Judged anew, the fact goes with what the verdict before had taught.
    await app.asks.teach(asked.ask.id, 0, { verdict: 'wrong', answer: '7412', wrongAt: null, note: null })
    await app.asks.settled()
    const { rows } = await app.memory.list({ ...listAll(asked.ask.spec.memoryId), kinds: ['fact'] })
    expect(rows.map(({ title }) => title)).toEqual(['The port our Vela service uses is 7412.'])
  },
)

needsModel('an answer that was right before is silent once a later fact says otherwise', async () => {
  const { app } = await openRig()
  const plain = { text: 'Which day is band practice?', maxTokens: 16, seed: 1, temperature: 0 }
  const { ask } = await askAndWait(app, plain)
  await app.asks.teach(ask.id, 0, { verdict: 'wrong', answer: 'Thursday', wrongAt: null, note: null })
  await app.asks.settled()
  await askAndWait(app, { text: 'Actually, band practice moved to Friday. Remember that.' })
  const again = await askAndWait(app, plain)
  expect(again.attempts[0]?.trajectory.recalled.map(({ title }) => title)).toEqual([
    'Band practice moved to Friday.',
  ])
})

needsModel(
  'each try at an ask begins somewhere else, one in an environment always at the same place',
  async () => {
    const { app } = await openRig()
    const { ask } = await askAndWait(app, { text: 'Tell me a story.', maxTokens: 16 })
    await app.asks.retry(ask.id)
    await app.asks.settled()
    const seeds = app.asks.get(ask.id).attempts.map(({ trajectory }) => trajectory.seed)
    expect(new Set(seeds).size).toBe(2)
    const world = { stream: 'house-rules-a', index: 3 }
    const inWorld = await askAndWait(app, { text: 'Harbor: Count the bookings with price over 32.', world })
    expect(inWorld.attempts[0]?.trajectory.seed).toBe(1)
  },
)
