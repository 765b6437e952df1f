import { describe, expect, it } from 'vitest'
import { parseLabKgAction, splitArguments, variableIn } from '../../../../src/core/tasks/lab-kg/grammar'

describe("the benchmark's grammar for knowledge graphs", () => {
  it.each([
    ['Thought.\nAction: get_relations(Goat)', { kind: 'call', name: 'get_relations', text: 'Goat' }],
    ['Action: get_neighbors(#0, a.b.c) and more', { kind: 'call', name: 'get_neighbors', text: '#0, a.b.c' }],
    [
      'Action: get_relations(The Wire (series))',
      { kind: 'call', name: 'get_relations', text: 'The Wire (series)' },
    ],
    ['Action: count(#1) Action: argmax(#0, x)', { kind: 'call', name: 'count', text: '#1' }],
    ['Action: get_relations(a(b)', { kind: 'call', name: 'get_relations', text: '' }],
    ['Action: count(#1\n) Action: count(#2)', { kind: 'call', name: 'count', text: '#2' }],
    ['Action: count(#1)\nFinal Answer: #3', { kind: 'answer', variable: '#3' }],
    ['Final answer: Variable #12', { kind: 'answer', variable: '#12' }],
    ['Final Answer: var#0', { kind: 'answer', variable: '#0' }],
  ])('reads %j', (reply, action) => {
    expect(parseLabKgAction(reply)).toEqual(action)
  })

  it.each(['', 'Action: count()', 'action: count(#1)', 'Action: count #1', 'Final Answer: Goat'])(
    'finds no action in %j, and says so in its words',
    (reply) => {
      const action = parseLabKgAction(reply)
      expect(action.kind).toBe('invalid')
      expect(action.kind === 'invalid' && action.reason).toMatch(
        /^Cannot find the pattern of action in agent response\. /,
      )
    },
  )

  it('takes linear time for replies that never close', () => {
    const hostile = 'Action: a('.repeat(200_000)
    expect(parseLabKgAction(hostile).kind).toBe('invalid')
    expect(parseLabKgAction(`${'Action: a(\n'.repeat(200_000)})`).kind).toBe('invalid')
  })

  it('cuts arguments at commas, but not inside entities of the task', () => {
    expect(splitArguments('Goat,  x.y.z', ['Goat'])).toEqual(['Goat', 'x.y.z'])
    expect(splitArguments('Paris, Texas, x.y.z', ['Paris, Texas'])).toEqual(['Paris, Texas', 'x.y.z'])
    expect(splitArguments('#0,, ', [])).toEqual(['#0'])
    expect(splitArguments('', ['Goat'])).toEqual([])
  })

  it.each([
    ['#3', 3],
    ['Variable #0', 0],
    ['var#2', 2],
    ['#x', 'unreadable'],
    ['Goat', null],
  ])('takes %j for %j', (argument, index) => {
    expect(variableIn(argument)).toBe(index)
  })
})
