import type { Connection, ConnectionOptions } from 'mysql2/promise'
import type {
  SqlEngine,
  SqlResult,
  SqlSession,
  SqlTable,
  SqlValue,
  SqlColumnType,
} from '../../../../core/ground/ports'
import { LoamError } from '../../../../shared/errors'
import { overBudget } from '../../../../core/mysql/errors'
import type { ServerAddress } from './server-address'
import { LONGEST_STATEMENT, quote, ThrowAways, type ThrowAway } from './throw-away'
import type { FieldPacket, ResultSetHeader } from 'mysql2'

/** Numbers of the protocol's column types. */
const KINDS: readonly (readonly [SqlColumnType, readonly number[]])[] = [
  ['int', [1, 2, 3, 8, 9, 13]],
  ['decimal', [0, 246]],
  ['double', [4, 5]],
  ['date', [10, 14]],
  ['datetime', [7, 12]],
  ['time', [11]],
]

const kindOf = ({ columnType }: FieldPacket): SqlColumnType =>
  KINDS.find(([, numbers]) => numbers.includes(columnType ?? -1))?.[0] ?? 'text'

/** A cell as it came: decimals and dates as their exact text. */
const cellOf = (value: unknown): SqlValue => {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (value instanceof Uint8Array) return new Uint8Array(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value as bigint)
}

/** What the last of the statements that were sent together came to. `found` and `fields` are as mysql2 answers with `rowsAsArray`. */
function resultOf(match: unknown, fields: unknown): SqlResult {
  // Of several statements both are lists, one entry for each.
  const isSeveral =
    Array.isArray(fields) &&
    (fields.length === 0 || fields.some((of) => of === undefined || Array.isArray(of)))
  const last: unknown = isSeveral && Array.isArray(match) ? match.at(-1) : match
  const columns: unknown = isSeveral ? fields.at(-1) : fields
  if (!Array.isArray(last) || !Array.isArray(columns))
    return { kind: 'done', affectedRows: (last as ResultSetHeader | undefined)?.affectedRows ?? 0 }
  const packets = columns as FieldPacket[]
  return {
    kind: 'rows',
    columns: packets.map(({ name }) => name),
    types: packets.map(kindOf),
    rows: (last as unknown[][]).map((row) => row.map(cellOf)),
  }
}

/** Rows that one statement may answer with. */
const MOST_ROWS = 10_000

/** What MySQL 8 is set to from the start; MariaDB is less strict. */
const SQL_MODE =
  'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** MariaDB's nearest to MySQL 8's own collation, from version 10.10 on. */
const COLLATION = 'utf8mb4_uca1400_nopad_ai_ci'

type Connect = (options: ConnectionOptions) => Promise<Connection>

interface Opened {
  readonly admin: Connection
  readonly throwAways: ThrowAways
}

/**
 * Databases on a real MySQL or MariaDB server, one for each session: made for it with a user that sees nothing else, and dropped with it. What a killed
 * process left behind is dropped when the next one begins. `address` names a user who may create databases and users.
 * @throws LoamError `TASK_SERVER` when the server cannot be worked with, from here and from `open`
 */
export async function createServerEngine(
  address: ServerAddress,
  password: string | null,
): Promise<SqlEngine> {
  const { createConnection } = await import('mysql2/promise')
  const common: ConnectionOptions = {
    ...{ host: address.host, port: address.port, connectTimeout: 10_000, charset: 'utf8mb4' },
    ...{ dateStrings: true, supportBigNumbers: true, jsonStrings: true, disableEval: true },
    multipleStatements: true,
  }
  const connect: Connect = (options) => connected(createConnection, { ...common, ...options })
  const asAdmin: ConnectionOptions = { user: address.user, ...(password !== null && { password }) }
  const getError = (error: unknown): LoamError => refusal(address, error)

  let handlePromise: Promise<Opened> | null = null
  let sessions = 0
  const begin = async (): Promise<Opened> => {
    const admin = await connect(asAdmin)
    try {
      const version = await versionOf(admin)
      const throwAways = new ThrowAways(admin, version.isMariaDb, version.collation)
      await throwAways.begin()
      return { admin, throwAways }
    } catch (error) {
      admin.destroy()
      throw error
    }
  }
  /** The connection that makes databases is there as long as there are any. */
  const enter = async (): Promise<Opened> => {
    sessions++
    const entered = (handlePromise ??= begin())
    try {
      return await entered
    } catch (error) {
      leave()
      throw getError(error)
    }
  }
  const leave = (): void => {
    if (--sessions > 0) return
    const restPromise = handlePromise
    handlePromise = null
    void restPromise?.then(({ admin }) => admin.end()).catch(() => undefined)
  }

  const { admin } = await enter()
  const version = await versionOf(admin).catch((error: unknown) => Promise.reject(getError(error)))
  leave()

  return {
    name: version.name,
    keepsOrder: !version.isMariaDb,
    async open(tables) {
      const { admin: filler, throwAways } = await enter()
      let away: ThrowAway | null = null
      try {
        away = await throwAways.make()
        await fill(filler, away.name, tables)
        const own = { user: away.name, password: away.password, database: away.name }
        return await openSession(
          () => connect(own),
          getError,
          tables,
          away.name,
          async () => {
            await throwAways.drop(own.database).catch(() => undefined)
            leave()
          },
        )
      } catch (error) {
        if (away) await throwAways.drop(away.name).catch(() => undefined)
        leave()
        throw getError(error)
      }
    },
  }
}

