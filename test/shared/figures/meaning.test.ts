import { describe, expect, it } from 'vitest'
import type { AskPoint } from '../../../src/shared/domain/ask-curve'
import type { ExperimentRow } from '../../../src/shared/domain/experiment'
import { curveMeaning, experimentMeaning, runMeaning } from '../../../src/shared/figures/meaning'
import { paired, pairedInterval, signTest } from '../../../src/shared/figures/paired'

const rewards = (solved: number, n: number): number[] =>
  Array.from({ length: n }, (_, i) => (i < solved ? 1 : 0))
const late = (solved: number, n: number): number[] => rewards(solved, n).reverse()

const row = (change: Partial<ExperimentRow>): ExperimentRow =>
  ({
    method: 'case-bank',
    exp: 4,
    n: 3,
    distinct: 3,
    oom: 0,
    mean: 0.7,
    ci95: null,
    deltaToBaseline: null,
    deltaCi95: null,
    ...change,
  }) as ExperimentRow

const report = (summary: ExperimentRow[], tasks = 100) => ({
  summary,
  tasks,
  baseline: 'none',
  pending: 0,
  cells: [],
})
const title = (method: string): string => (method === 'none' ? 'no memory' : 'Case bank')

describe('the sign test', () => {
  it('gives the binomial tail, also for many', () => {
    expect(signTest(0, 0)).toBe(1)
    expect(signTest(5, 0)).toBeCloseTo(2 / 32, 12)
    expect(signTest(8, 2)).toBeCloseTo((2 * (1 + 10 + 45)) / 1024, 12)
    expect(signTest(3, 3)).toBe(1)
    expect(signTest(2000, 1000)).toBeLessThan(1e-60)
  })
  it('has an interval of the difference that lies above 0 exactly where the chance is below 5 %', () => {
    const interval = (onlyThis: number, onlyOther: number, n: number) =>
      pairedInterval({ n, onlyThis, onlyOther }) ?? [NaN, NaN]
    // Clopper and Pearson: 9 of 10 is .5550 to .9975, 6 of 6 is .5407 to 1.
    expect(interval(9, 1, 20)[0]).toBeCloseTo((10 * (2 * 0.555 - 1)) / 20, 4)
    expect(interval(9, 1, 20)[1]).toBeCloseTo((10 * (2 * 0.9975 - 1)) / 20, 4)
    expect(interval(6, 0, 6)[0]).toBeCloseTo(2 * 0.5407 - 1, 3)
    expect(interval(6, 0, 6)[1]).toBeCloseTo(1, 9)
    for (let a = 0; a <= 14; a++)
      for (let b = 0; b <= 14; b++)
        if (a + b > 0) expect(interval(a, b, 30)[0] > 0).toBe(a > b && signTest(a, b) < 0.05)
    expect(pairedInterval({ n: 9, onlyThis: 0, onlyOther: 0 })).toBeNull()
  })
  it('counts only tasks that both tried', () => {
    expect(paired([1, 1, 0, 1], [0, 1, 1])).toMatchObject({ n: 3, onlyThis: 1, onlyOther: 1 })
  })
})

