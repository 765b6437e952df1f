import { expect, test } from 'vitest'
import { evidenceOf } from '../../../src/core/verdict/evidence'
import { ENOUGH, FITTED, rulesOf, type JudgedSigns } from '../../../src/core/verdict/client-rules'
import { goesOnWith } from '../../../src/core/verdict/goals'
import { probationOf, verdictOf } from '../../../src/core/verdict/verdict'
import { WEIGHTS } from '../../../src/core/verdict/weights'
import { caseParts, caseOf } from '../../../src/core/memory/cases/recalled-case'
import { teaches } from '../../../src/core/formats/dialogs'
import { isProven } from '../../../src/core/soft-prompts/plan'
import type { Trajectory } from '../../../src/shared/domain/trajectory'

const times = (n: number, one: JudgedSigns): JudgedSigns[] => Array.from({ length: n }, () => one)
const THANKS = { kinds: ['thanks'], solved: true } as const
const ODD_THANKS = { kinds: ['thanks'], solved: false } as const

test('rules stay the fitted ones until a person has said enough', () => {
  expect(rulesOf(times(ENOUGH - 1, THANKS))).toBe(FITTED)
  const { verdicts, prior, weights } = rulesOf(times(ENOUGH, THANKS))
  expect(verdicts).toBe(ENOUGH)
  expect(prior).toBeGreaterThan(0.9)
  // What was never seen stays as it was fitted.
  expect(weights.complaint).toBe(WEIGHTS.complaint)
})

test('a sign that means nothing with one person stops to settle anything there', () => {
  const { weights, prior } = rulesOf([
    ...times(30, ODD_THANKS),
    ...times(10, { kinds: ['follow-up'], solved: true }),
  ])
  const work = { request: 'Sort the list', steps: [], reply: 'Done.', next: 'Thanks!' }
  expect(verdictOf(evidenceOf(work)).value).toBe('solved')
  expect(verdictOf(evidenceOf(work, weights), prior).state).toBe('open')
  expect(weights['follow-up']).toBeLessThanOrEqual(0.75)
})

test('with a person whose thanks were borne out, thanks teach on probation', () => {
  const { weights, prior } = rulesOf([...times(24, THANKS), ...times(10, { kinds: [], solved: false })])
  const verdict = verdictOf(
    evidenceOf({ request: 'Sort the list', steps: [], reply: 'Done.', next: 'Thanks!' }, weights),
    prior,
  )
  expect(verdict).toMatchObject({ value: 'solved', state: 'teaches' })
  expect(probationOf(verdict)).toBeGreaterThanOrEqual(0.8)
  expect(probationOf({ value: 'failed', confidence: 0.95 })).toBeNull()
})

test('an unproven success says so where it is shown, and trains nothing', async () => {
  const attempt = {
    id: 'a',
    runId: 'r',
    task: { environment: 'question', instruction: 'Sort the list', context: '' },
    rounds: [{ completion: 'Done.', observation: null }],
    finish: 'completed',
    reward: 1,
    finishedAt: '2026-01-01T00:00:00.000Z',
    probation: 0.85,
  } as unknown as Trajectory
  const [part] = await caseParts(
    [{ record: caseOf(attempt), why: { score: 1, scoreKind: 'cosine' } }],
    { context: '' },
    { trajectory: () => Promise.resolve(attempt) },
  )
  expect(part?.text).toContain('Solved (unproven): Sort the list')
  expect(part?.item.unproven).toBe(true)
  expect([teaches(attempt), isProven(attempt)]).toEqual([false, false])
})

test('a task is a chain of attempts on one goal', () => {
  expect(
    ['complaint', 'continue', 'follow-up', 'answers'].every((one) => goesOnWith(one as 'complaint')),
  ).toBe(true)
  expect(['thanks', 'moves-on', 'something-else'].some((one) => goesOnWith(one as 'thanks'))).toBe(false)
})
