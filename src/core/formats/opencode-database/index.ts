import { nestsTooDeep } from '../../ground/json-check'
import { UNRECOGNISED } from '../../ground/recognition'
import type { Found, ForeignDatabase } from '../../memory/experiences/import/log'
import { foundInSession, opencode } from '../../memory/experiences/import/opencode'
import type { Format } from '../format'

const TABLES = ['session', 'message', 'part']
/** How a database of SQLite begins. */
const SQLITE = 'SQLite format 3\u0000'

/** What a column of JSON holds. @throws Error, in words */
function valueOf(column: unknown): unknown {
  if (typeof column !== 'string') throw new Error('it has a row without JSON')
  if (nestsTooDeep(column)) throw new Error('it nests too deep')
  return JSON.parse(column)
}

/** A session as `opencode export` writes it. */
function sessionOf({ rows }: ForeignDatabase, { id, version, parent_id }: Record<string, unknown>): unknown {
  const ofSession = 'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id'
  const messages = [...rows(ofSession, [String(id)])].map((message) => ({
    info: valueOf(message['data']),
    parts: [...rows('SELECT data FROM part WHERE message_id = ? ORDER BY id', [String(message['id'])])].map(
      ({ data }) => valueOf(data),
    ),
  }))
  return { info: { id, version, parentID: parent_id ?? undefined }, messages }
}

function* foundIn(database: ForeignDatabase): Generator<Found> {
  const whole = { line: 1 }
  const { tables, rows } = database
  if (!TABLES.every((name) => tables.includes(name))) {
    const names = tables.length === 0 ? 'no tables' : `the tables ${tables.slice(0, 8).join(', ')}`
    yield {
      kind: 'left',
      place: whole,
      why: `it is a database with ${names}, and none of opencode's sessions`,
    }
    return
  }
  const sessions = [...rows('SELECT id, version, parent_id FROM session ORDER BY time_created, id')]
  for (const [i, session] of sessions.entries()) {
    const place = { line: 1, entry: i + 1 }
    try {
      yield* foundInSession(place, sessionOf(database, session))
    } catch (error) {
      yield { kind: 'left', place, why: (error as Error).message }
    }
  }
}

/** Whether a file is called as opencode calls its database: `opencode.db`, `opencode-dev.db`. */
const isNamed = (path: string): boolean =>
  (path.split(/[\\/]/).at(-1) ?? '').startsWith('opencode') && path.endsWith('.db')

/** opencode's own database, one experience per request of each session. */
export const opencodeDatabase: Format = {
  id: 'opencode-database',
  title: 'opencode database (.db)',
  writtenFor: 'opencode 1.2 and later, opencode.db',
  keeps: opencode.keeps,
  loses: opencode.loses,
  recognise: (head, name) =>
    head.startsWith(SQLITE) && (isNamed(name) || (/message_id/.test(head) && /session_id/.test(head)))
      ? { confidence: 0.9, seen: 'a database of SQLite' }
      : UNRECOGNISED,
  beside: '-wal',
  async *readBytes(bytes, { openDatabase, beside = null }) {
    const place = { line: 1 }
    if (!openDatabase) {
      yield { kind: 'left', place, why: 'databases are not read here' }
      return
    }
    let database: ForeignDatabase | null = null
    try {
      database = await openDatabase(bytes, beside)
      yield* foundIn(database)
    } catch (error) {
      yield { kind: 'left', place, why: `it is a database that cannot be read: ${(error as Error).message}` }
    } finally {
      database?.close()
    }
  },
}
