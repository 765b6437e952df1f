import type { KnownTask } from '../../../../shared/domain/task'
import { writeAction } from '../../lab-db/actions'
import type { HouseRulesTask } from '../tasks'

const CONDITION = /^(\w+) (=|>) '?([^']*)'?$/

/** What is selected, and the condition; nothing of another statement. */
function partsOf(sql: string): { what?: string; where?: string } {
  const from = sql.indexOf(' FROM ')
  const where = sql.indexOf(' WHERE ')
  if (!sql.startsWith('SELECT ') || from === -1 || where < from || !sql.endsWith(';')) return {}
  return { what: sql.slice('SELECT '.length, from), where: sql.slice(where + ' WHERE '.length, -1) }
}

/** What the database answers to a task's own statement, which has one of few forms. */
export function goldObservation({ sql, table }: Pick<HouseRulesTask, 'sql' | 'table'>): string {
  const { what = '', where = '' } = partsOf(sql)
  if (what === '') return '[]'
  const column = (name: string): number => table.columns.findIndex((one) => one.name === name)
  const holds = where.split(' AND ').map((condition) => {
    const [, name = '', operator, value = ''] = CONDITION.exec(condition) ?? []
    const at = column(name)
    return (row: readonly unknown[]): boolean =>
      operator === '>' ? Number(row[at]) > Number(value) : String(row[at]) === value
  })
  const groupedMatches = table.rows.filter((row) => holds.every((condition) => condition(row)))
  if (what === 'COUNT(*)') return `[(${groupedMatches.length},)]`
  const [, summed] = /^SUM\((\w+)\)$/.exec(what) ?? []
  const at = column(summed ?? what)
  if (summed === undefined) return `[${groupedMatches.map((row) => `(${String(row[at])},)`).join(', ')}]`
  const total = groupedMatches.reduce((sum, row) => sum + Number(row[at]), 0)
  return groupedMatches.length === 0 ? '[(None,)]' : `[(Decimal('${total}'),)]`
}

/** A task solved at once by who knows its rules: first they are named, as the demo model names them. */
export const solvedReplies = (task: HouseRulesTask, observation: string): string[] => {
  const rules = task.facts.map(({ key, value }) => `${key} ${value}`).join(', ')
  return [
    `${task.worldName} rules: ${rules}\n${writeAction('execute_sql', { sql: task.sql })}`,
    writeAction('answer', { answer: observation }),
  ]
}

/** A task as an example of its rules. */
export function exampleOf(task: HouseRulesTask): KnownTask['example'] {
  const observation = goldObservation(task)
  const [first = '', last = ''] = solvedReplies(task, observation)
  return {
    instruction: task.instruction,
    rounds: [
      { completion: first, observation },
      { completion: last, observation: null },
    ],
  }
}
