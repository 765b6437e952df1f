import { describe, expect, test } from 'vitest'
import type { TreeNode } from '../../../../src/shared/domain/guide'
import { rewardOf } from '../../../../src/core/methods/brew/score'
import {
  bestNode,
  isFarBehind,
  selectNode,
  standings,
  uct,
  viewTree,
} from '../../../../src/core/methods/brew/tree'

const node = (path: string, total: number): TreeNode => ({
  id: `c:${path}`,
  conceptId: 'c',
  parent: path === '' ? null : `c:${path.split('.').slice(0, -1).join('.')}`,
  depth: path === '' ? 0 : path.split('.').length,
  iteration: 0,
  versionId: `v:${path}`,
  reward: { total, correctness: total, retrieval: total },
  evaluations: [],
  at: '',
})

const TREE = [node('', 0.2), node('0', 0.6), node('1', 0.4), node('0.0', 0.1), node('0.1', 0.3)]
const mcts = {
  strategy: 'mcts',
  lambda: 0.5,
  choose: 'sure',
  depth: 3,
  exploration: Math.SQRT2,
  barren: new Set<string>(),
} as const

describe('the search tree', () => {
  test('backs every reward up to the root', () => {
    const found = standings(TREE)
    expect(found.get('c:')?.visits).toBe(5)
    expect(found.get('c:')?.value).toBeCloseTo(1.6)
    expect(found.get('c:0')?.visits).toBe(3)
    expect(found.get('c:0')?.value).toBeCloseTo(1)
    expect(found.get('c:1')).toEqual({ visits: 1, value: 0.4 })
  })

  test('UCT by hand', () => {
    // 1/3 + sqrt(2) sqrt(ln 5 / 3) and 0.4 + sqrt(2) sqrt(ln 5)
    expect(uct({ visits: 3, value: 1 }, 5, Math.SQRT2)).toBeCloseTo(1.3692, 3)
    expect(uct({ visits: 1, value: 0.4 }, 5, Math.SQRT2)).toBeCloseTo(2.1941, 3)
  })

  test('MCTS explores the seldom visited child; without exploration it goes where the mean is best', () => {
    expect(selectNode(TREE, mcts)?.id).toBe('c:1')
    expect(selectNode(TREE, { ...mcts, exploration: 0 })?.id).toBe('c:1')
    expect(selectNode(TREE, { ...mcts, exploration: 0, barren: new Set(['c:1']) })?.id).toBe('c:0.1')
  })

  test('nothing is expanded below the depth, and a tree without open nodes is finished', () => {
    expect(selectNode(TREE, { ...mcts, depth: 2, barren: new Set(['c:1']) })).toBeUndefined()
    expect(selectNode([node('', 0)], { ...mcts, depth: 1 })?.id).toBe('c:')
  })

  test('greedy goes on below the best child, iterative at the newest node', () => {
    expect(selectNode(TREE, { ...mcts, strategy: 'greedy' })?.id).toBe('c:0.1')
    expect(selectNode(TREE, { ...mcts, strategy: 'iterative' })?.id).toBe('c:1')
  })

  test('of nodes with the same reward the one that keeps to what is known is the best', () => {
    const tied = [
      { ...node('', 0.8), said: 3 },
      { ...node('0', 0.8), said: 5 },
      { ...node('1', 0.1 + 0.7), said: 5 },
      { ...node('2', 0.7), said: 9 },
    ]
    expect(bestNode(tied, mcts)?.id).toBe('c:0')
    expect(selectNode(tied, { ...mcts, strategy: 'greedy' })?.id).toBe('c:0')
    expect(bestNode([node('', 0.8), node('0', 0.8)], mcts)?.id).toBe('c:')
    // Nor is one better that says as much and makes something up.
    const madeUp = [
      { ...node('', 0.8), said: 3 },
      { ...node('0', 0.8), said: 4, unsourced: 2 },
    ]
    expect(bestNode(madeUp, mcts)?.id).toBe('c:')
  })

  test('a reward that is higher by one query is no better than chance; one that is higher by two is', () => {
    const scored = (path: string, solved: readonly (0 | 1)[], rest: Partial<TreeNode>): TreeNode => {
      const evaluations = solved.map((reward, i) => ({
        ...{ taskId: `t${i}`, trajectoryId: '', reward, reciprocalRank: 1 },
      }))
      return { ...node(path, 0), ...rest, evaluations, reward: rewardOf(evaluations, 0.5) }
    }
    const root = scored('', [1, 1, 0, 0, 0], { said: 3, unsourced: 8 })
    // One query solved, with two words that nobody said.
    const lucky = scored('0', [1, 1, 1, 0, 0], { said: 3, unsourced: 10 })
    const better = scored('1', [1, 1, 1, 1, 0], { said: 3, unsourced: 10 })
    expect(bestNode([root, lucky], mcts)?.id).toBe('c:')
    expect(bestNode([root, lucky], { ...mcts, choose: 'highest' })?.id).toBe('c:0')
    expect(bestNode([root, better], mcts)?.id).toBe('c:1')
    // Of equally faithful ones the higher reward still wins; three won and two lost are no better than chance.
    expect(bestNode([root, { ...lucky, unsourced: 8 }], mcts)?.id).toBe('c:0')
    const mixed = scored('2', [0, 0, 1, 1, 1], { said: 3, unsourced: 10 })
    expect(bestNode([root, mixed], mcts)?.id).toBe('c:')
  })

  test('three queries lost and none won are far behind; what was stopped in a race does not win', () => {
    const scores = (rewards: readonly (0 | 1)[]) =>
      rewards.map((reward, i) => ({ taskId: `t${i}`, trajectoryId: '', reward }))
    const best = scores([1, 1, 1, 1, 0, 0])
    expect(isFarBehind(scores([0, 0, 0]), best, 1)).toBe(true)
    expect(isFarBehind(scores([0, 0, 1]), best, 1)).toBe(false)
    expect(isFarBehind(scores([0, 0, 0, 1, 1]), best, 1)).toBe(false)
    const root = node('', 0.5)
    const stopped = { ...node('0', 0.9), stopped: true as const }
    expect(bestNode([root, stopped], mcts)?.id).toBe('c:')
    expect(bestNode([stopped], mcts)?.id).toBe('c:0')
  })

  test('the best document is the one with the highest reward of its own, or the newest in iterative refinement', () => {
    expect(bestNode(TREE, mcts)?.id).toBe('c:0')
    expect(bestNode(TREE, { ...mcts, strategy: 'iterative' })?.id).toBe('c:0.1')
    const { nodes, best } = viewTree(TREE, mcts)
    expect(best).toBe('c:0')
    expect(nodes.filter(({ onBestPath }) => onBestPath).map(({ id }) => id)).toEqual(['c:', 'c:0'])
  })
})

test('rewards weigh solving against being found (eq. 6 to 8)', () => {
  const evaluation = (reward: 0 | 1, reciprocalRank: number) => ({
    taskId: '',
    trajectoryId: '',
    reward,
    reciprocalRank,
  })
  const found = rewardOf([evaluation(1, 1), evaluation(0, 0.5), evaluation(1, 1 / 3), evaluation(1, 0)], 0.5)
  expect(found.correctness).toBe(0.75)
  expect(found.retrieval).toBeCloseTo(11 / 24)
  expect(found.total).toBeCloseTo(0.5 * 0.75 + (0.5 * 11) / 24)
  expect(rewardOf([], 0.5).total).toBe(0)
  // A query that another concept is nearer to says nothing about being found.
  const { reciprocalRank: _, ...elsewhere } = evaluation(0, 0)
  expect(rewardOf([evaluation(1, 1), elsewhere], 0.5)).toMatchObject({ correctness: 0.5, retrieval: 1 })
})
