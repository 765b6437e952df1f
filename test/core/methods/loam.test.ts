import { expect, test } from 'vitest'
import { fitBudget } from '../../../src/core/ground/fit-budget'
import { recalledText } from '../../../src/core/ground/prompt'
import { loam } from '../../../src/core/methods/loam/loam'
import { NOTHING_RECALLED, type MethodContext, type RecalledPart } from '../../../src/core/ground/method'
import { livedOf } from '../../../src/core/recall/acts'
import { beliefsOf } from '../../../src/core/recall/belief-fold'
import { createBeliefs } from '../../../src/core/recall/beliefs'
import { step } from '../../../src/core/memory/experiences/import/log'
import { experienceOf } from '../memory/experiences/fixtures'
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
    rounds: readonly (readonly [string, string, failed?: true])[],
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
      rounds: rounds.map(([completion, observation, failed], i) => ({
        index: i,
        completion: `${completion}\nAction: Operation\n\`\`\`sql\nSELECT paid FROM codes\n\`\`\``,
        observation,
        ...(failed && { failed }),
        action: { kind: 'operation', content: 'SELECT paid FROM codes' },
        usage: base.usage,
      })),
      reward,
      finish: 'completed',
      finishedAt: timeOf(100 + index),
      ...more,
    }
    const events = trajectory.ungraded === undefined ? (await loam.learn(trajectory, context)).events : []
    await memory.commit([{ kind: 'trajectory-added', trajectory }, ...events])
    return parts
  }
  return { context, recall, live }
}

/** The same said in three ways: no form of words is known to Loam. */
const WRITERS = {
  shorthand: (code: string) => `Harbor rules: paid ${code}, price cents`,
  prose: (code: string) => `In Harbor a paid booking has the code ${code}, and its price is kept in cents.`,
  other: (code: string) => `Wer in Harbor paid sagt, meint ${code}; price steht in Cent.`,
}
const looked = (said: string, code: string): readonly (readonly [string, string])[] => [
  ['I look it up.', `[('paid', '${code}')]`],
  [said, '[(3,)]'],
]

test.each(Object.entries(WRITERS))(
  'what an attempt went by is recalled as it was written, for tasks that need it (%s)',
  (_writer, write) =>
    inTempFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
      const { live, recall } = openLab(memory)
      expect(await recall(0, 'How many paid bookings?')).toMatchObject({ successLessons: [], retrieved: [] })
      for (const n of [10, 11, 12]) await live(n, `How many open bookings of guest ${n}?`, [], 0)
      await live(1, 'How many paid bookings with price above 3?', looked(write('K'), 'K'), 1)
      const parts = await recall(2, 'Add up the price of paid bookings in Oslo.')
      expect(texts(parts.successLessons)).toEqual([write('K')])
      expect(recalledText({ ...parts, retrieved: [] })).toBe(`What worked:\n\n${write('K')}\n\n`)
      const [belief] = parts.successLessons
      expect(belief?.item).toMatchObject({ kind: 'belief', trajectoryId: 'a001' })
      expect(belief?.item.why?.parts['says']).toBeGreaterThan(0)
      expect(parts.choice?.expected).toBeGreaterThan(parts.choice?.without ?? 1)
      await memory.close()
    }),
)

test('an attempt that said nothing says what it did: the one about the same town comes before those in the same words', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    const { usage } = trajectoryOf('a000')
    const sends = (town: string, way: string): Partial<Trajectory> => {
      const content = `{"tag":"${town} ${way}"}`
      const completion = `Action: load\n\`\`\`json\n${content}\n\`\`\``
      return {
        rounds: [
          { index: 0, completion, observation: 'Gone.', action: { kind: 'operation', content }, usage },
        ],
      }
    }
    await live(1, 'Before lunch: winter leeks, destination Gorstow.', [], 1, sends('Gorstow', 'W3'))
    for (const [n, town] of ['Carnwick', 'Dunby', 'Alderley', 'Hazelley'].entries())
      await live(2 + n, `To do: late roses, ${town}. Off the list when gone.`, [], 1, sends(town, 'N1'))
    const parts = await recall(6, 'To do: early roses, Gorstow. Off the list when gone.')
    expect(parts.retrieved.map(({ item }) => item.trajectoryId)).toEqual(['a001'])
    expect(parts.retrieved[0]?.item.why?.parts['says']).toBeGreaterThan(0)
    await memory.close()
  }))