async function connected(create: Connect, options: ConnectionOptions): Promise<Connection> {
  const connection = await create(options)
  // What becomes of a connection is told by the next query on it.
  connection.on('error', () => undefined)
  // MySQL's own limit on questions; MariaDB has one for each user instead.
  await connection
    .query('SET SESSION max_execution_time = ?', [LONGEST_STATEMENT * 1000])
    .catch(() => undefined)
  await connection.query('SET SESSION sql_mode = ?, SESSION sql_select_limit = ?', [SQL_MODE, MOST_ROWS + 1])
  return connection
}

async function versionOf(admin: Connection) {
  const [rows] = await admin.query({ sql: 'SELECT VERSION()', rowsAsArray: true })
  const version = String((rows as unknown[][])[0]?.[0])
  const isMariaDb = /mariadb/i.test(version)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > 10 || (major === 10 && minor >= 10)
  return {
    isMariaDb,
    name: `${isMariaDb ? 'MariaDB' : 'MySQL'} ${/^[\d.]+/.exec(version)?.[0] ?? version}`,
    collation: isMariaDb && isNew ? COLLATION : null,
  }
}

/** Makes the tables and puts their rows in, each cell as text, as the benchmark does. */
async function fill(admin: Connection, database: string, tables: readonly SqlTable[]): Promise<void> {
  await admin.query("SET SESSION sql_mode = ''")
  for (const table of tables) {
    const place = `${quote(database)}.${quote(table.name)}`
    const columns = table.columns.map(({ name, type }) => `${quote(name)} ${type}`)
    await admin.query(`CREATE TABLE ${place} (${columns.join(', ')})`)
    if (table.rows.length === 0) continue
    const rows = table.rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))))
    await admin.query(`INSERT INTO ${place} VALUES ?`, [rows])
  }
}

async function openSession(
  connect: () => Promise<Connection>,
  getError: (error: unknown) => LoamError,
  tables: readonly SqlTable[],
  database: string,
  drop: () => Promise<void>,
): Promise<SqlSession> {
  let connection = await connect()
  let closurePromise: Promise<void> | null = null
  // The benchmark's databases are called as their first table is.
  const label = tables[0]?.name ?? database
  const run = async (sql: string): Promise<SqlResult> => {
    const [queryResult, fields] = await connection.query({
      sql,
      rowsAsArray: true,
      timeout: (LONGEST_STATEMENT + 5) * 1000,
    })
    const result = resultOf(queryResult, fields)
    if (result.kind !== 'rows') return result
    if (result.rows.length > MOST_ROWS) throw overBudget()
    const rename = (cell: SqlValue) => (typeof cell === 'string' ? cell.replaceAll(database, label) : cell)
    return { ...result, rows: result.rows.map((row) => row.map(rename)) }
  }
  const again = async (): Promise<void> => {
    const { threadId } = connection
    connection.destroy()
    connection = await connect().catch((error: unknown) => Promise.reject(getError(error)))
    // What was given up may still be worked on, and would keep the database from being dropped.
    await connection.query('KILL ?', [threadId]).catch(() => undefined)
  }
  return {
    async execute(sql) {
      try {
        return await run(sql)
      } catch (error) {
        if (isFatal(error)) await again()
        return { kind: 'error', message: wordsOf(error).replaceAll(database, label) }
      }
    },
    async rows(table) {
      const select = `SELECT * FROM ${quote(database)}.${quote(table)}`
      const [match] = await connection
        .query({ sql: `SET SESSION sql_select_limit = DEFAULT; ${select}`, rowsAsArray: true })
        .catch(async (error: unknown) => {
          if (isMissing(error)) return [[null, null]]
          await again()
          return connection.query({ sql: `SELECT 1; ${select}`, rowsAsArray: true })
        })
        .catch((error: unknown) => Promise.reject(getError(error)))
      return (match as [unknown, SqlValue[][] | null])[1]
    },
    close: () =>
      (closurePromise ??= (async () => {
        connection.destroy()
        await drop()
      })()),
  }
}

interface ServerError {
  readonly errno?: number
  readonly sqlState?: string
  readonly sqlMessage?: string
  readonly fatal?: boolean
  readonly code?: string
}

const isFatal = (error: unknown): boolean => {
  const { fatal, code } = error as ServerError
  return fatal === true || code === 'PROTOCOL_SEQUENCE_TIMEOUT'
}

/** 1146: the table is not there any more. */
const isMissing = (error: unknown): boolean => (error as ServerError).errno === 1146

/** An error as the agent is told of it: `1054 (42S22): Unknown column 'x' in 'field list'`. */
function wordsOf(error: unknown): string {
  const { errno, sqlState, sqlMessage, code } = error as ServerError
  if (code === 'PROTOCOL_SEQUENCE_TIMEOUT') return overBudget().message
  if (errno === undefined || sqlMessage === undefined) return (error as Error).message
  return `${errno} (${sqlState ?? 'HY000'}): ${sqlMessage}`
}

function refusal(address: ServerAddress, error: unknown): LoamError {
  if (error instanceof LoamError) return error
  const { errno } = error as ServerError
  const noRight = errno === 1044 || errno === 1142 || errno === 1227 || errno === 1410
  return new LoamError('TASK_SERVER', `${address.text}: ${wordsOf(error)}.`, {
    suggestion: noRight
      ? 'Give that user the right to create databases and users: GRANT ALL ON `loam\\_%`.* TO ... WITH GRANT OPTION; GRANT CREATE USER ON *.* TO ...'
      : errno === 1045
        ? `Keep its password: loam servers password ${address.text} --key-env NAME.`
        : 'See that the server runs, then go on.',
    retryable: true,
    underlying: error,
  })
}
