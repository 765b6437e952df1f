import { expect, test } from 'vitest'
import { askAndWait, BOOKINGS, COUNT_BOOKINGS, hasDemoModel, useAsksRig } from './rig'

const openRig = useAsksRig()

const needsModel = test.skipIf(!hasDemoModel)

needsModel(
  'a conversation in a world goes on, is branched from a step in a person’s words, and is kept',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const first = await askAndWait(app, {
      text: COUNT_BOOKINGS,
      world: BOOKINGS,
    })
    const { id } = first.ask
    // The agent ran out of rounds; from its last step on, a person says what it should have done.
    const kept = first.attempts[0]?.trajectory.rounds.slice(0, 2) ?? []
    await app.askDrafts.branch(
      id,
      { attempt: 0, step: 2, edit: "SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';" },
      {},
    )
    await app.asks.settled()
    const branched = app.asks.get(id).attempts[1]
    expect(branched?.from).toMatchObject({ attempt: 0, step: 2 })
    expect(branched?.trajectory.rounds.slice(0, 2).map(({ completion }) => completion)).toEqual(
      kept.map(({ completion }) => completion),
    )
    expect(branched?.trajectory.rounds[2]?.observation).toBe('[(3,)]')

    // The next message goes on after it, and finds it among what was said before.
    await app.asks.say(id, 'Harbor: Count the bookings with price over 45.', [], 1)
    await app.asks.settled()
    const detail = app.asks.get(id)
    expect(detail.turns).toMatchObject([
      { after: null },
      { after: 1, text: expect.stringContaining('over 45') as unknown },
    ])
    const next = detail.attempts[2]
    expect(next).toMatchObject({ turn: 1 })
    expect(next?.trajectory.recalled).toMatchObject([{ scoreKind: 'conversation' }])
    expect(next?.trajectory.task.context).toContain('Said before')
    expect(next?.trajectory.rounds[0]?.action).toMatchObject({
      content: "SELECT COUNT(*) FROM bookings WHERE price > 4500 AND archived = 'B';",
    })

    const before = detail
    const app2 = await rig.reopen()
    expect(app2.asks.get(id)).toEqual(before)
  },
)

needsModel(
  'what is said while it works is taken in before the next step, or becomes the next message',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const { id } = await app.askDrafts.start({
      text: COUNT_BOOKINGS,
      world: BOOKINGS,
    })
    app.asks.steer(id, 'Money is in cents.')
    await app.asks.settled()
    const { attempts, turns } = app.asks.get(id)
    expect(attempts[0]?.trajectory.rounds[0]?.heard).toBe('Money is in cents.')
    expect(turns).toHaveLength(1)
    // Nothing goes on any more.
    expect(() => app.asks.steer(id, 'Too late.')).toThrow('not being worked on')
  },
)

needsModel(
  'a conversation longer than the model can read loses its oldest turns to a summary, and says so',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const pad = 'the ships and their cargo, '.repeat(40)
    const { ask } = await askAndWait(app, { text: `First: ${pad}`, tools: [], maxTokens: 16 })
    let fitted = null
    for (let turn = 1; turn < 14 && fitted === null; turn++) {
      await app.asks.say(ask.id, `Message ${turn}: ${pad}`, [], null)
      await app.asks.settled()
      const detail = app.asks.get(ask.id)
      expect(detail.ask.problem).toBeNull()
      fitted = detail.attempts.at(-1)?.fitted ?? null
    }
    expect(fitted?.turns).toBeGreaterThan(0)
    expect(app.asks.get(ask.id).attempts.at(-1)?.trajectory.finish).not.toBe('context-overflow')
    // The next message begins with the summary instead of making it once more.
    await app.asks.say(ask.id, 'And now?', [], null)
    await app.asks.settled()
    expect(app.asks.get(ask.id).attempts.at(-1)?.fitted?.turns).toBeGreaterThanOrEqual(fitted?.turns ?? 0)
  },
)
