import { describe, expect, it } from 'vitest'
import { parseAction } from '../../../../src/core/tasks/lab-db/grammar'

describe('the action grammar', () => {
  it('takes the fence of an operation and joins its lines', () => {
    const reply = 'I look first.\nAction: Operation\n```sql\nSELECT *\nFROM bookings;\n```\nDone.'
    expect(parseAction(reply)).toEqual({ kind: 'operation', content: 'SELECT * FROM bookings;' })
  })

  it('takes the rest of the line of an answer', () => {
    expect(parseAction('Action: Answer\nFinal Answer: [(1,)] \nmore')).toEqual({
      kind: 'answer',
      content: '[(1,)]',
    })
  })

  it('lets the first action decide', () => {
    const both = 'Action: Operation\n```sql\nSELECT 1\n```\nAction: Answer\nFinal Answer: 1'
    expect(parseAction(both).kind).toBe('operation')
  })

  it.each([
    ['no action', 'SELECT 1', /find action/],
    ['an action in other words', 'action: answer\nFinal Answer: 1', /find action/],
    ['an operation without a fence', 'Action: Operation\nSELECT 1', /find SQL/],
    ['a fence that never closes', 'Action: Operation\n```sql\nSELECT 1', /find SQL/],
    ['an answer without its line', 'Action: Answer\n[(1,)]', /find final answer/],
    ['a final answer that starts no line', 'Action: Answer Final Answer: 1', /find final answer/],
  ])('refuses %s', (_, reply, reason) => {
    expect(parseAction(reply)).toEqual({ kind: 'invalid', reason: expect.stringMatching(reason) as string })
  })
})
