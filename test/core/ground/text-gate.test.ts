import { describe, expect, it } from 'vitest'
import { addsNothing, textFault } from '../../../src/core/ground/text-gate'

const text = (maxLength = 300) => ({
  type: 'object',
  properties: { text: { type: 'string', maxLength } },
})
const TEMPLATE =
  'Write one lesson for tasks like this. Reply as JSON: {"lesson": "..."} such as {"lesson": "Look at the columns first."}'
const SOURCE =
  'Failed: Update the gate status of flight 1227 to delayed.\nTable flights(flight_id INT, gate TEXT, status TEXT)\nAgent: UPDATE flights SET status = 1'

const faultOf = (value: string, source = SOURCE) =>
  textFault({ text: value }, text(), { template: TEMPLATE, source })

// What a model of 135 million weights wrote for six methods (seen, not made up), and what is wrong with it.
describe('texts of a small model that nobody can use', () => {
  it.each([
    ['repeats-itself', '10.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1'],
    [
      'repeats-itself',
      'The reason is that the reason is that the reason is that the reason is that the reason is that',
    ],
    [
      'breaks-off',
      'This is a JSON response that contains a list of JSON objects with the status of the flights and a',
    ],
    ['quotes-nothing', 'Searched for a new service'],
    ['copies-the-form', '...'],
    ['copies-the-form', 'Look at the columns first.'],
    ['bare-value', '2024-05-30'],
    ['bare-value', '1227'],
  ] as const)('%s: %s', (fault, value) => {
    expect(faultOf(value)).toBe(fault)
  })

  it('is told of texts in other languages too', () => {
    const source = 'Gescheitert: Setze den Status von Flug 12 auf verspätet.\nTabelle fluege(status TEXT)'
    expect(faultOf('Der Status der Tabelle fluege wird als Wort geschrieben.', source)).toBeNull()
    expect(faultOf('Es ist wichtig, immer gut zu arbeiten.', source)).toBe('quotes-nothing')
  })
})

describe('texts that are worth keeping', () => {
  it.each([
    'The status of flights is stored as a word, so quote it.',
    'Harbor rules: won WON, captain upper, arena lower. Look up guided first.',
    'Before an UPDATE, look at the rows of flights to see how status is written',
    'flights',
  ])('%s', (value) => {
    expect(faultOf(value, `${SOURCE}\nHarbor: won, captain, arena, guided`)).toBeNull()
  })

  it('leaves choices among given words alone', () => {
    const schema = { type: 'object', properties: { better: { type: 'string', enum: ['1', '2', 'tie'] } } }
    expect(textFault({ better: '1' }, schema, { template: TEMPLATE, source: SOURCE })).toBeNull()
  })

  it('lets a whole list through of which each is sound, and refuses it for one that is not', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'string' } } } }
    const of = (list: readonly string[]) =>
      textFault({ list }, schema, { template: TEMPLATE, source: SOURCE })
    expect(of(['flights', 'gate status'])).toBeNull()
    expect(of(['flights', '...'])).toBe('copies-the-form')
  })
})

describe('what is there already', () => {
  const there = ['Harbor rules: cancelled K, price cents.', 'Look at the rows first.']
  it.each([
    ['the same with other signs', true, 'harbor rules - cancelled K; price cents'],
    ['a part of it', true, 'Price cents.'],
    ['another value', false, 'Harbor rules: cancelled K, price dollars.'],
    ['another code', false, 'Harbor rules: cancelled k, price cents.'],
    ['more', false, 'Look at the rows first, then change them.'],
  ])('%s', (_what, expected, text) => {
    expect(addsNothing(text, there)).toBe(expected)
  })
})
