import { expect, test } from 'vitest'
import { askAndWait, BOOKINGS, COUNT_BOOKINGS, hasDemoModel, listAll, RIGHT, useAsksRig } from './rig'

const openRig = useAsksRig()

const needsModel = test.skipIf(!hasDemoModel)

needsModel(
  'an ask in a world of house rules is taught; the next one recalls it and keeps the rules at once',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const first = await askAndWait(app, {
      text: COUNT_BOOKINGS,
      world: BOOKINGS,
    })
    expect(first.ask).toMatchObject({ status: 'done', verdict: null, attempts: 1 })
    // Whoever comes back to it is told how it ended, not what was going on before.
    await expect
      .poll(() => app.jobs.list()[0])
      .toMatchObject({ status: 'done', activity: 'It ended without an answer' })
    const [attempt] = first.attempts
    // Three rounds of finding out, and none left to answer in.
    expect(attempt?.trajectory).toMatchObject({ recalled: [], finish: 'round-limit', reward: 0 })
    expect(attempt?.trajectory.ungraded).toMatch(/judged/)
    const { memoryId } = first.ask.spec
    // Nobody has judged it, so nothing was learned.
    expect((await app.memory.list(listAll(memoryId))).total).toBe(0)

    await app.asks.teach(first.ask.id, 0, {
      verdict: 'wrong',
      answer: "SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';",
      wrongAt: 2,
      note: 'it ran out of rounds',
    })
    await app.asks.settled()
    const taught = app.asks.get(first.ask.id)
    expect(taught.ask.verdict).toBe('wrong')
    const learned = taught.attempts[0]?.judgement?.learned ?? []
    expect(learned).toHaveLength(2)
    const items = await Promise.all(learned.map((ref) => app.memory.get(memoryId, ref)))
    expect(items.map(({ reward }) => reward).sort()).toEqual([0, 1])
    const corrected = items.find(({ reward }) => reward === 1)
    if (!corrected) throw new Error('Nothing was learned from the correction.')
    // Acted out in the world: its rows are the answer.
    expect(corrected.text).toMatch(/price > 3200[\s\S]*\[\(3,\)\]/)

    const again = await askAndWait(app, {
      text: 'Harbor: Count the bookings with price over 45.',
      world: BOOKINGS,
      memoryId,
    })
    const next = again.attempts[0]?.trajectory
    expect(next?.recalled.map(({ id }) => id).sort()).toEqual(learned.map(({ id }) => id).sort())
    expect(next?.finish).toBe('completed')
    expect(next?.rounds).toHaveLength(2)
    expect(next?.rounds[0]?.action).toMatchObject({
      content: "SELECT COUNT(*) FROM bookings WHERE price > 4500 AND archived = 'B';",
    })

    await app.asks.teach(again.ask.id, 0, RIGHT)
    await app.asks.settled()
    expect((await app.memory.get(memoryId, corrected)).recalls).toMatchObject({
      recalled: 1,
      judged: 1,
      helped: 1,
    })
  },
)

needsModel(
  'judged anew, what the verdict before taught is struck out; an ask not to be remembered teaches nothing',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const asked = await askAndWait(app, {
      text: 'Harbor: Count the lost shipments.',
      world: { stream: 'house-rules-a', index: 12 },
    })
    const { id, spec } = asked.ask
    await app.asks.teach(id, 0, { ...RIGHT, verdict: 'partly' })
    await app.asks.settled()
    const [before] = app.asks.get(id).attempts[0]?.judgement?.learned ?? []
    await app.asks.teach(id, 0, RIGHT)
    await app.asks.settled()
    const [after] = app.asks.get(id).attempts[0]?.judgement?.learned ?? []
    if (!before || !after) throw new Error('Nothing was learned.')
    expect((await app.memory.get(spec.memoryId, before)).gone).toMatchObject({ why: 'deleted' })
    expect(await app.memory.get(spec.memoryId, after)).toMatchObject({ gone: null, reward: 1 })

    const secret = await askAndWait(app, { ...spec, tools: [], remember: false })
    await app.asks.teach(secret.ask.id, 0, RIGHT)
    await app.asks.settled()
    expect(app.asks.get(secret.ask.id).attempts[0]?.judgement).toMatchObject({
      verdict: 'right',
      learned: [],
    })
    const cases = { ...listAll(spec.memoryId), kinds: ['case'] }
    expect((await app.memory.list(cases)).total).toBe(1)
  },
)

needsModel(
  'asks are kept: found by their words, renamed, pinned, deleted and brought back, after a restart too',
  async () => {
    const rig = await openRig()
    const first = await askAndWait(rig.app, {
      text: 'Harbor: Count the lost shipments.',
      world: { stream: 'house-rules-a', index: 12 },
    })
    const second = await askAndWait(rig.app, {
      text: COUNT_BOOKINGS,
      world: BOOKINGS,
    })
    await rig.app.asks.pin(first.ask.id, true)
    await rig.app.asks.rename(first.ask.id, 'What got lost')
    await rig.app.asks.remove(second.ask.id)
    const app = await rig.reopen()
    expect(app.asks.list({ text: '', deleted: false })).toMatchObject([
      { title: 'What got lost', pinned: true, status: 'done' },
    ])
    expect(app.asks.list({ text: 'LOST ship', deleted: false })).toHaveLength(1)
    expect(app.asks.list({ text: 'bookings', deleted: false })).toHaveLength(0)
    await app.asks.restore(second.ask.id)
    expect(app.asks.list({ text: '', deleted: false }).map(({ id }) => id)).toEqual([
      first.ask.id,
      second.ask.id,
    ])
    expect(app.asks.get(first.ask.id).attempts[0]?.trajectory).toEqual(first.attempts[0]?.trajectory)
    const both = await Promise.allSettled([app.asks.retry(first.ask.id), app.asks.retry(first.ask.id)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await app.asks.settled()
    expect(app.asks.get(first.ask.id).attempts).toHaveLength(2)
  },
)
