import { describe, expect, test } from 'vitest'
import { inlines, layoutSection } from '../../../src/renderer/features/guides/guide-blocks'
import { diffGuides } from '../../../src/renderer/features/guides/diff-view'
import { layoutTree, neighbour, NODE } from '../../../src/renderer/features/guides/tree-layout'
import type { TreeViewNode } from '../../../src/shared/domain/guide'

const node = (id: string, parent: string | null, depth: number, onBestPath = false): TreeViewNode => ({
  id,
  conceptId: 'concept',
  parent,
  depth,
  iteration: depth,
  versionId: id,
  reward: { total: 0.5, correctness: 0.5, retrieval: 0.5 },
  evaluations: [],
  at: '2025-01-01T00:00:00.000Z',
  visits: 1,
  meanReward: 0.5,
  onBestPath,
})

describe('the tree', () => {
  const layout = layoutTree([
    node('r', null, 0, true),
    node('a', 'r', 1),
    node('b', 'r', 1, true),
    node('b1', 'b', 2),
    node('b2', 'b', 2, true),
  ])
  const at = (id: string) => layout.nodes.find((placed) => placed.node.id === id)

  test('has a column per depth, parents in the middle of their children, and no boxes over one another', () => {
    expect(layout.nodes.map(({ name }) => name)).toEqual(['Root', '1', '2', '2.1', '2.2'])
    expect(new Set(layout.nodes.map(({ x }) => x)).size).toBe(3)
    const [a, b, b1, b2, root] = ['a', 'b', 'b1', 'b2', 'r'].map((id) => at(id)?.y ?? NaN)
    expect(a).toBe(0)
    expect((b ?? 0) - (a ?? 0)).toBeGreaterThanOrEqual(NODE.height)
    expect((b2 ?? 0) - (b1 ?? 0)).toBeGreaterThanOrEqual(NODE.height)
    expect(Math.max(...layout.nodes.map(({ y }) => y))).toBe(layout.height - NODE.height)
    expect(b).toBe(((b1 ?? 0) + (b2 ?? 0)) / 2)
    expect(root).toBe(((a ?? 0) + (b ?? 0)) / 2)
    expect(layout.links.map(({ from, to }) => `${from.name}>${to.name}`).sort()).toEqual([
      '2>2.1',
      '2>2.2',
      'Root>1',
      'Root>2',
    ])
  })

  test('is walked with the arrows, along the best path where there is a choice', () => {
    const lead = (id: string, key: string) => neighbour(layout, id, key)?.node.id
    expect(lead('r', 'ArrowRight')).toBe('b')
    expect(lead('b', 'ArrowRight')).toBe('b2')
    expect(lead('b2', 'ArrowUp')).toBe('b1')
    expect(lead('b1', 'ArrowLeft')).toBe('b')
    expect(lead('a', 'ArrowUp')).toBeUndefined()
    expect(lead('a', 'ArrowRight')).toBeUndefined()
  })
})

test('a difference names new and gone words and leaves empty sections out', () => {
  const before = { context: 'Same.', howToUse: 'Filter by status 54.', whenToUse: '', bestPractices: '' }
  const after = { ...before, howToUse: 'Filter by status 54 and is_void P.' }
  const [context, howToUse, ...rest] = diffGuides(before, after)
  expect(rest).toEqual([])
  expect(context).toMatchObject({ section: 'context', added: 0, removed: 0 })
  const text = (kind: string) => howToUse?.parts.filter((part) => part.kind !== kind).map((part) => part.text)
  expect(text('removed')?.join('')).toBe(after.howToUse)
  expect(text('added')?.join('')).toBe(before.howToUse)
})

describe('a section', () => {
  test('is laid out by its sentences, list marks and code apart', () => {
    const text = 'First. Second one.\n1. Look it up.\n- Never `*`.\n```sql\nSELECT 1\n```'
    const sentences = ['First.', 'Second one.', '1.', 'Look it up.', '- Never `*`.', '```sql\nSELECT 1\n```']
    expect(
      layoutSection(
        text,
        sentences.map((sentence) => ({ text: sentence })),
      ),
    ).toEqual([
      {
        kind: 'paragraph',
        mark: null,
        parts: [
          { text: 'First.', sentence: 0 },
          { text: ' ', sentence: null },
          { text: 'Second one.', sentence: 1 },
        ],
      },
      { kind: 'item', mark: '1.', parts: [{ text: 'Look it up.', sentence: 3 }] },
      { kind: 'item', mark: '•', parts: [{ text: 'Never `*`.', sentence: 4 }] },
      { kind: 'code', mark: null, parts: [{ text: 'SELECT 1', sentence: 5 }] },
    ])
  })

  test('shows what belongs to no sentence, and HTML as it was written', () => {
    const [block] = layoutSection('<img src=x onerror=alert(1)>', [])
    expect(block?.parts).toEqual([{ text: '<img src=x onerror=alert(1)>', sentence: null }])
  })

  test('marks code, strong and emphasised words, and no arithmetic', () => {
    expect(
      inlines('Use `a_b`, **always**; *never* 2 * 3 * 4.').map(({ kind, text }) => [kind, text]),
    ).toEqual([
      ['plain', 'Use '],
      ['code', 'a_b'],
      ['plain', ', '],
      ['strong', 'always'],
      ['plain', '; '],
      ['emphasis', 'never'],
      ['plain', ' 2 * 3 * 4.'],
    ])
  })
})
