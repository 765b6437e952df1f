import { reprText } from '../../ground/python-text'
import { publishedReader } from '../../ground/replies/read-reply'
import type { ToolInfo } from '../../ground/tools'
import { parseAction } from './grammar'
import { reprFloat } from './python-repr'
import { exactObject } from '../../ground/exact-object'

const text = (name: string, description: string) => exactObject({ [name]: { type: 'string', description } })

/** What an agent can do with a database. */
export const ACTIONS: readonly ToolInfo[] = [
  {
    name: 'execute_sql',
    server: 'database',
    description: 'Runs one MySQL statement and answers with what it gives.',
    inputSchema: text('sql', 'The statement.'),
  },
  {
    name: 'answer',
    server: 'database',
    description: 'Ends the task: with the rows as Python writes them, or with what was changed.',
    inputSchema: text('answer', 'The rows as a list of tuples, or a word when the table is the answer.'),
  },
]

/** An action in the benchmark's text form, as `parseAction` reads it. */
export const writeAction = (name: string, args: Readonly<Record<string, unknown>>): string =>
  name === 'answer'
    ? `Action: Answer\nFinal Answer: ${textOf(args['answer'])}`
    : `Action: Operation\n\`\`\`sql\n${textOf(args['sql'])}\n\`\`\``

/** The benchmark's own text form as a call; null when a reply is not in it. */
export const readPublished = publishedReader(parseAction, (action) =>
  action.kind === 'answer'
    ? { name: 'answer', args: { answer: action.content } }
    : { name: 'execute_sql', args: { sql: action.content } },
)

/** An argument as text; rows that came as JSON as Python writes them. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return Array.isArray(value) ? `[${value.map(rowText).join(', ')}]` : cellText(value)
}

const rowText = (row: unknown): string =>
  Array.isArray(row) ? `(${row.map(cellText).join(', ')}${row.length === 1 ? ',' : ''})` : cellText(row)

function cellText(cell: unknown): string {
  if (cell === null) return 'None'
  if (typeof cell === 'number') return Number.isInteger(cell) ? String(cell) : reprFloat(cell)
  return reprText(typeof cell === 'string' ? cell : JSON.stringify(cell))
}
