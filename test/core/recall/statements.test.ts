import { expect, test } from 'vitest'
import {
  answerOn,
  lastStatements,
  questionsOf,
  statementsOf,
  taskThings,
} from '../../../src/core/recall/statements'
import { statementsFrom } from '../../../src/core/recall/attempt-statements'

const said = (text: string): string[] => statementsOf(text).map(({ subject, value }) => `${subject}=${value}`)

test('a statement is a thing and what is said of it, in a list behind a colon', () => {
  expect(statementsOf('Harbor rules: price cents, guest as-is. Note them first.')).toEqual([
    { subject: 'price', value: 'cents', lead: 'Harbor rules:' },
    { subject: 'guest', value: 'as-is', lead: 'Harbor rules:' },
  ])
  expect(said('Harbor rules: price ?, archived A')).toEqual(['archived=A'])
  expect(said('the port is 8080')).toEqual([])
  expect(said('port is 8080; host = localhost')).toEqual(['port=8080', 'host=localhost'])
})

test('code and prose say nothing', () => {
  expect(said('```sql\nSELECT price FROM bookings;\n```')).toEqual([])
  expect(said('Count the bookings of Ada in Oslo that were made last year by phone')).toEqual([])
  expect(said('')).toEqual([])
})

test('of several statements about a thing the last one counts, and only about things of the task', () => {
  const { all, said: inTask } = taskThings('How many paid orders?', 'Table orders(price INT)')
  expect([inTask.has('paid'), inTask.has('price'), all.has('price')]).toEqual([true, false, true])
  const last = lastStatements(statementsOf('a: price cents\nb: price units, other x'), all)
  expect([...last.values()].map(({ value }) => value)).toEqual(['units'])
})

test('an answer that names the thing says its value', () => {
  expect(questionsOf('Harbor rules: paid ?, price cents')).toEqual([
    { subject: 'paid', lead: 'Harbor rules:' },
  ])
  expect(answerOn('paid', "[('paid', 'K')]")).toBe('K')
  expect(answerOn('paid', '[(3,)]')).toBeNull()
  expect(answerOn('paid', "[('paid', 'K'), ('open', 'L')]")).toBeNull()
})

test('what an attempt came to say while it acted was seen; what it misread was not', () => {
  const round = (completion: string, observation: string | null) => ({ completion, observation })
  const task = {
    instruction: 'How many paid orders?',
    context: 'Table orders(price INT, region TEXT)',
    world: 'Harbor',
  }
  const { place, relied, seen } = statementsFrom({
    task,
    rounds: [
      round('Harbor rules: paid ?, price cents, region ?', "[('paid', 'K')]"),
      round('Harbor rules: paid L, price cents, region ?', "[('OSLO',)]"),
      round('Harbor rules: paid L, price cents, region upper', null),
    ],
  })
  expect(place).toBe('Harbor')
  expect(relied.map(({ subject, value }) => `${subject} ${value}`)).toEqual([
    'price cents',
    'paid L',
    'region upper',
  ])
  expect(seen.map(({ subject, value }) => `${subject} ${value}`)).toEqual(['paid K', 'region upper'])
})