test('what was read off an answer is kept of an attempt that nobody judged; a failure keeps nothing', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    const said = WRITERS.prose('L')
    const shown = async (n: number) => texts((await recall(n, 'Count the paid bookings.')).successLessons)
    for (const n of [10, 11, 12]) await live(n, `How many open bookings of guest ${n}?`, [], 0)
    await live(1, 'How many paid bookings?', looked(said, 'L'), 0)
    await live(2, 'How many paid bookings?', [[WRITERS.prose('M'), '[(3,)]']], 0, {
      ungraded: 'nobody could say',
    })
    expect(await shown(3)).toEqual([])
    await live(4, 'How many paid bookings?', looked(said, 'L'), 0, { ungraded: 'nobody could say' })
    expect(await shown(5)).toEqual([said])
    await memory.close()
  }))

test('what keeps failing is no longer shown, so that it is looked up anew', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    const said = WRITERS.prose('K')
    for (const n of [10, 11, 12]) await live(n, `How many open bookings of guest ${n}?`, [], 0)
    await live(1, 'How many paid bookings with price above 3?', looked(said, 'K'), 1)
    let failures = 0
    const isShown = async () =>
      texts((await recall(50 + failures, 'Count the paid bookings.')).successLessons).includes(said)
    while ((await isShown()) && failures < 10)
      await live(20 + failures++, 'Count the paid bookings.', [[said, '[(0,)]']], 0)
    expect(failures).toBeGreaterThan(0)
    expect(failures).toBeLessThan(5)
    // The attempt that went by it is kept from agents, too.
    await live(40, 'How many open bookings are there?', [], 1)
    const [quarantined] = [...(memory.memorySource.state.curated.get('case')?.values() ?? [])]
    expect(quarantined?.quarantined?.why).toBe('contradicted')
    await memory.close()
  }))

test('what a tool refuses is shown once two tasks agree on it, and says what was said and what ran instead', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live, recall } = openLab(memory)
    const refused = "1093 (HY000): You can't specify target table 'bookings' for update in FROM clause"
    const shown = async (n: number) => texts((await recall(n, 'Count the open bookings.')).errorLessons)
    await live(1, 'Raise the price of paid bookings.', [['', refused, true]], 0)
    expect(await shown(2)).toEqual([])
    await live(3, 'Lower the price in Oslo.', [['', refused, true]], 0)
    expect(await shown(4)).toEqual([
      `sql refuses: "1093 (HY000): You can't specify target table 'bookings' for update in FROM clause" (2 tasks).`,
    ])
    await memory.close()
  }))

test('what other agents’ logs complain of is known too, after what this one met itself', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { recall } = openLab(memory)
    const observation = "1093 (HY000): You can't specify target table 'bookings' for update in FROM clause"
    for (const id of ['one', 'two']) {
      const steps = [
        step({ verb: 'query', tool: 'mysql', content: `UPDATE ${id}`, observation, failed: true }),
      ]
      const experience = experienceOf(id, `Task ${id}`, {
        steps,
        meta: { domain: 'database', contentHash: id },
      })
      await memory.commit([{ kind: 'experience-added', experience }])
    }
    expect(texts((await recall(1, 'Count the open bookings.')).errorLessons)).toEqual([
      `mysql refuses: "1093 (HY000): You can't specify target table 'bookings' for update in FROM clause" (2 tasks).`,
    ])
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
        looked(WRITERS.prose('K'), 'K').slice(n % 3 ? 1 : 0),
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
    const anew = createBeliefs()
    for await (const trajectory of memory.trajectories()) anew.take(livedOf(trajectory))
    expect((await beliefsOf(memory)).proven('lab-db', WORLD)).toEqual(anew.proven('lab-db', WORLD))
    expect(anew.proven('lab-db', WORLD)).toHaveLength(1)
    expect(context.k).toBe(4)
    await memory.close()
  }))

test('parts and features can be left out', () =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder: wordEmbedder(64) })
    const { live } = openLab(memory)
    await live(1, 'How many paid bookings with price above 3?', looked(WRITERS.prose('K'), 'K'), 1)
    const with_ = (loamSettings: Record<string, boolean>) =>
      openLab(memory, { loam: loamSettings }).recall(9, 'How many paid bookings?')
    expect(texts((await with_({ beliefs: false })).successLessons)).toEqual([])
    expect(texts((await with_({ cases: false, beliefs: false })).retrieved)).toEqual([])
    const [shown] = (await with_({ meaning: false })).successLessons
    expect(shown?.item.why?.features).not.toHaveProperty('meaning')
    const bare = await with_({ says: false })
    for (const { item } of bare.retrieved) expect(item.why?.features).not.toHaveProperty('says')
    await memory.close()
  }))
