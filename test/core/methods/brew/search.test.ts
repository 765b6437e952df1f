import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../../../src/core/ground/canonical-json'
import { currentGuides } from '../../../../src/core/memory/guides/fold'
import { attemptAt, memoryMemory } from '../fixtures'
import { searchRig } from './fixtures'

const treeOf = (memory: ReturnType<typeof memoryMemory>) => canonicalJson(memory.events)

describe('a build', () => {
  test('makes a concept per table, grows a tree for each and ends with the best documents', async () => {
    const rig = searchRig()
    const ended = await rig.run()
    const state = rig.memory.concepts.builds.get('build-1')
    expect(
      state?.concepts?.map(({ name, train, evaluation }) => [name, train.length, evaluation.length]),
    ).toEqual([
      ['bookings', 4, 5],
      ['orders', 4, 5],
      ['loans', 4, 5],
    ])
    // A root and e = 3 variants per iteration.
    expect(state?.nodes.size).toBe(3 * (1 + 4 * 3))
    if (ended.kind !== 'done') throw new Error('not done')
    const { outcome } = ended
    expect(outcome).toMatchObject({ stopped: 'done', iterations: 4, concepts: 3, documents: 3 })
    expect(outcome.without).toEqual({ correctness: 0, mrr: 0 })
    expect(outcome.after.correctness).toBeGreaterThanOrEqual(outcome.before.correctness)
    expect(outcome.after.correctness).toBeGreaterThan(0)
    expect(outcome.after.mrr).toBe(1)
    expect(outcome.cacheHits).toBeGreaterThan(0)
    expect(outcome.evaluations - outcome.cacheHits).toBe(rig.played.length)
    expect(new Set(rig.played).size).toBe(rig.played.length)
    const best = [...(state?.nodes.values() ?? [])].reduce((a, b) =>
      b.reward.total > a.reward.total ? b : a,
    )
    expect(currentGuides(rig.memory.concepts, 'lab-db')).toHaveLength(3)
    expect(best.reward.total).toBe((best.reward.correctness + best.reward.retrieval) / 2)
  })

  test('with the printed rules a document may drop insights, and being found counts for all its tasks', async () => {
    const stateOf = async (settings: Parameters<typeof searchRig>[0]) => {
      const rig = searchRig(settings)
      await rig.run()
      const { concepts } = rig.memory
      return { rig, versions: [...concepts.versions.values()], state: concepts.builds.get('build-1') }
    }
    const checked = await stateOf({})
    const printed = await stateOf({ prompts: 'paper', keep: 'asked', found: 'all' })
    expect(checked.versions.some(({ putBack = [] }) => putBack.length > 0)).toBe(true)
    expect(printed.versions.every(({ putBack }) => putBack === undefined)).toBe(true)
    expect(printed.versions.some(({ lost }) => lost.length > 0)).toBe(true)
    const asked = ({ rig }: typeof printed) =>
      rig.model.requests.filter(({ messages }) => messages[0]?.content.startsWith('# Enhanced Documentation'))
    expect(asked(checked)).toEqual([])
    expect(asked(printed).every(({ messages }) => messages.length === 1)).toBe(true)
    expect(asked(printed).length).toBeGreaterThan(0)
    const evaluations = [...(printed.state?.nodes.values() ?? [])].flatMap((node) => node.evaluations)
    expect(evaluations.every(({ reciprocalRank }) => reciprocalRank !== undefined)).toBe(true)
    const nearest = [...(checked.state?.nodes.values() ?? [])].flatMap((node) => node.evaluations)
    expect(nearest.every(({ reciprocalRank }) => reciprocalRank !== undefined)).toBe(false)
  })

  test('in a race documents that fall behind are played on fewer queries, and none of them is read in the end', async () => {
    const nodesOf = async (race: boolean) => {
      const rig = searchRig({ race, queries: 6, keep: 'asked', found: 'all' })
      await rig.run({
        // Everything hangs on one insight, so that a document without it loses every query.
        play(task, id, documents) {
          rig.played.push(id)
          const made = attemptAt(task.index, documents.shown.some(({ text }) => /\bK3\b/.test(text)) ? 1 : 0)
          return Promise.resolve({ ...made, id, task: { ...made.task, instruction: task.instruction } })
        },
      })
      const state = rig.memory.concepts.builds.get('build-1')
      return { rig, nodes: [...(state?.nodes.values() ?? [])] }
    }
    const [whole, raced] = [await nodesOf(false), await nodesOf(true)]
    expect(whole.nodes.some(({ stopped }) => stopped)).toBe(false)
    const stopped = raced.nodes.filter((node) => node.stopped)
    expect(stopped.length).toBeGreaterThan(0)
    expect(stopped.every(({ evaluations }) => evaluations.length === 3)).toBe(true)
    expect(raced.rig.played.length).toBeLessThan(whole.rig.played.length)
    const read = currentGuides(raced.rig.memory.concepts, 'lab-db').map(({ id }) => id)
    expect(read.some((id) => stopped.some(({ versionId }) => versionId === id))).toBe(false)
  })

  test('training tasks that fail are tried anew in an expansion, each time by another chance', async () => {
    const seedsOf = async (fresh: boolean) => {
      const rig = searchRig({ fresh })
      const seeds: (number | undefined)[] = []
      await rig.run({
        play(task, id, _documents, _signal, anew) {
          seeds.push(anew)
          rig.played.push(id)
          const made = attemptAt(task.index, 0)
          return Promise.resolve({ ...made, id, task: { ...made.task, instruction: task.instruction } })
        },
      })
      expect(new Set(rig.played).size).toBe(rig.played.length)
      return new Set(seeds.filter((seed) => seed !== undefined))
    }
    expect(await seedsOf(false)).toEqual(new Set())
    // One chance for each of the four iterations.
    expect((await seedsOf(true)).size).toBe(4)
  })

  test('killed three times, it ends with the same tree and figures as one that was not', async () => {
    const whole = searchRig()
    await whole.run()
    const memory = memoryMemory()
    for (const dieAfter of [7, 60, 101])
      await expect(searchRig({}, memory).run({}, dieAfter)).rejects.toThrow('killed')
    await searchRig({}, memory).run()
    expect(memory.concepts.builds.get('build-1')?.outcome).toEqual(
      whole.memory.concepts.builds.get('build-1')?.outcome,
    )
    expect(treeOf(memory)).toBe(treeOf(whole.memory))
  })

  test('many calls in flight give the same tree as one', async () => {
    const one = searchRig()
    await one.run()
    const many = searchRig()
    await many.run({ inFlight: 8 })
    expect(treeOf(many.memory)).toBe(treeOf(one.memory))
  })

  test('stops at its token budget with the best so far, and pauses at a checkpoint when asked to', async () => {
    const rig = searchRig({ tokenBudget: 1200 })
    const ended = await rig.run()
    if (ended.kind !== 'done') throw new Error('not done')
    expect(ended.outcome.stopped).toBe('budget')
    expect(ended.outcome.iterations).toBeLessThan(4)
    expect(ended.outcome.documents).toBe(3)
    expect(await searchRig().run({ pauseRequested: () => true })).toEqual({ kind: 'paused' })
  })

  test.each([
    ['greedy', 1 + 4 * 3],
    ['iterative', 1 + 4],
  ] as const)('%s keeps to one path', async (strategy, size) => {
    const rig = searchRig({ strategy })
    await rig.run()
    const nodes = [...(rig.memory.concepts.builds.get('build-1')?.nodes.values() ?? [])]
    expect(nodes).toHaveLength(3 * size)
    expect(Math.max(...nodes.map(({ depth }) => depth))).toBe(4)
  })

  test('waits for a person at the concepts, and searches what they made of them', async () => {
    const rig = searchRig()
    expect(await rig.run({ stopAtConcepts: true })).toEqual({ kind: 'concepts' })
    const state = rig.memory.concepts.builds.get('build-1')
    const concepts = (state?.concepts ?? []).slice(0, 2)
    await rig.memory.commit([
      {
        kind: 'concepts-edited',
        buildId: 'build-1',
        n: 0,
        edit: { kind: 'merge', into: concepts[0]?.id ?? '', from: 'gone' },
        concepts,
        at: '',
      },
    ])
    await rig.run()
    expect(currentGuides(rig.memory.concepts, 'lab-db').map(({ concept }) => concept)).toEqual([
      'bookings',
      'orders',
    ])
    await expect(
      rig.memory.commit([
        {
          kind: 'concepts-edited',
          buildId: 'build-1',
          n: 1,
          edit: { kind: 'rename', conceptId: 'x', name: 'y' },
          concepts,
          at: '',
        },
      ]),
    ).rejects.toThrow(/has begun/)
  })
})
