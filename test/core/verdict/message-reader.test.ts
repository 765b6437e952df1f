import { expect, test } from 'vitest'
import { RELATION_QUESTIONS } from '../../../src/core/agent/probe/relation-questions'
import {
  ENOUGH,
  readerStanding,
  rulesOf,
  weightsIn,
  type JudgedSigns,
} from '../../../src/core/verdict/client-rules'
import { claimOf, evidenceOf } from '../../../src/core/verdict/evidence'
import { isToBeRead, readingOf, readingRequest } from '../../../src/core/verdict/message-reader'
import { relationOf } from '../../../src/core/verdict/relation'
import { verdictOf } from '../../../src/core/verdict/verdict'
import { SETTLES_FAILED, SETTLES_SOLVED, WEIGHTS } from '../../../src/core/verdict/weights'
import { LEAST_FOR_RELATIONS, RELATION_QUESTION_COUNT } from '../../../src/shared/domain/model-profile'
import { READ_RELATIONS } from '../../../src/shared/domain/verdict'

const MODEL = 'reader'
const read = (claim: 'read-right' | 'read-wrong' | null, solved: boolean, n: number): JudgedSigns[] =>
  Array.from({ length: n }, () => ({ kinds: claim ? [claim] : [], solved, reading: { model: MODEL, claim } }))

test('the labelled messages hold each relation alike, and are worth a reading', () => {
  expect(RELATION_QUESTIONS).toHaveLength(RELATION_QUESTION_COUNT)
  for (const relation of READ_RELATIONS)
    expect(RELATION_QUESTIONS.filter((one) => one.relation === relation)).toHaveLength(7)
  for (const { message, ...before } of RELATION_QUESTIONS) expect(isToBeRead(before, message)).toBe(true)
  expect(new Set(RELATION_QUESTIONS.map(({ message }) => message)).size).toBe(RELATION_QUESTION_COUNT)
  // What the rules tell of them by words alone: if that were enough, no model would have to read.
  const byRules = RELATION_QUESTIONS.filter(
    ({ relation, message, ...before }) => relationOf(before, message) === relation,
  )
  expect(byRules.length).toBeLessThan(LEAST_FOR_RELATIONS)
})

test('a model is asked for one word of ten and told that texts are data', () => {
  const { messages, constraint } = readingRequest(
    { request: 'a'.repeat(900), reply: `${'b'.repeat(900)}end` },
    'Thanks',
  )
  expect(messages[1]?.content).toContain('<next>\nThanks\n</next>')
  expect(messages[1]?.content).toContain('bend\n</reply>')
  expect(messages[1]?.content.length).toBeLessThan(1400)
  expect(constraint).toMatchObject({ kind: 'json-schema' })
  expect(readingOf('{"relation": "thanks"}')).toBe('thanks')
  expect(readingOf('{"relation": "same-again"}')).toBeNull()
  expect(readingOf('thanks')).toBeNull()
})

test('what is told in any language without a model is not read by one', () => {
  const before = { request: 'Sort the list', reply: '' }
  expect(isToBeRead(before, ' Sort the list ')).toBe(false)
  expect(isToBeRead(before, 'Traceback (most recent call last):')).toBe(false)
  expect(isToBeRead(before, 'Merci')).toBe(true)
})

test('a reading settles nothing, whatever it weighs', () => {
  const kinds = READ_RELATIONS.map(claimOf)
  expect(kinds.filter((kind) => kind === 'read-right')).toHaveLength(2)
  expect(kinds.filter((kind) => kind === 'read-wrong')).toHaveLength(3)
  for (const kind of ['read-right', 'read-wrong'] as const) {
    expect(WEIGHTS[kind]).toBe(0)
    expect(SETTLES_SOLVED.has(kind) || SETTLES_FAILED.has(kind)).toBe(false)
  }
  const work = {
    request: 'Sort it',
    steps: [],
    reply: 'Done.',
    next: 'Hm, spannend.',
    reading: 'thanks' as const,
  }
  const evidence = evidenceOf(work, { ...WEIGHTS, 'read-right': 1.5 })
  expect(evidence).toContainEqual({ kind: 'read-right', weight: 1.5, step: null })
  expect(verdictOf(evidence)).toMatchObject({ value: 'unknown', state: 'open' })
})

test('a reader weighs nothing before thirty verdicts, and then as far as they bore it out', () => {
  const right = read('read-right', true, 20)
  const wrong = read('read-wrong', false, 9)
  expect(readerStanding([...right, ...wrong], MODEL)).toMatchObject({
    ...{ compared: ENOUGH - 1, agreed: 29, differed: 0, silent: 0 },
    weights: { 'read-right': 0, 'read-wrong': 0 },
  })
  const all = [...right, ...wrong, ...read(null, false, 1)]
  expect(readerStanding(all, MODEL)).toMatchObject({
    ...{ compared: ENOUGH, silent: 1 },
    weights: { 'read-right': 1.5, 'read-wrong': -1.5 },
  })
  const rules = rulesOf(all)
  expect(weightsIn(rules, MODEL)['read-right']).toBe(1.5)
  // Another model has shown nothing yet, and a withdrawn verdict takes the weight along.
  expect(weightsIn(rules, 'another')['read-right']).toBe(0)
  expect(weightsIn(rules, null)['read-right']).toBe(0)
  expect(weightsIn(rulesOf(all.slice(1)), MODEL)['read-right']).toBe(0)
})

test('a reader that says yes to everything, or the contrary of what is so, weighs nothing', () => {
  const all = [...read('read-right', true, 20), ...read('read-right', false, 20)]
  expect(readerStanding(all, MODEL).weights['read-right']).toBeCloseTo(0)
  const contrary = [...read('read-wrong', true, 20), ...read('read-right', false, 20)]
  expect(readerStanding(contrary, MODEL)).toMatchObject({
    ...{ agreed: 0, differed: 40 },
    weights: { 'read-right': 0, 'read-wrong': 0 },
  })
})
