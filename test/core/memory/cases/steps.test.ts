import { describe, expect, it } from 'vitest'
import { deepSelector } from '../../../../src/core/memory/cases/deep-q'
import { episodicSelector } from '../../../../src/core/memory/cases/episodic'
import { CHECKPOINT_EVERY, openLearner, type LearnerOptions } from '../../../../src/core/memory/cases/learner'
import type { Transition } from '../../../../src/core/memory/cases/replay'
import { traitsOf } from '../../../../src/core/memory/cases/relations'
import { encodeCheckpoint } from '../../../../src/core/memory/cases/saved'
import { laterStates } from '../../../../src/core/memory/cases/steps'
import { tabularSelector } from '../../../../src/core/memory/cases/tabular-q'
import { lexicalVector } from '../../../../src/core/retrieval/lexical-embedder'
import { createRng } from '../../../../src/core/ground/random'
import type { CaseWrite } from '../../../../src/core/ground/ports'
import { defaultsOf } from '../../../../src/core/ground/settings'
import { SETTINGS as NEC } from '../../../../src/core/methods/case-bank-nec/settings'
import { SETTINGS as SOFT_Q } from '../../../../src/core/methods/case-bank-softq/settings'
import type { PlanCycle } from '../../../../src/shared/domain/plan'
import { NO_USAGE } from '../../../../src/shared/domain/usage'
import {
  MECHANISMS,
  learnerOptions,
  memoryHistory,
  randomHistory,
  similaritySelector,
  writeOf,
} from './stream'
import { TORTURE } from '../../../torture'

/** Killed before the first checkpoint and after it, with writes left that it does not hold. */
const [WRITES, KILLED_EVERY] = TORTURE ? [140, 31] : [CHECKPOINT_EVERY + 12, 35]
/** The two that take longest are stopped and made again in learner.test.ts too. */
const STOPPED = Object.entries(MECHANISMS).filter(
  ([name]) => TORTURE || !['parametric', 'deep Q'].includes(name),
)
const [soft, nec] = [defaultsOf(SOFT_Q), defaultsOf(NEC)]

/** A turn of the planner: a plan of one subtask and what came of it, or the answer. */
const turn = (index: number, found: string | null): PlanCycle => ({
  ...{ index, reply: '', repaired: null, thought: null, usage: NO_USAGE },
  answer: found === null ? 'It is so.' : null,
  subtasks:
    found === null
      ? []
      : [
          {
            ...{ id: 1, description: 'Look it up', status: 'done', calls: [], result: found },
            ...{ problem: null, thoughts: [], usage: NO_USAGE, wallMs: 0 },
          },
        ],
})

/** The write with an attempt that took as many plans as there are findings, and the answer. */
const planned = (write: CaseWrite, findings: readonly string[]): CaseWrite => ({
  ...write,
  attempt: write.attempt && {
    ...write.attempt,
    cycles: [...findings.map((found, i) => turn(i, found)), turn(findings.length, null)],
  },
})

const written = (
  n: number,
  state: string,
  recalled: string[],
  reward: 0 | 1,
  findings: string[],
): CaseWrite => planned(writeOf(n, state, '', lexicalVector(state), recalled, reward), findings)

/** What a selector is told, write by write. */
async function toldOf(writes: CaseWrite[], own: Partial<ReturnType<LearnerOptions['create']>>) {
  const told: (readonly Transition[])[] = []
  const learner = await openLearner(
    learnerOptions(memoryHistory(writes).bank, () => ({
      ...similaritySelector,
      ...own,
      learn: (transitions) => told.push(transitions),
    })),
  )
  await learner.catchUp()
  return told
}

const first = written(0, 'Who built the mill?', [], 1, ['a mason'])
const second = written(1, 'Who built the tower?', ['0'], 1, ['a hall', 'a smith'])
const third = written(2, 'Who built the bridge?', ['0', '1'], 0, ['nothing'])

