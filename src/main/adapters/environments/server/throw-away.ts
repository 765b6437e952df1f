import { randomBytes } from 'node:crypto'
import type { Connection } from 'mysql2/promise'

/** What names of throw-away databases begin with. */
const PREFIX = 'loam_'

/** Seconds that a statement may take. */
export const LONGEST_STATEMENT = 10

/** A database of one attempt, and the user that sees nothing else. */
export interface ThrowAway {
  /** Of the database and of its user. */
  readonly name: string
  readonly password: string
}

/** What a task may do in its own database. */
const RIGHTS =
  'SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, CREATE VIEW, SHOW VIEW, TRIGGER'

/**
 * Makes and drops throw-away databases over one connection, which holds a lock under the name that they all begin with: databases whose lock is
 * free were left behind by a process that is gone, and are dropped by the next one.
 */
export class ThrowAways {
  readonly #own = `${PREFIX}${randomBytes(6).toString('hex')}`
  #made = 0
  #host = '%'

  /** @param admin may create databases and users; MariaDB has limits of its own on time */
  constructor(
    private readonly admin: Connection,
    private readonly isMariaDb: boolean,
    private readonly collation: string | null,
  ) {}

  /** Takes the lock and drops what others left behind. */
  async begin(): Promise<void> {
    await this.admin.query('SELECT GET_LOCK(?, 0)', [this.#own])
    const [who] = (await this.#texts('SELECT USER()')) as [string]
    this.#host = who.slice(who.lastIndexOf('@') + 1)
    for (const name of await this.#texts(`SHOW DATABASES LIKE '${PREFIX.replace('_', '\\_')}%'`)) {
      const lock = /^(loam_[0-9a-f]{12})_\d+$/.exec(name)?.[1]
      if (lock === undefined) continue
      const [isFree] = await this.#texts('SELECT IS_FREE_LOCK(?)', [lock])
      if (String(isFree) === '1') await this.drop(name)
    }
  }

  async make(): Promise<ThrowAway> {
    const product = {
      name: `${this.#own}_${this.#made++}`,
      password: `Aa1.${randomBytes(18).toString('hex')}`,
    }
    const { name, password } = product
    const collate = this.collation === null ? '' : ` CHARACTER SET utf8mb4 COLLATE ${this.collation}`
    await this.admin.query(`CREATE DATABASE ${quote(name)}${collate}`)
    try {
      const limits = this.isMariaDb ? ` WITH MAX_STATEMENT_TIME ${LONGEST_STATEMENT}` : ''
      await this.admin.query(`CREATE USER ${this.#user(name)} IDENTIFIED BY '${password}'${limits}`)
      // In this place alone _ stands for any character.
      const only = quote(name.replaceAll('_', '\\_'))
      await this.admin.query(`GRANT ${RIGHTS} ON ${only}.* TO ${this.#user(name)}`)
    } catch (error) {
      await this.drop(name).catch(() => undefined)
      throw error
    }
    return product
  }

  /** The user first: as long as the database is there, both are found again. */
  async drop(name: string): Promise<void> {
    await this.admin.query(`DROP USER IF EXISTS ${this.#user(name)}`)
    await this.admin.query(`DROP DATABASE IF EXISTS ${quote(name)}`)
  }

  #user(name: string): string {
    return `'${name}'@'${this.#host.replaceAll("'", '')}'`
  }

  async #texts(sql: string, values: string[] = []): Promise<string[]> {
    const [rows] = await this.admin.query({ sql, rowsAsArray: true }, values)
    return (rows as unknown[][]).map((row) => String(row[0]))
  }
}

/** A name in backticks. */
export const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``
