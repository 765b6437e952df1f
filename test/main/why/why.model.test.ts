import { afterEach, expect, test, vi } from 'vitest'
import { askAndWait, hasDemoModel, openAsksRig, type AsksRig } from '../asks/rig'

// Engines start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let rig: AsksRig | null = null
afterEach(async () => {
  await rig?.close()
  rig = null
})

const needsModel = test.skipIf(!hasDemoModel)

needsModel(
  'a failed attempt of a run: expected beside given, the bad step, who misled it, and played again without that',
  async () => {
    rig = await openAsksRig()
    const { app } = rig
    const run = await app.runDrafts.start({ stream: 'house-rules-a', method: 'case-bank', tasks: 14 })
    const { rewards } = await app.runs.ended(run.id)
    const failures = await Promise.all(
      rewards.flatMap((reward, index) => (reward === 0 ? [app.runs.trajectory(run.id, index)] : [])),
    )
    const failed = failures.findLast(({ recalled }) => recalled.length > 0)
    if (!failed) throw new Error('The demo model fails at some of its first tasks.')
    const place = { kind: 'run' as const, runId: run.id, index: failed.task.index }
    const why = await app.whyFailed.explain(place)
    expect(why.expected).toMatch(/^SELECT|^UPDATE|^INSERT|^DELETE/)
    expect(why.given).not.toBe(why.expected)
    expect(why.badStep?.reason).toBeTruthy()
    expect(why.recalled).toBe(failed.recalled.length)
    // Each of them can be left out, whether something speaks against it or not.
    expect(why.suspects.length + why.others.length).toBe(failed.recalled.length)
    expect(why.similar.length).toBeGreaterThan(0)
    expect(why.similar.every(({ trajectoryId }) => trajectoryId !== failed.id)).toBe(true)
    expect(why.cannotReplay).toBeNull()

    // As it was: the same memory as then, though the memory knows more by now, and so the same steps.
    const same = await app.whyFailed.replay(place, { kind: 'nothing' })
    expect(same.replays).toHaveLength(1)
    expect(same.replays[0]).toMatchObject({ recalled: failed.recalled.length, given: why.given })

    const [item] = failed.recalled
    if (!item) throw new Error('It recalled something.')
    const { kind, id } = item
    const less = await app.whyFailed.replay(place, { kind: 'item', item: { kind, id } })
    expect(less.replays[1]).toMatchObject({ recalled: failed.recalled.length - 1 })
    const none = await app.whyFailed.replay(place, { kind: 'memory' })
    expect(none.replays[2]).toMatchObject({ recalled: 0 })
    // Nothing was learned from any of it, and all of it is there after a restart.
    const again = await rig.reopen()
    expect((await again.whyFailed.explain(place)).replays).toEqual(none.replays)
    expect(again.runs.get(run.id).rewards).toEqual(rewards)
    expect((await again.memories.list()).find(({ id: memory }) => memory === failed.memoryId)?.cases).toBe(14)
  },
)

needsModel(
  'an ask that was judged wrong: the step a person picked, and tries without what it recalled',
  async () => {
    rig = await openAsksRig()
    const { app } = rig
    const world = { stream: 'house-rules-a', index: 3 }
    const answer = "SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';"
    const first = await askAndWait(app, { text: 'Harbor: Count the bookings with price over 32.', world })
    await app.asks.teach(first.ask.id, 0, { verdict: 'wrong', answer, wrongAt: 2, note: 'out of rounds' })
    await app.asks.settled()
    const why = await app.whyFailed.explain({ kind: 'ask', askId: first.ask.id, attempt: 0 })
    expect(why).toMatchObject({
      expected: `${answer}\n[(3,)]`,
      badStep: { step: 2, reason: 'out of rounds' },
      replays: [],
    })

    const { memoryId } = first.ask.spec
    const second = await askAndWait(app, {
      text: 'Harbor: Count the bookings with price over 45.',
      world,
      memoryId,
    })
    const recalled = second.attempts[0]?.trajectory.recalled ?? []
    expect(recalled).toHaveLength(2)
    const solved = recalled.find(({ reward }) => reward === 1)
    if (!solved) throw new Error('It recalled what was corrected.')
    const place = { kind: 'ask' as const, askId: second.ask.id, attempt: 0 }
    await app.whyFailed.replay(place, { kind: 'item', item: { kind: solved.kind, id: solved.id } })
    await app.asks.settled()
    await app.whyFailed.replay(place, { kind: 'memory' })
    await app.asks.settled()
    const { attempts } = app.asks.get(second.ask.id)
    expect(attempts.map(({ trajectory }) => trajectory.recalled.length)).toEqual([2, 1, 0])
    expect(attempts[1]?.changes.recall).toMatchObject({ attempt: 0, without: [{ id: solved.id }] })
  },
)
