import { describe, expect, test } from 'vitest'
import { brew } from '../../../../src/core/methods/brew/brew'
import { currentGuides } from '../../../../src/core/memory/guides/fold'
import { unsaidInsights } from '../../../../src/core/memory/guides/zero-loss'
import { paceOf, estimateBuild } from '../../../../src/core/methods/brew/estimate'
import { assignQueries, clusterConcepts } from '../../../../src/core/methods/brew/concepts'
import { rubricMessages, reflectMessages } from '../../../../src/core/methods/brew/messages'
import { type Insight } from '../../../../src/shared/domain/guide'
import { DEFAULT_SEARCH } from '../../../../src/shared/domain/guide-search'
import type { SettingChanges } from '../../../../src/shared/domain/setting'
import { shippedPrompts } from '../fixtures'
import { wordEmbedder } from '../../../main/memory-store/fixtures'
import { searchRig, topicTask } from './fixtures'

const insight = (n: number, concept: string, text: string): Insight => ({
  id: `i${n}`,
  concept,
  text,
  trajectoryId: `t${n}`,
  taskId: `task-${n}`,
  reward: 1,
})

describe('what scores a document', () => {
  test('are the held-out tasks nearest to its concept, several for each, and never one that was learned from', async () => {
    const rig = searchRig()
    await rig.run()
    const state = rig.memory.concepts.builds.get('build-1')
    const held = new Set(state?.build.evaluation)
    for (const { evaluation, nearest = [] } of state?.concepts ?? []) {
      expect(evaluation).toHaveLength(DEFAULT_SEARCH.queries)
      expect(evaluation.every((id) => held.has(id))).toBe(true)
      expect(nearest).toHaveLength(2)
    }
    for (const { evaluations } of state?.nodes.values() ?? [])
      expect(evaluations.every(({ taskId }) => held.has(taskId))).toBe(true)
  })

  test('a concept that no held-out task is about is scored with the nearest one, not with its training tasks', async () => {
    const insights = [
      insight(0, 'bookings', 'Kind 1 of bookings is stored as K1.'),
      insight(1, 'ferries', 'Ferries sail.'),
    ]
    const cores = await clusterConcepts(wordEmbedder(256), insights, [], {
      environment: 'lab-db',
      mergeBelow: 0.2,
      most: 12,
      idOf: (n) => `c${n}`,
    })
    const held = [topicTask(0), topicTask(3)]
    const concepts = await assignQueries(wordEmbedder(256), cores, insights, held, { queries: 5, shown: 1 })
    expect(concepts.map(({ name, evaluation }) => [name, evaluation.length])).toEqual([
      ['bookings', 2],
      ['ferries', 1],
    ])
    expect(concepts[1]?.nearest).toBeUndefined()
    expect(held.map(({ id }) => id)).toContain(concepts[1]?.evaluation[0])
  })
})

describe('concepts', () => {
  test('are as many as the settings allow, merged by what they mean', async () => {
    const insights = [
      insight(0, 'loan states', 'Borrowed loans are stored as 17.'),
      insight(1, 'borrowing', 'Loans that are borrowed have 17 stored.'),
      insight(2, 'ticket owners', 'Owners of tickets are in upper case.'),
    ]
    const cluster = (most: number) =>
      clusterConcepts(wordEmbedder(256), insights, [], {
        environment: 'lab-db',
        mergeBelow: 0.2,
        most,
        idOf: (n) => `c${n}`,
      })
    expect(await cluster(12)).toHaveLength(3)
    const merged = await cluster(2)
    expect(merged.map((concept) => concept.insights)).toEqual([['i0', 'i1'], ['i2']])
  })
})

describe('what a build ends with', () => {
  test('says every insight of the training tasks, although the model leaves some out each time', async () => {
    const rig = searchRig({ iterations: 0 })
    await rig.run()
    const state = rig.memory.concepts.builds.get('build-1')
    for (const document of currentGuides(rig.memory.concepts, 'lab-db')) {
      const own = state?.concepts?.find(({ id }) => id === document.conceptId)
      const texts = (own?.insights ?? []).flatMap((id) => state?.insights.get(id)?.text ?? [])
      expect(texts.length).toBeGreaterThan(1)
      expect(unsaidInsights(texts, document.text)).toEqual([])
      expect(document.lost).toEqual([])
    }
  })

  test('is proposed, and read once a person accepts it', async () => {
    const rig = searchRig({ iterations: 1 })
    await rig.run({ useAtOnce: false })
    const { concepts } = rig.memory
    expect(currentGuides(concepts, 'lab-db')).toEqual([])
    const [[conceptId, standing] = ['', undefined]] = concepts.standings
    const versionId = standing?.proposed ?? ''
    expect(concepts.versions.get(versionId)?.conceptId).toBe(conceptId)
    const decided = { kind: 'document-decided', conceptId, versionId, by: 'person', at: '' } as const
    await rig.memory.commit([{ ...decided, accepted: true }])
    expect(currentGuides(rig.memory.concepts, 'lab-db').map(({ id }) => id)).toEqual([versionId])
    expect(rig.memory.concepts.standings.get(conceptId)?.proposed).toBeNull()
  })

  test('is built on by a later build: documents that it has nothing to say about stay beside its own', async () => {
    const rig = searchRig({ iterations: 1 })
    await rig.run()
    const before = currentGuides(rig.memory.concepts, 'lab-db')
    const bookings = Array.from({ length: 4 }, (_, n) => topicTask(3 * n + 60))
    const state = rig.memory.concepts.builds.get('build-1')
    if (!state) throw new Error('no build')
    await searchRig({ iterations: 1 }, rig.memory).run({
      build: { ...state.build, id: 'build-2', start: before.map(({ id }) => id) },
      train: bookings,
      evaluation: [topicTask(72), topicTask(73)],
    })
    const after = currentGuides(rig.memory.concepts, 'lab-db')
    expect(after.map(({ concept }) => concept)).toEqual(['bookings', 'orders', 'loans'])
    expect(after.slice(1).map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id))
    const outcome = rig.memory.concepts.builds.get('build-2')?.outcome
    expect(outcome?.concepts).toBe(1)
    expect(outcome?.standing?.correctness).toBeGreaterThan(0)
  })
})

