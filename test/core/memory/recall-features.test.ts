import { expect, it } from 'vitest'
import { recallFeatures } from '../../../src/core/memory/recall-features'
import { openSpace } from '../../../src/main/adapters/lancedb/space'
import { memorySourceOf } from '../../../src/main/memory/memory-items'
import {
  caseOf,
  inTempFolder,
  timeOf,
  trajectoryOf,
  wordEmbedder,
} from '../../main/adapters/lancedb/fixtures'

const task = { text: 'paint the old lighthouse', environment: 'lab-db', at: timeOf(1000) }

it('says what a newer attempt contradicts, where an item is from, and how far its like can be trusted', () =>
  inTempFolder(async (folder) => {
    const space = await openSpace({ folder, embedder: wordEmbedder(64) })
    const shown = (id: string, reward: 0 | 1, n: number) =>
      trajectoryOf(`shown-${n}`, {
        reward,
        finishedAt: timeOf(50 + n),
        recalled: [
          ...[{ kind: 'case', id, trajectoryId: null, title: 'x', score: 1 }].map((item) => ({
            ...item,
            ...{ scoreKind: 'cosine' as const, reward: null, tokens: 9 },
          })),
        ],
      })
    const of = (id: string, state: string, reward: 0 | 1, n: number, more: object = {}) =>
      ({
        kind: 'case-added',
        case: { ...caseOf(id, state, { reward, createdAt: timeOf(n) }), ...more },
      }) as const
    await space.commit([
      { kind: 'trajectory-added', trajectory: trajectoryOf('own') },
      of('old', 'paint the old lighthouse', 1, 1, { trajectoryId: 'own' }),
      of('new', 'Paint the old lighthouse!', 0, 2, { trajectoryId: 'own' }),
      of('other', 'paint the harbor wall', 1, 3, { runId: 'shared-Some agent' }),
      of('far', 'sail away', 1, 4),
    ])
    for (const [n, id] of ['other', 'other', 'other', 'old'].entries())
      await space.commit([{ kind: 'trajectory-added', trajectory: shown(id, id === 'old' ? 1 : 0, n) }])
    const refs = ['old', 'new', 'other', 'far', 'nobody'].map((id) => ({ kind: 'case', id }))
    const found = await recallFeatures(memorySourceOf(space), space.embedder, task, refs)
    const [old, newer, other, far] = found
    expect(found.map(({ item }) => item.id)).toEqual(['old', 'new', 'other', 'far'])
    expect(found.map(({ contradicted }) => contradicted)).toEqual([1, 0, 0, 0])
    expect(found.map(({ outcome }) => outcome)).toEqual([1, -1, 1, 1])
    expect(found.map(({ item }) => item.origin)).toEqual([
      { from: 'attempt', by: null },
      { from: 'attempt', by: null },
      { from: 'program', by: 'Some agent' },
      { from: 'elsewhere', by: null },
    ])
    expect(old?.trust).toBe(newer?.trust)
    expect(other?.trust).toBeLessThan(old?.trust ?? 0)
    expect(other?.helped).toBeLessThan(old?.helped ?? 0)
    expect(old?.words).toBe(1)
    expect(far?.words).toBeLessThan(other?.words ?? 0)
    expect([old?.idleDays === 0, far?.idleDays]).toEqual([false, 0])
    const elsewhere = await recallFeatures(
      memorySourceOf(space),
      space.embedder,
      { ...task, environment: 'lab-os' },
      refs,
    )
    expect(elsewhere.map(({ sameEnvironment }) => sameEnvironment)).toEqual([0, 0, 0, 0])
    await space.close()
  }))
