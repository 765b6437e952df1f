import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { replyReader } from '../../../../src/core/ground/replies/reply-reader'
import { ACTIONS, readPublished } from '../../../../src/core/tasks/lab-db/actions'
import { parseAction } from '../../../../src/core/tasks/lab-db/grammar'

const prompt = readFileSync('resources/prompts/lab-db.md', 'utf8').split('---\n').slice(2).join('---\n')
const reader = () =>
  replyReader(
    {
      ...{ tools: ACTIONS, words: { Operation: 'execute_sql', Answer: 'answer' }, code: 'execute_sql' },
      ...{ plain: 'answer', pick: 'first', published: readPublished, parse: parseAction },
      textForm: 'Reply with "Action: Operation" and one statement in a ```sql block.',
    },
    'any',
    prompt,
  )
const operation = (sql: string): string => `Action: Operation\n\`\`\`sql\n${sql}\n\`\`\``

describe('a reply that only says again what it was told', () => {
  it.each([
    ['the example of an answer', "Action: Answer\nFinal Answer: [(1, 'Ada')]"],
    ['the placeholder of a statement', operation('SELECT ...;')],
    [
      'the sentences of the prompt',
      'You work on a MySQL database. Answer the question or make the change with SQL.',
    ],
  ])('is no action: %s', (_what, reply) => {
    expect(reader()(reply).kind).toBe('told')
  })

  it('is none when it repeats the correction', () => {
    const read = reader()
    const first = read('Action: Nothing')
    expect(first.kind).toBe('told')
    expect(read(first.kind === 'told' ? first.text : '').kind).toBe('unreadable')
  })

  it.each([
    ['a statement of its own', operation("UPDATE flights SET status = 'delayed' WHERE flight_id = 3;")],
    ['an answer of its own', "Action: Answer\nFinal Answer: [(2, 'Ben')]"],
    ['an empty answer after a change', 'Action: Answer\nFinal Answer: []'],
  ])('is told from %s', (_what, reply) => {
    expect(reader()(reply).kind).toBe('call')
  })
})
