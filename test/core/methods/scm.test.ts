import { describe, expect, test } from 'vitest'
import { scm } from '../../../src/core/methods/scm/scm'
import type { SettingChanges } from '../../../src/shared/domain/setting'
import { attemptAt, openLab, type Lab, type Reply } from './fixtures'

const yes = '{"answer": "yes"}'
const no = '{"answer": "no"}'
const ids = async (lab: Lab, n: number): Promise<string[]> =>
  (await lab.recall(n)).retrieved.map(({ item }) => item.id)

/** Three attempts in the stream, then the controller's replies. Summaries are written where `summaryOver` is 0. */
const opened = async (
  replies: readonly Reply[],
  options: { k?: number; scm?: SettingChanges['scm'] } = {},
) => {
  const summaries = options.scm?.summaryOver === 0 ? [1, 2, 3].map((n) => `{"summary": "Sum ${n}."}`) : []
  const lab = openLab(scm, [...summaries, ...replies], {
    k: options.k ?? 4,
    settings: { scm: options.scm ?? {} },
  })
  await lab.live(attemptAt(1, 1), attemptAt(2, 0), attemptAt(3, 1))
  return lab
}

describe('recall', () => {
  test('shows flash memory and, when the controller asks for it, the most active turns, oldest first', async () => {
    const lab = await opened([yes], { k: 2 })
    const parts = await lab.recall(1)
    expect(parts.retrieved.map(({ item }) => item.id)).toEqual(['r1-t0001', 'r1-t0003'])
    expect(parts.retrieved.map(({ item }) => item.scoreKind)).toEqual(['activation', 'recency'])
    expect(parts.usage).toMatchObject({ promptTokens: 10, completionTokens: 3 })
  })

  test('shows flash memory only when the controller says that is enough', async () => {
    expect(await ids(await opened([no]), 1)).toEqual(['r1-t0003'])
  })

  test('takes an answer that is none for yes', async () => {
    expect(await ids(await opened(['maybe', 'perhaps']), 1)).toHaveLength(3)
    expect(await ids(await opened(['overflow']), 1)).toHaveLength(3)
  })

  test('newer turns win where words are equally alike', async () => {
    expect(await ids(await opened([yes], { k: 2 }), 7)).toEqual(['r1-t0002', 'r1-t0003'])
  })

  test.each([
    [{ controller: false }, ['r1-t0001', 'r1-t0002', 'r1-t0003']],
    [{ flash: false, controller: false }, ['r1-t0001', 'r1-t0002', 'r1-t0003']],
    [{ activation: false }, ['r1-t0003']],
    [{ activation: false, flash: false }, []],
  ])('with %j', async (settings, expected) => {
    const lab = await opened([], { scm: settings })
    expect(await ids(lab, 1)).toEqual(expected)
    expect(lab.model.requests).toHaveLength(0)
  })

  test('an empty stream and K = 0 ask nothing', async () => {
    expect(await ids(openLab(scm, []), 1)).toEqual([])
    const off = await opened([], { k: 0 })
    expect(await ids(off, 1)).toEqual([])
    expect(off.kinds()).toEqual([])
  })

  test('beyond its budget it shows the summaries the controller finds enough, least active first', async () => {
    const lab = await opened([yes, no, yes], { scm: { summaryOver: 0, budget: 28 } })
    const { retrieved } = await lab.recall(1)
    expect(retrieved.map(({ item }) => item.id)).toEqual(['summary-r1-t0001', 'r1-t0002', 'r1-t0003'])
    expect(retrieved[0]).toMatchObject({
      text: 'Sum 1.',
      item: { kind: 'summary', trajectoryId: 'r1-t0001' },
    })
  })

  test('and all of them when that is not enough', async () => {
    const lab = await opened([yes, no, no, no], { scm: { summaryOver: 0, budget: 1 } })
    expect((await lab.recall(1)).retrieved.map(({ text }) => text)).toEqual(['Sum 1.', 'Sum 2.', 'Sum 3.'])
  })

  test('without summaries everything is shown in full', async () => {
    const lab = await opened([yes], { scm: { summaries: false, budget: 1 } })
    expect((await lab.recall(1)).retrieved.every(({ item }) => item.kind === 'trajectory')).toBe(true)
  })
})

describe('learn', () => {
  test('summarizes long attempts, and lets short ones stand for themselves', async () => {
    const lab = openLab(scm, ['{"summary": "Counted."}'], { settings: { scm: { summaryOver: 13 } } })
    await lab.live(attemptAt(1, 1))
    expect((await lab.memory.items('summary'))[0]?.text).toBeNull()
    const long = attemptAt(2, 0)
    const rounds = long.rounds.map((round) => ({ ...round, completion: 'many words '.repeat(20) }))
    await lab.live({ ...long, rounds })
    expect((await lab.memory.items('summary'))[1]).toMatchObject({
      text: 'Counted.',
      trajectoryIds: ['r1-t0002'],
    })
  })

  test('an attempt whose summary fails stays in the stream without one', async () => {
    const lab = openLab(scm, ['', '{"summary": ""}'], { settings: { scm: { summaryOver: 0 } } })
    await lab.live(attemptAt(1, 1))
    expect((await lab.memory.items('summary'))[0]?.text).toBeNull()
    expect(lab.memory.events.at(-1)).toMatchObject({ failure: { role: 'scm-summary', reason: 'empty' } })
  })
})
