import { describe, expect, it } from 'vitest'
import { CHECKPOINT_EVERY, creditedCases, openLearner } from '../../../../src/core/memory/cases/learner'
import { createReplay } from '../../../../src/core/memory/cases/replay'
import { decodeCheckpoint, encodeCheckpoint } from '../../../../src/core/memory/cases/saved'
import { traitsOf } from '../../../../src/core/memory/cases/relations'
import { lexicalVector } from '../../../../src/core/retrieval/lexical-embedder'
import { createRng } from '../../../../src/core/ground/random'
import {
  AT_ONCE,
  learnerOptions,
  MECHANISMS,
  memoryHistory,
  playPlans,
  playStream,
  randomHistory,
  writeOf,
} from './stream'
import { TORTURE } from '../../../torture'

const names = Object.keys(MECHANISMS)
const create = (name: string) => MECHANISMS[name] as NonNullable<(typeof MECHANISMS)[string]>
const STATE = 'Harbor: Count the visits of Kai.'
/** Long enough for a checkpoint, kills before and after it, and writes that no checkpoint holds. */
const HISTORY = TORTURE ? 150 : CHECKPOINT_EVERY + 16
const traits = traitsOf(STATE, 'Table visits(id INT)', lexicalVector(STATE))

describe('a learner of cases', () => {
  it.each(names)('%s: stopped anywhere and made again it is the same to the last byte', async (name) => {
    const all = randomHistory(HISTORY)
    const whole = await openLearner(learnerOptions(memoryHistory(all).bank, create(name)))
    await whole.catchUp()
    const expected = encodeCheckpoint(whole.save())

    // One write at a time, as in a run, and killed now and then: what was not checkpointed is learned again.
    const { bank, writes, files } = memoryHistory()
    let learner = await openLearner(learnerOptions(bank, create(name)))
    for (const [n, write] of all.entries()) {
      writes.push(write)
      await learner.catchUp()
      if (n % 37 === 36) learner = await openLearner(learnerOptions(bank, create(name)))
    }
    expect(encodeCheckpoint(learner.save())).toEqual(expected)
    expect(files.size).toBe(1)
    expect(decodeCheckpoint(files.get('test') as Uint8Array).writes).toBeGreaterThanOrEqual(CHECKPOINT_EVERY)

    const resumed = await openLearner(learnerOptions(bank, create(name)))
    await resumed.catchUp()
    expect(encodeCheckpoint(resumed.save())).toEqual(expected)
    const rank = (which: typeof whole) => which.rank(traits, 'lab-db', createRng('rank'))
    expect(rank(resumed)).toEqual(rank(whole))
    expect(rank(whole)).toHaveLength(HISTORY)
    expect(whole.rank(traits, 'elsewhere', createRng('rank'))).toEqual([])
  })

  it('starts over when the checkpoint is damaged, of another learner, or not of this journal', async () => {
    const all = randomHistory(TORTURE ? 80 : CHECKPOINT_EVERY + 4)
    const { bank, files } = memoryHistory(all)
    const quickest = create('parametric, relations alone')
    const first = await openLearner(learnerOptions(bank, quickest))
    await first.catchUp()
    const kept = files.get('test') as Uint8Array
    const expected = encodeCheckpoint(first.save())
    const again = async (bytes: Uint8Array) => {
      files.set('test', bytes)
      const learner = await openLearner(learnerOptions(bank, quickest))
      await learner.catchUp()
      return encodeCheckpoint(learner.save())
    }
    const flipped = Uint8Array.from(kept)
    flipped[kept.length - 3] = (flipped[kept.length - 3] as number) ^ 1
    for (const bytes of [
      flipped,
      kept.subarray(0, 40),
      new Uint8Array(),
      new TextEncoder().encode('{"a":1}\n'),
    ])
      expect(await again(bytes)).toEqual(expected)
    const foreign = { ...decodeCheckpoint(kept), lastCase: 'other' }
    expect(await again(encodeCheckpoint(foreign))).toEqual(expected)
    expect(await again(encodeCheckpoint({ ...decodeCheckpoint(kept), key: 'other' }))).toEqual(expected)
    expect(await again(encodeCheckpoint({ ...decodeCheckpoint(kept), writes: 900 }))).toEqual(expected)
  })

  it.each(names)('%s: before it has learned anything, similarity decides, and says so', async (name) => {
    const writes = randomHistory(30).map((write) => ({ ...write, attempt: null }))
    const learner = await openLearner(learnerOptions(memoryHistory(writes).bank, create(name)))
    await learner.catchUp()
    const ranked = learner.rank(traits, 'lab-db', createRng('rank'))
    expect(ranked.every(({ weight, score, similarity }) => weight === 0 && score === similarity)).toBe(true)
    if (name.startsWith('soft') || name.startsWith('episodic')) return
    const scores = ranked.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  it.each(Object.entries(AT_ONCE))(
    '%s without a cold start: Q counts wholly once anything is known, and no score is not a number',
    async (_name, without) => {
      for (const history of [
        randomHistory(30).map((write) => ({ ...write, attempt: null })),
        randomHistory(60),
      ]) {
        const learner = await openLearner(learnerOptions(memoryHistory(history).bank, without))
        await learner.catchUp()
        const ranked = learner.rank(traits, 'lab-db', createRng('rank'))
        expect(
          ranked.every(({ score, weight }) => Number.isFinite(score) && (weight === 0 || weight === 1)),
        ).toBe(true)
      }
    },
  )

  it('the score is the blend of similarity and value', async () => {
    const { bank } = memoryHistory(randomHistory(60))
    for (const name of names) {
      const learner = await openLearner(learnerOptions(bank, create(name), name))
      await learner.catchUp()
      for (const { score, similarity, value, weight } of learner.rank(traits, 'lab-db', createRng('rank')))
        expect(score).toBeCloseTo((1 - weight) * similarity + weight * value, 12)
    }
  })

  it('gives credit only where an attempt was judged and the model saw the cases', async () => {
    const seen = writeOf(3, STATE, '', lexicalVector(STATE), ['1', '2', '1'], 0)
    const attempt = seen.attempt as NonNullable<typeof seen.attempt>
    expect(creditedCases(seen)).toEqual(['1', '2'])
    expect(creditedCases({ attempt: null })).toEqual([])
    expect(creditedCases({ attempt: { ...attempt, ungraded: 'The judge was out of reach.' } })).toEqual([])
    expect(creditedCases({ attempt: { ...attempt, finish: 'context-overflow', rounds: [] } })).toEqual([])
    const lesson = attempt.recalled.map((item) => ({ ...item, kind: 'lesson' as const }))
    expect(creditedCases({ attempt: { ...attempt, recalled: lesson } })).toEqual([])
  })

  it('ungraded attempts change no value', async () => {
    const graded = randomHistory(60)
    const ungraded = randomHistory(20, 'later').map((write, i): typeof write => ({
      ...write,
      case: { ...write.case, id: `u${i}` },
      attempt: write.attempt && { ...write.attempt, ungraded: 'No answer is known.' },
    }))
    const values = async (writes: typeof graded) => {
      const learner = await openLearner(learnerOptions(memoryHistory(writes).bank, create('parametric')))
      await learner.catchUp()
      const ranked = learner.rank(traits, 'lab-db', createRng('rank')).filter(({ id }) => !id.startsWith('u'))
      return new Map(ranked.map(({ id, value }) => [id, value]))
    }
    expect(await values([...graded, ...ungraded])).toEqual(await values(graded))
  })
})

describe('learning from the stream', () => {
  it.each(['parametric', 'soft Q, network'])('%s finds out which cases help', async (name) => {
    const seeds = TORTURE ? [1, 2, 3] : [1]
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, each) => sum + each, 0) / values.length
    const play = async (which: string) => Promise.all(seeds.map((seed) => playStream(create(which), seed)))
    const [similar, learned] = [await play('non-parametric'), await play(name)]
    expect(mean(learned.map((each) => each.lastRate))).toBeGreaterThan(
      mean(similar.map((each) => each.lastRate)) + 0.05,
    )
    expect(mean(learned.map((each) => each.rightPlace))).toBeGreaterThan(
      mean(similar.map((each) => each.rightPlace)),
    )
  })
})

