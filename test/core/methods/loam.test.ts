import { expect, test } from 'vitest'
import { fitBudget } from '../../../src/core/ground/fit-budget'
import { recalledText } from '../../../src/core/ground/prompt'
import { loam } from '../../../src/core/methods/loam/loam'
import { NOTHING_RECALLED, type MethodContext, type RecalledPart } from '../../../src/core/ground/method'
import { openPolicy } from '../../../src/core/recall/policy'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { inTempFolder, timeOf, trajectoryOf, wordEmbedder } from '../../main/memory-store/fixtures'
import { scriptedModel, shippedPrompts } from './fixtures'

const part = (text: string): RecalledPart => ({
  text,
  item: { kind: 'case', id: text, trajectoryId: null, title: text, score: null, scoreKind: '', reward: 1 },
})
const texts = (parts: readonly RecalledPart[] = []): string[] => parts.map(({ text }) => text)

test('one budget: documents first, then lessons, then cases, each kind from its best', async () => {
  const kept = await fitBudget(
    {
      documents: [part('doc one'), part('doc two')],
      errorLessons: [part('worse lesson here'), part('better lesson')],
      successLessons: [],
      retrieved: [part('far case'), part('near case')],
    },
    8,
    (all) => Promise.resolve(all.map((text) => text.split(' ').length)),
  )
  expect(texts(kept.documents)).toEqual(['doc one', 'doc two'])
  expect(texts(kept.errorLessons)).toEqual(['better lesson'])
  expect(texts(kept.retrieved)).toEqual(['near case'])
  expect(await fitBudget(NOTHING_RECALLED, 0, () => Promise.resolve([]))).toMatchObject(NOTHING_RECALLED)
})

const CONTEXT = 'Table bookings(state TEXT, price INT, city TEXT)'
const WORLD = 'Harbor'

/** A memory and the method in it. */
function openLab(memory: StoredMemory, settings: MethodContext['settings'] = {}) {
  const context: MethodContext = {
    bank: memory,
    embedder: memory.embedder,
    model: scriptedModel([]),
    prompts: shippedPrompts,
    settings,
    k: 4,
    seed: 1,
  }
  const input = (index: number, instruction: string) => ({
    task: { id: `task-${index}`, index, environment: 'lab-db', instruction, skills: [], payload: null },
    context: CONTEXT,
    world: WORLD,
  })
  const recall = (index: number, instruction: string) => loam.recall(input(index, instruction), context)
  /** One task from recall to commit: what was said and answered, and how it ended. */
  async function live(
    index: number,
    instruction: string,
    rounds: readonly (readonly [string, string])[],
    reward: 0 | 1,
    more: Partial<Trajectory> = {},
  ) {
    const parts = await recall(index, instruction)
    const base = trajectoryOf(`a${String(index).padStart(3, '0')}`)
    const all = [
      ...(parts.documents ?? []),
      ...parts.errorLessons,
      ...parts.successLessons,
      ...parts.retrieved,
    ]
    const trajectory: Trajectory = {
      ...base,
      task: { ...base.task, index, instruction, context: CONTEXT, world: WORLD },
      recalled: all.map(({ item }) => ({ ...item, tokens: item.kind === 'case' ? 60 : 5 })),
      ...(parts.choice && { choice: parts.choice }),
      rounds: rounds.map(([completion, observation], i) => ({
        index: i,
        completion,
        observation,
        action: { kind: 'operation', content: 'SELECT 1' },
        usage: base.usage,
      })),
      reward,
      finish: 'completed',
      finishedAt: timeOf(100 + index),
      ...more,
    }
    const learned = await (trajectory.ungraded === undefined
      ? loam.learn(trajectory, context)
      : loam.learnUnjudged?.(trajectory, context))
    await memory.commit([{ kind: 'trajectory-added', trajectory }, ...(learned?.events ?? [])])
    return parts
  }
  return { context, recall, live }
}

const LOOKED: readonly (readonly [string, string])[] = [
  ['Harbor rules: paid ?, price ?', "[('paid', 'K')]"],
  ['Harbor rules: paid K, price ?', '[(2600,)]'],
  ['Harbor rules: paid K, price cents', '[(3,)]'],
]