describe('the next state within a task (s′ of eq. 8)', () => {
  it('is the task with what came of its plans so far', () => {
    expect(laterStates(second)).toEqual([
      'Who built the tower?\nLook it up a hall',
      'Who built the tower?\nLook it up a hall\nLook it up a smith',
    ])
    expect(laterStates(writeOf(0, 'x', '', lexicalVector('x'), [], 1))).toEqual([])
  })

  it('follows each plan; the last one ends the task with its reward, and M′ is the bank without its own case', async () => {
    const told = await toldOf([first, second, third], { nextCases: 9 })
    // Places of states: 0 and 1 of the first attempt, 2, 3 and 4 of the second, 5 and 6 of the third.
    expect(told).toEqual([
      [],
      [
        { state: 2, case: 0, reward: 0, next: { state: 3, cases: [0] } },
        { state: 3, case: 0, reward: 0, next: { state: 4, cases: [0] } },
        { state: 4, case: 0, reward: 1, next: null },
      ],
      [
        ...[0, 1].map((at) => ({
          state: 5,
          case: at,
          reward: 0,
          next: { state: 6, cases: expect.any(Array) as number[] },
        })),
        ...[0, 1].map((at) => ({ state: 6, case: at, reward: 0, next: null })),
      ],
    ])
    expect([...(told[2]?.[0]?.next?.cases ?? [])].sort()).toEqual([0, 1])
  })

  it('is the next task’s after the last plan where that is wanted', async () => {
    const told = await toldOf([first, second, third], { nextCases: 9, acrossTasks: true })
    expect(told[1]).toHaveLength(2)
    expect(told[2]?.[0]).toEqual({
      state: 4,
      case: 0,
      reward: 1,
      next: { state: 5, cases: expect.any(Array) as number[] },
    })
  })

  it('does not matter to a learner that looks at each task alone', async () => {
    const told = await toldOf([first, second], {})
    expect(told).toEqual([[], [{ state: 1, case: 0, reward: 1, next: null }]])
  })

  it.each(STOPPED)('%s: stopped anywhere it comes back to the last byte', async (_name, create) => {
    const rng = createRng('turns')
    const all = randomHistory(WRITES).map((write, n) =>
      planned(
        write,
        Array.from({ length: rng.int(3) }, (_, i) => `finding ${n} ${i}`),
      ),
    )
    const whole = await openLearner(learnerOptions(memoryHistory(all).bank, create))
    await whole.catchUp()
    const { bank, writes } = memoryHistory()
    for (const [n, write] of all.entries()) {
      writes.push(write)
      if ((n + 1) % KILLED_EVERY === 0) await (await openLearner(learnerOptions(bank, create))).catchUp()
    }
    const again = await openLearner(learnerOptions(bank, create))
    await again.catchUp()
    expect(encodeCheckpoint(again.save())).toEqual(encodeCheckpoint(whole.save()))
  })
})

describe('cases that all lead to a solution', () => {
  const learners: Readonly<Record<string, LearnerOptions['create']>> = {
    'soft Q, network': (input) => deepSelector(input, { ...soft, gamma: 0.5, coldStart: 0 }),
    'soft Q, table': (input) => tabularSelector(input, { ...soft, gamma: 0.5, coldStart: 0, rate: 0.2 }),
    'episodic control': (input) => episodicSelector(input, { ...nec, gamma: 0.5, coldStart: 0 }),
  }

  it.each(Object.entries(learners))('%s: are worth more where fewer plans do', async (_name, create) => {
    const quick = written(0, 'Solve it: with the short plan', [], 1, [])
    const slow = written(1, 'Solve it: with the long plan', [], 1, [])
    const task = 'Solve it: once more'
    const writes = [quick, slow]
    for (let n = 2; n < 120; n++)
      writes.push(written(n, task, [n % 2 === 0 ? '0' : '1'], 1, n % 2 === 0 ? [] : ['half', 'nearly']))
    const learner = await openLearner(learnerOptions(memoryHistory(writes).bank, create))
    await learner.catchUp()
    const ranked = learner.rank(traitsOf(task, '', lexicalVector(task)), 'lab-db', createRng('rank'))
    const gain = (id: string): number => {
      const found = ranked.find((each) => each.id === id)
      return found ? found.value : Number.NaN
    }
    expect(gain('0')).toBeGreaterThan(gain('1') + 0.1)
  })
})
