import { expect, test } from 'vitest'
import type { ExperienceStep } from '../../../src/shared/domain/experience'
import { endingOf } from '../../../src/core/verdict/endings'
import { evidenceOf, type Work } from '../../../src/core/verdict/evidence'
import { verdictOf } from '../../../src/core/verdict/verdict'

const step = (
  verb: ExperienceStep['verb'],
  observation: string | null = null,
  failed = false,
): ExperienceStep => ({
  ...{ verb, tool: verb, content: `${verb} something`, reason: '' },
  ...{ observation, failed },
})
const work = (change: Partial<Work>): Work => ({
  request: 'Add a dark mode switch to the settings page',
  steps: [step('edit', 'done')],
  reply: 'I successfully added it.',
  ...change,
})
const kindsOf = (change: Partial<Work>) => evidenceOf(work(change)).map(({ kind }) => kind)
const told = (change: Partial<Work>) => {
  const { value, state } = verdictOf(evidenceOf(work(change)))
  return { value, state }
}

test('the words and checks of an agent settle nothing', () => {
  const tests = { ...step('run', '12 passed'), content: 'npm test' }
  expect(kindsOf({ steps: [step('edit', 'ok'), tests] })).toEqual(['no-errors', 'tests-pass'])
  expect(told({ steps: [step('edit', 'ok'), tests] })).toEqual({ value: 'unknown', state: 'open' })
})

test('a thanks settles a success, and teaches where the confidence allows it', () => {
  expect(told({ next: 'Thanks, great!' })).toEqual({ value: 'solved', state: 'shown' })
  expect(told({ next: 'Thanks, great!', steps: [step('query', 'one row')] })).toEqual({
    value: 'solved',
    state: 'teaches',
  })
})

test('a complaint, a request sent again and taking back settle a failure', () => {
  expect(told({ next: 'the switch does not work' })).toEqual({ value: 'failed', state: 'teaches' })
  expect(told({ next: work({}).request })).toEqual({ value: 'failed', state: 'teaches' })
  expect(told({ command: 'undo' })).toEqual({ value: 'failed', state: 'teaches' })
})

test('thanks after a failure of mechanics leave it open', () => {
  expect(told({ ending: 'cut-off', next: 'Thanks, great!' }).state).toBe('open')
})

test('mechanics settle failures', () => {
  expect(kindsOf({ steps: [], reply: '', ending: 'service-error' })).toEqual(['service-error', 'no-reply'])
  expect(told({ steps: [], reply: '', ending: 'service-error' })).toEqual({
    value: 'failed',
    state: 'teaches',
  })
  expect(told({ steps: [step('query', 'rows'), step('query', 'Error', true)] })).toEqual({
    value: 'failed',
    state: 'teaches',
  })
})

test('an error that looking came to is no failure, nor is one that was overcome', () => {
  expect(kindsOf({ steps: [step('search', 'nothing', true)] })).toEqual(['no-errors'])
  expect(kindsOf({ steps: [step('run', 'bad', true), step('run', 'good')] })).toEqual(['errors-overcome'])
})

test('a log that ends at its request is open', () => {
  expect(evidenceOf(work({ steps: [], reply: '' }))).toEqual([])
})

test('the same call with the same result three times is said once', () => {
  const steps = Array.from({ length: 5 }, () => step('query', 'rows'))
  expect(evidenceOf(work({ steps })).filter(({ kind }) => kind === 'repeated')).toMatchObject([{ step: 2 }])
})

test('a base rate never settles anything, however high', () => {
  expect(verdictOf([], 1)).toMatchObject({ value: 'unknown', state: 'open', confidence: 0.8 })
})

test.each([
  ['exit_context', null, 'cut-off'],
  ['exit_cost', null, 'cut-off'],
  ['LimitsExceeded', null, 'cut-off'],
  ['exit_format', null, 'out-of-form'],
  ['turn_aborted', null, 'interrupted'],
  ['exit_environment_error', null, 'error'],
  ['submitted', false, 'nothing-made'],
  ['submitted', true, null],
  [undefined, null, null],
])('a status of %s with something made %s: %s', (status, made, ending) => {
  expect(endingOf(status, made)).toBe(ending)
})