test('what an attempt found out is recalled in one line, and what it is worth is told', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    expect(await recall(0, 'How many paid bookings?')).toMatchObject({ successLessons: [], retrieved: [] })
    await live(1, 'How many paid bookings with price above 3?', LOOKED, 1)
    const parts = await recall(2, 'Add up the price of paid bookings in Oslo.')
    expect(texts(parts.successLessons).toSorted()).toEqual([
      'Harbor rules: paid K',
      'Harbor rules: price cents',
    ])
    expect(recalledText({ ...parts, retrieved: [] })).toMatch(
      /^What worked:\n\nHarbor rules: (paid K, price cents|price cents, paid K)\n\n$/,
    )
    for (const { item } of parts.successLessons) {
      expect(item.why?.features['says']).toBeGreaterThan(0)
      expect(item.why?.parts['says']).toBeGreaterThan(0)
    }
    expect(parts.choice?.expected).toBeGreaterThan(parts.choice?.without ?? 1)
    // The attempt behind the findings says nothing new, but it shows how to act on them.
    expect(parts.retrieved.map(({ item }) => item.why?.features)).toMatchObject([{ outcome: 1 }])
    expect(parts.retrieved[0]?.item.why?.features).not.toHaveProperty('says')
    // Another status word needs another code, so only what the task is about is shown.
    const other = await recall(3, 'How many open bookings?')
    expect(texts(other.successLessons)).not.toContain('Harbor rules: paid K')
    await memory.close()
  }))

test('what is known is not written again; what was seen otherwise goes into quarantine, and an unjudged attempt teaches what it saw', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    const lessons = async () => (await memory.items('lesson')).map(({ text }) => text)
    await live(1, 'How many paid bookings with price above 3?', LOOKED, 1)
    await live(2, 'Count the paid bookings with price above 9.', LOOKED, 1)
    expect(await lessons()).toEqual(['Harbor rules: paid K', 'Harbor rules: price cents'])
    const now: typeof LOOKED = [
      ['Harbor rules: paid ?', "[('paid', 'L')]"],
      ['Harbor rules: paid L', '[(3,)]'],
    ]
    await live(3, 'Count the paid bookings.', now, 0, { ungraded: 'nobody could say' })
    expect((await lessons()).toSorted()).toEqual(['Harbor rules: paid L', 'Harbor rules: price cents'])
    const [gone] = [...(memory.memorySource.state.curated.get('lesson')?.values() ?? [])]
    expect(gone?.quarantined?.why).toBe('contradicted')
    expect(texts((await recall(4, 'Count the paid bookings.')).successLessons)).toContain(
      'Harbor rules: paid L',
    )
    await memory.close()
  }))

test('what keeps failing is no longer shown, so that it is looked up anew', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    await live(1, 'How many paid bookings with price above 3?', LOOKED, 1)
    const relied: typeof LOOKED = [['Harbor rules: paid K', '[(0,)]']]
    let failures = 0
    const shows = async (n: number) =>
      texts((await recall(n, 'Count the paid bookings.')).successLessons).includes('Harbor rules: paid K')
    while ((await shows(50 + failures)) && failures < 10)
      await live(2 + failures++, 'Count the paid bookings.', relied, 0)
    expect(failures).toBeGreaterThan(0)
    expect(failures).toBeLessThan(5)
    await memory.close()
  }))

test('a policy made anew from the journal, from a checkpoint or from the start, equals one that never stopped', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, context } = openLab(memory)
    for (let n = 0; n < 70; n++)
      await live(
        n,
        `Count the paid bookings number ${n % 7}.`,
        n % 3 ? LOOKED.slice(2) : LOOKED,
        n % 4 ? 1 : 0,
      )
    const policyContext = { bank: memory, embedder: memory.embedder, settings: { drift: true } }
    const whole = await openPolicy({
      ...policyContext,
      bank: {
        ...memory,
        writes: memory.writes,
        artifacts: { read: () => Promise.resolve(null), replace: () => Promise.resolve() },
      },
    })
    await whole.catchUp()
    const restored = await openPolicy(policyContext)
    expect(restored.cases.length).toBeGreaterThan(0)
    await restored.catchUp()
    expect(restored.save()).toEqual(whole.save())
    expect(whole.save().model.effects.length).toBeGreaterThan(0)
    expect(context.k).toBe(4)
    await memory.close()
  }))

test('parts and features can be left out', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live } = openLab(memory)
    await live(1, 'How many paid bookings with price above 3?', LOOKED, 1)
    const with_ = (loamSettings: Record<string, boolean>) =>
      openLab(memory, { loam: loamSettings }).recall(9, 'How many paid bookings?')
    expect(texts((await with_({ lessons: false })).successLessons)).toEqual([])
    expect(texts((await with_({ cases: false, lessons: false })).retrieved)).toEqual([])
    const [shown] = (await with_({ meaning: false })).successLessons
    expect(shown?.item.why?.features).not.toHaveProperty('meaning')
    const bare = await with_({ statements: false })
    for (const { item } of bare.retrieved) expect(item.why?.features).not.toHaveProperty('says')
    await memory.close()
  }))
