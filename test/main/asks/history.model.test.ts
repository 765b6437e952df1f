import { expect, test } from 'vitest'
import { findEnvironment } from '../../../src/core/tasks'
import { askFigures, rightSoFar } from '../../../src/shared/figures/ask-figures'
import { askAndWait, BOOKINGS, COUNT_BOOKINGS, hasDemoModel, NOTHING_SAID, useAsksRig } from './rig'

const openRig = useAsksRig()

test.skipIf(!hasDemoModel)(
  'asks become a curve with the moments of the memory, and a stream that another method is replayed on',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const ask = async (text: string, index: number) =>
      (await askAndWait(app, { text, world: { ...BOOKINGS, index } })).ask
    const first = await ask(COUNT_BOOKINGS, 3)
    await app.asks.teach(first.id, 0, {
      ...NOTHING_SAID,
      verdict: 'wrong',
      answer: "SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';",
    })
    await app.asks.settled()
    const second = await ask('Harbor: Count the bookings with price over 45.', 3)
    await app.asks.teach(second.id, 0, { ...NOTHING_SAID, verdict: 'right' })
    await app.asks.settled()
    const third = await ask('Harbor: Which crane is the tallest?', 12)
    const { memoryId } = first.spec

    const curve = await app.askHistory.curve(memoryId)
    expect(curve.points.map(({ askId, right }) => [askId, right])).toEqual([
      [first.id, 0],
      [second.id, 1],
      [third.id, null],
    ])
    expect(rightSoFar(curve.points)).toEqual([0, 0.5, 0.5])
    expect(askFigures(curve.points)).toMatchObject({ asks: 3, judged: 2, right: 1 })
    expect(curve.moments).toMatchObject([
      // Two cases, and the line that proved right.
      { after: 1, added: 3 },
      { after: 2, added: 1 },
    ])
    expect(curve.topics[0]).toMatchObject({ asks: 2, judged: 2, right: 1 })
    expect(curve.topics[0]?.title).toContain('bookings')

    const { streams, leftOut } = await app.askHistory.toStreams('My asks', memoryId)
    expect(leftOut).toMatchObject([{ askId: third.id, why: expect.stringContaining('judged') as unknown }])
    expect(streams).toMatchObject([{ tasks: 2, environment: 'lab-db' }])
    const [stream] = streams
    if (!stream) throw new Error('There is a stream.')
    const { tasks } = await app.streams.load(stream.id)
    const verify = await findEnvironment('lab-db').verifier(app.environments.world)
    for (const task of tasks) expect(await verify(task)).toMatchObject({ kind: 'agrees' })

    // Without the memory, neither is solved; with it they were, from the second on.
    const run = await app.runDrafts.start({ stream: stream.id, method: 'none' })
    expect(await app.runs.ended(run.id)).toMatchObject({ status: 'done', done: 2, solved: 0 })
    const again = await app.runDrafts.start({
      stream: stream.id,
      method: 'case-bank',
      memoryId,
    })
    expect(await app.runs.ended(again.id)).toMatchObject({ status: 'done', solved: 2 })
  },
)