describe('a world in which what was done decides the worth of a case', () => {
  const shareUseful = async (name: string, k: number): Promise<number> => {
    const shares = await Promise.all(
      (TORTURE ? [1, 2] : [1]).map((seed) => playPlans(create(name), seed, { k })),
    )
    return shares.reduce((sum, each) => sum + each, 0) / shares.length
  }

  it.each(TORTURE ? [1, 4] : [4])(
    'first choices are careful ones after 200 writes, with %i cases a task',
    async (k) => {
      expect(await shareUseful('parametric', k)).toBeGreaterThanOrEqual(0.9)
    },
  )

  it('which the relations between tasks cannot tell', async () => {
    expect(await shareUseful('parametric, relations alone', 4)).toBeLessThan(0.7)
  })
})

describe('the replay buffer', () => {
  it('keeps the newest and comes back as it was', () => {
    const replay = createReplay(5)
    const transition = (n: number) => ({
      state: n,
      case: n + 1,
      reward: n % 2 === 0 ? (1 as const) : (0 as const),
      next: n % 3 === 0 ? { state: n + 2, cases: [n, n + 1] } : null,
    })
    replay.add(Array.from({ length: 8 }, (_, n) => transition(n)))
    expect(replay.size).toBe(5)
    const again = createReplay(5, replay.save())
    const draw = (which: typeof replay) => which.batch([transition(40)], 30, createRng('batch'))
    expect(draw(again)).toEqual(draw(replay))
    expect(draw(replay)[0]).toEqual(transition(40))
    expect(
      new Set(
        draw(replay)
          .slice(1)
          .map(({ state }) => state),
      ),
    ).toEqual(new Set([3, 4, 5, 6, 7]))
    again.add([transition(9)])
    replay.add([transition(9)])
    expect(again.save()).toEqual(replay.save())
    expect(createReplay(5).batch([], 4, createRng('batch'))).toEqual([])
  })
})
