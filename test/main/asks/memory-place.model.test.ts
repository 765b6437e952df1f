import { expect, test } from 'vitest'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { topicsOfItems } from '../../../src/main/items/memory-topics'
import { askAndWait, BOOKINGS, COUNT_BOOKINGS, hasDemoModel, useAsksRig } from './rig'

const openRig = useAsksRig()

test.skipIf(!hasDemoModel)(
  'a memory is looked at by topic, by tag and as it was; many items change at once, become one, and come back',
  async () => {
    const rig = await openRig()
    const { app } = rig
    const said = { wrongAt: null, note: null }
    const first = await askAndWait(app, { text: COUNT_BOOKINGS, world: BOOKINGS })
    const { memoryId } = first.ask.spec
    const answer = "SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';"
    await app.asks.teach(first.ask.id, 0, { ...said, verdict: 'wrong', answer })
    await app.asks.settled()
    const between = new Date().toISOString()
    const second = await askAndWait(app, {
      text: 'Harbor: Count the bookings with price over 45.',
      world: BOOKINGS,
      memoryId,
    })
    await app.asks.teach(second.ask.id, 0, { ...said, verdict: 'right', answer: null })
    await app.asks.settled()
    const query = {
      ...{ memoryId, kinds: ['case'], text: '', environment: null, mark: null },
      ...{ state: 'live' as const, sort: 'oldest' as const, offset: 0, limit: 50 },
    }
    const { rows, span } = await app.memory.list(query)
    const refs = rows.map(({ kind, id }) => ({ kind, id }))
    expect(refs).toHaveLength(3)
    expect(span && span.from < between && between < span.to).toBe(true)

    // As it was between the two.
    expect((await app.memory.list({ ...query, at: between })).total).toBe(2)
    const [a, b, c] = refs
    if (!a || !b || !c) throw new Error('There are three.')

    const memory = await app.memories.open(memoryId)
    const [topic] = await topicsOfItems(memorySourceOf(memory), await app.embedder())
    expect(topic).toMatchObject({
      judged: 2,
      helped: 2,
      contradictions: [{ title: expect.stringContaining('over 32') as unknown }],
    })
    // The cases, and the line that proved right.
    expect(topic?.items).toHaveLength(4)

    // Tags, on two at once, and back in one step.
    const tagged = await app.memory.undo(
      memoryId,
      [a, b].map((ref) => ({ do: 'tag' as const, ref, tags: ['harbor', 'checked'] })),
    )
    const harbor = await app.memory.list({ ...query, tag: 'harbor' })
    expect(harbor).toMatchObject({ total: 2, rows: [{ tags: ['checked', 'harbor'] }, {}] })
    expect(harbor.tags).toEqual([
      { tag: 'checked', items: 2 },
      { tag: 'harbor', items: 2 },
    ])
    const app2 = await rig.reopen()
    expect((await app2.memory.list({ ...query, tag: 'harbor' })).total).toBe(2)
    await app2.memory.undo(memoryId, tagged.undo)
    expect((await app2.memory.list({ ...query, tag: 'harbor' })).total).toBe(0)

    // Two become one, with words of a person's own; taken back in one step.
    const { values } = await app2.memory.get(memoryId, b)
    const merged = await app2.memory.merge(memoryId, [b, c], {
      ...values,
      state: 'Harbor: Count the bookings with price over a limit.',
    })
    expect((await app2.memory.list(query)).total).toBe(2)
    await app2.memory.undo(memoryId, merged.undo)
    expect((await app2.memory.list(query)).total).toBe(3)
    await expect(app2.memory.merge(memoryId, [b], {})).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect((await app2.memory.list({ ...query, items: [c] })).rows).toMatchObject([c])
  },
)