describe('what a run means', () => {
  const run = {
    title: 'Case bank',
    remembers: true,
    total: 40,
    finished: true,
    resumable: false,
    without: null,
    with: false,
    canBeTold: false,
  }
  it('says nothing of memory without a run to compare with, and offers one', () => {
    const { sentence, next } = runMeaning({ ...run, rewards: late(20, 40) })
    expect(sentence).toContain('solved 20 of 40 tasks')
    expect(sentence).toContain('one run cannot say')
    expect(next[0]?.kind).toBe('without-memory')
  })
  it('tells a gain that chance hardly makes from one that it makes often', () => {
    expect(runMeaning({ ...run, rewards: late(30, 40), without: rewards(0, 40) }).sentence).toContain(
      'solved 30 more of 40 tasks than no memory (30 only with it, 0 only without): on this order of tasks that is more than luck',
    )
    expect(runMeaning({ ...run, rewards: late(3, 40), without: rewards(1, 40) }).sentence).toContain(
      'may be luck',
    )
    expect(runMeaning({ ...run, rewards: late(3, 40), without: late(3, 40) }).sentence).toContain(
      'changed nothing',
    )
  })
  it('says so when it remembers nothing, was stopped, or never began', () => {
    expect(runMeaning({ ...run, remembers: false, rewards: late(9, 30) }).next[0]?.kind).toBe('with-memory')
    const both = runMeaning({ ...run, remembers: false, with: true, rewards: late(9, 30) })
    expect(both.next.map(({ kind }) => kind)).not.toContain('with-memory')
    const stopped = runMeaning({ ...run, finished: false, resumable: true, rewards: late(9, 30) })
    expect(stopped.sentence).toContain('It stopped after 30 of 40.')
    expect(stopped.next.map(({ kind }) => kind)).toContain('resume')
    const cut = runMeaning({ ...run, finished: false, rewards: late(9, 1) })
    expect(cut.next.map(({ words }) => words)).not.toContain('Resume it: it goes on where it was.')
    expect(cut.next.map(({ words }) => words)).toContain('Take more tasks: 1 is few.')
    const none = runMeaning({ ...run, canBeTold: true, rewards: rewards(0, 16) })
    expect(none.next[0]).toMatchObject({ kind: 'told' })
    const some = runMeaning({ ...run, canBeTold: true, rewards: late(9, 30) })
    expect(some.next.map(({ kind }) => kind)).not.toContain('told')
    expect(runMeaning({ ...run, rewards: [] }).sentence).toContain('says nothing')
  })
})

describe('what an experiment means', () => {
  it('names identical seeds as no evidence about luck', () => {
    const rows = [row({ method: 'none', mean: 0.2 }), row({ deltaToBaseline: 0.5, distinct: 1 })]
    const { sentence, next } = experimentMeaning(report(rows), title)
    expect(sentence).toBe(
      'Case bank solved 50 more of 100 tasks than no memory; all 3 seeds were identical, so this says nothing about luck.',
    )
    expect(next[0]?.kind).toBe('luck')
  })
  it('trusts seeds that differ as far as their interval goes', () => {
    const sure = [row({ method: 'none' }), row({ deltaToBaseline: 0.2, deltaCi95: [0.1, 0.3] })]
    expect(experimentMeaning(report(sure), title)).toMatchObject({
      sentence: 'Case bank solved 20 more of 100 tasks than no memory; the 3 seeds vary by less than that.',
      next: [],
    })
    const open = [row({ method: 'none' }), row({ deltaToBaseline: 0.2, deltaCi95: [-0.1, 0.4] })]
    expect(experimentMeaning(report(open), title).sentence).toContain('it may be luck')
    const single = [
      row({ method: 'none', n: 1, distinct: 1 }),
      row({ n: 1, distinct: 1, deltaToBaseline: -0.1 }),
    ]
    expect(experimentMeaning(report(single), title).sentence).toBe(
      'Case bank solved 10 fewer of 100 tasks than no memory; one seed says nothing about luck.',
    )
  })
})

describe('what a curve of one’s own means', () => {
  const point = (right: AskPoint['right']): AskPoint => ({
    ...{ askId: 'a', attempt: 0, title: '', model: '', method: '', at: '' },
    ...{ right, tokens: 1, ms: 1, recalled: 0, topic: 0 },
  })
  it('says what is not known before what is', () => {
    expect(curveMeaning([point(null)])).toContain('The one ask was not judged, so')
    expect(curveMeaning([point(null), point(null)])).toContain('None of 2 asks was judged')
    const few = curveMeaning([point(1), point(0), point(null)])
    expect(few).toContain('; 1 was not judged. That is too few')
    expect(curveMeaning([point(1), point(null), point(null)])).toContain('; 2 were not judged')
    const better = [...rewards(0, 20), ...rewards(20, 20)].map((right) => point(right as 0 | 1))
    expect(curveMeaning(better)).toContain('0 % in the first half, 100 % in the second, more than chance')
    expect(curveMeaning([0, 1, 0, 1, 1, 0, 1, 1].map((right) => point(right as 0 | 1)))).toContain(
      'chance makes',
    )
  })
})
