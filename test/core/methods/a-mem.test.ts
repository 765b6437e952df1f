import { describe, expect, test } from 'vitest'
import { aMem } from '../../../src/core/methods/amem/amem'
import { attemptAt, openLab } from './fixtures'

const note = (context: string): string =>
  JSON.stringify({ keywords: ['bookings', 'count'], context, tags: ['sql'] })
const evolution = (links: readonly number[], updates: readonly unknown[] = []): string =>
  JSON.stringify({ links, updates })
const off = { amem: { links: false, evolution: false } }

describe('learn', () => {
  test('the first note has no neighbours to ask about', async () => {
    const lab = openLab(aMem, [note('Counting.')])
    await lab.live(attemptAt(1, 0))
    expect(await lab.memory.items('note')).toMatchObject([
      {
        id: 'note-r1-t0001',
        keywords: ['bookings', 'count'],
        tags: ['sql'],
        context: 'Counting.',
        links: [],
      },
    ])
  })

  test('links a new note and lets it change its neighbours', async () => {
    const update = { note: 1, context: 'Counting by kind.', tags: ['sql', 'kinds'] }
    const lab = openLab(aMem, [note('One.'), note('Two.'), evolution([1], [update])])
    await lab.live(attemptAt(1, 1), attemptAt(2, 1))
    const [first, second] = await lab.memory.items('note')
    expect(second?.links).toEqual(['note-r1-t0001'])
    expect(first).toMatchObject({
      context: 'Counting by kind.',
      tags: ['sql', 'kinds'],
      keywords: ['bookings', 'count'],
    })
    expect(lab.kinds()).toEqual(['memory-added', 'memory-added', 'note-evolved'])
    expect(lab.model.requests[2]?.messages[1]?.content).toMatch(
      /^New note: .*\nNearest notes:\n1\. .* Context: One\./,
    )
  })

  test('asks about the nearest notes only, by their numbers', async () => {
    const lab = openLab(aMem, [note('1'), note('2'), evolution([]), note('3'), evolution([])], {
      settings: { amem: { neighbours: 1 } },
    })
    await lab.live(attemptAt(1, 1), attemptAt(2, 1), attemptAt(3, 1))
    expect(lab.model.requests[4]?.constraint).toMatchObject({
      schema: { properties: { links: { items: { enum: [1] } } } },
    })
  })

  test('an unusable note is recorded and not kept', async () => {
    const lab = openLab(aMem, ['{}', '{"keywords": [], "context": "x", "tags": ["y"]}'])
    await lab.live(attemptAt(1, 1))
    expect(await lab.memory.items('note')).toEqual([])
    expect(lab.memory.events.at(-1)).toMatchObject({ failure: { role: 'amem-note', reason: 'empty' } })
  })

  test.each([
    ['a number there is no note for', evolution([7])],
    ['an update without context', evolution([1], [{ note: 1, context: '', tags: ['a'] }])],
    ['no lists', '{"links": 1}'],
  ])('a note whose neighbourhood comes out as %s is kept alone', async (_name, reply) => {
    const lab = openLab(aMem, [note('One.'), note('Two.'), reply, reply])
    await lab.live(attemptAt(1, 1), attemptAt(2, 1))
    expect((await lab.memory.items('note'))[1]?.links).toEqual([])
    expect(lab.memory.events.at(-1)).toMatchObject({
      failure: { role: 'amem-evolution', reason: 'malformed' },
    })
  })

  test('switched off, neither links nor evolution are asked for; each alone is left out', async () => {
    const lab = openLab(aMem, [note('One.'), note('Two.')], { settings: off })
    await lab.live(attemptAt(1, 1), attemptAt(2, 1))
    expect(lab.kinds()).toEqual(['memory-added', 'memory-added'])
    const reply = evolution([1], [{ note: 1, context: 'New.', tags: ['a'] }])
    for (const [settings, links, context] of [
      [{ links: false }, [], 'New.'],
      [{ evolution: false }, ['note-r1-t0001'], 'One.'],
    ] as const) {
      const half = openLab(aMem, [note('One.'), note('Two.'), reply], { settings: { amem: settings } })
      await half.live(attemptAt(1, 1), attemptAt(2, 1))
      const [first, second] = await half.memory.items('note')
      expect([second?.links, first?.context]).toEqual([links, context])
    }
  })

  test('counts the tokens of both questions', async () => {
    const lab = openLab(aMem, [note('One.'), note('Two.'), evolution([])])
    await lab.live(attemptAt(1, 1))
    expect((await aMem.learn(attemptAt(2, 1), lab.context)).usage).toMatchObject({ promptTokens: 20 })
  })
})

describe('recall', () => {
  test('shows the attempts with their notes, most similar last', async () => {
    const lab = openLab(aMem, [note('One.'), note('Two.'), evolution([])], { k: 1 })
    await lab.live(attemptAt(1, 0), attemptAt(2, 1))
    const { retrieved } = await lab.recall(1)
    expect(retrieved[0]?.item).toMatchObject({
      kind: 'note',
      trajectoryId: 'r1-t0001',
      reward: 0,
      scoreKind: 'cosine',
    })
    expect(retrieved[0]?.text).toMatch(
      /^Failed: Count[\s\S]*\nContext: One\. Keywords: bookings, count\. Tags: sql\.$/,
    )
  })

  test('keeps a third of the places for notes linked with the nearest', async () => {
    // Note 4 is linked with note 1, which is the least like the task otherwise.
    const far = attemptAt(1, 1)
    const unlike = {
      ...far,
      task: { ...far.task, instruction: 'Something else entirely, no bookings.' },
    }
    const replies = [note('a'), note('b'), evolution([]), note('c'), evolution([]), note('d')]
    const linked = (request: { messages: readonly { content: string }[] }): string => {
      const lines = request.messages[1]?.content.split('\n') ?? []
      return evolution([Number(lines.find((line) => line.includes('Something else'))?.[0])])
    }
    let at = 0
    const lab = openLab(aMem, (request) => replies[at++] ?? linked(request), { k: 3 })
    await lab.live(unlike, attemptAt(2, 1), attemptAt(3, 1), attemptAt(4, 1))
    const kinds = (await lab.recall(4)).retrieved.map(({ item }) => [item.trajectoryId, item.scoreKind])
    expect(kinds).toContainEqual(['r1-t0001', 'link'])
    expect(kinds).toHaveLength(3)
  })

  test('at K = 0 nothing is written or shown', async () => {
    const lab = openLab(aMem, [], { k: 0 })
    await lab.live(attemptAt(1, 1))
    expect((await lab.recall(2)).retrieved).toEqual([])
  })
})
