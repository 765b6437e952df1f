/** A failure in MySQL's own words; what the agent sees is `1054 (42S22): Unknown column 'x' in 'where clause'`. */
export class MySqlError extends Error {
  constructor(
    readonly number: number,
    readonly state: string,
    readonly detail: string,
  ) {
    super(`${number} (${state}): ${detail}`)
    this.name = 'MySqlError'
  }
}

/** MySQL quotes at most this much of the text that it could not read. */
const NEAR_LENGTH = 80

/** 1064 with the text from `offset` on, as MySQL quotes it. */
export function syntaxError(sql: string, offset: number): MySqlError {
  const near = sql.slice(offset, offset + NEAR_LENGTH)
  const line = sql.slice(0, offset).split('\n').length
  return new MySqlError(
    1064,
    '42000',
    'You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version ' +
      `for the right syntax to use near '${near}' at line ${line}`,
  )
}

/** Where a name was looked for, in MySQL's words. */
export type Clause =
  | 'field list'
  | 'where clause'
  | 'on clause'
  | 'group statement'
  | 'having clause'
  | 'order clause'

export const unknownColumn = (name: string, clause: Clause): MySqlError =>
  new MySqlError(1054, '42S22', `Unknown column '${name}' in '${clause}'`)

export const ambiguousColumn = (name: string, clause: Clause): MySqlError =>
  new MySqlError(1052, '23000', `Column '${name}' in ${clause} is ambiguous`)

export const unknownTable = (database: string, table: string): MySqlError =>
  new MySqlError(1146, '42S02', `Table '${database}.${table}' doesn't exist`)

export const groupFunctionMisuse = (): MySqlError =>
  new MySqlError(1111, 'HY000', 'Invalid use of group function')

export const unsupported = (what: string): MySqlError =>
  new MySqlError(1235, '42000', `This version of MySQL doesn't yet support '${what}'`)

export const denied = (command: string): MySqlError =>
  new MySqlError(
    1227,
    '42000',
    `Access denied; you need (at least one of) the SUPER privilege(s) for this operation (${command})`,
  )

export const overBudget = (): MySqlError =>
  new MySqlError(3024, 'HY000', 'Query execution was interrupted, maximum statement execution time exceeded')