describe('an estimate', () => {
  test('is as many attempts as a build asks for, when it finds as many concepts as reckoned', async () => {
    const rig = searchRig({ iterations: 4, train: 12, evaluation: 6 })
    await rig.run()
    const state = rig.memory.concepts.builds.get('build-1')
    const { concepts, attempts } = estimateBuild(
      { ...(state?.build.settings ?? DEFAULT_SEARCH) },
      paceOf([], [], null),
    )
    expect(concepts).toBe(4)
    const exact = estimateBuild(
      { ...(state?.build.settings ?? DEFAULT_SEARCH), concepts: 3 },
      paceOf([], [], null),
    )
    expect(exact.attempts).toBe(state?.outcome?.evaluations)
    expect(attempts).toBeGreaterThan(exact.attempts)
    expect(exact.minutes).toBeNull()
    expect(state?.outcome?.unusable).toBe(0)
    expect(state?.outcome?.writings).toBeGreaterThan(concepts)
  })

  test('knows how long it takes from what the model did before', () => {
    const usage = { promptTokens: 0, completionTokens: 0, reusedTokens: 0, ms: 500 }
    const pace = paceOf([{ usage }], [], { evaluations: 10, cacheHits: 8 })
    expect(pace).toEqual({ attempt: 500, text: 500, made: expect.closeTo(0.2) as number })
    const { attempts, writings, minutes } = estimateBuild(DEFAULT_SEARCH, pace)
    expect(minutes).toBeCloseTo((0.2 * (attempts + writings) * 500) / 60_000)
  })
})

test('judge and reflector see what the attempt was shown, as far as there is room', () => {
  const attempt = {
    instruction: 'Cancel my booking.',
    context: 'Policy: basic economy cannot be cancelled.',
    reward: 0 as const,
    rounds: [{ completion: 'Cancelled.', observation: null }],
  }
  for (const [, message] of [rubricMessages('', [], attempt), reflectMessages('', attempt, [])])
    expect(message?.content).toContain('Shown with it:\nPolicy: basic economy cannot be cancelled.')
  const [, short] = reflectMessages('', attempt, [], { shown: 6, dialog: 1000 })
  expect(short?.content).toContain('Shown with it:\nPolicy [...]\nAgent: Cancelled.')
})

test('in a conversation the documents are looked up again by what the user just said, unless told to stay', async () => {
  const rig = searchRig({ iterations: 0 })
  await rig.run()
  const task = topicTask(0)
  const turn = { task, context: '', rounds: [], message: 'And how many loans of kind 2 are there?' }
  const recalled = async (settings: SettingChanges, context = '') =>
    brew.recallTurn?.(
      { ...turn, context },
      {
        ...{ bank: rig.memory, model: rig.model, prompts: shippedPrompts, embedder: wordEmbedder(256) },
        ...{ settings, k: 0, seed: 1 },
      },
    )
  const found = await recalled({ brew: { shown: 1 } })
  expect(found?.documents?.map(({ item }) => item.title)).toEqual(['loans'])
  expect(await recalled({ brew: { retrieveAt: 'start' } })).toBeNull()
  // A policy that leaves little room leaves room for fewer documents; half of what is left is the conversation's.
  const count = async (policy: number) =>
    (await recalled({ brew: { shown: 3 } }, 'policy '.repeat(policy)))?.documents?.length ?? 0
  expect(await count(10)).toBe(3)
  expect(await count(rig.model.contextSize)).toBe(0)
  const some = await Promise.all([60, 90, 120, 150].map((left) => count(rig.model.contextSize - left)))
  expect(some.some((shown) => shown > 0 && shown < 3)).toBe(true)
})
