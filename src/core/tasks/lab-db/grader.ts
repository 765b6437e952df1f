import type { SqlEngine, SqlResult, SqlSession, SqlValue } from '../../ground/ports'
import { ANSWER_TOLERANCE, matchesGold, type GoldRows, type GoldValue } from './answer'
import { entryTables, type LabDbEntry } from './entry'
import { md5 } from '../../mysql/md5'

/** Whether the gold SQL asks (graded on the answer) or modifies (graded on the table). */
export const isQuestion = (entry: LabDbEntry): boolean => /^\s*(select|with)\b/i.test(entry.answer_info.sql)

/** A result's rows as gold values: decimals as numbers, dates as their text. */
export function toGoldRows(result: SqlResult): GoldRows {
  if (result.kind !== 'rows') return []
  return result.rows.map((row) =>
    row.map((value, i) =>
      value instanceof Uint8Array
        ? String.fromCharCode(...value)
        : value !== null && result.types[i] === 'decimal'
          ? Number(value)
          : value,
    ),
  )
}

/** Replays the gold SQL on a fresh database. */
export async function replayGold(
  engine: SqlEngine,
  entry: LabDbEntry,
): Promise<{ readonly result: SqlResult; readonly hash: string | null }> {
  const session = await engine.open(entryTables(entry))
  try {
    const result = await session.execute(entry.answer_info.sql)
    return { result, hash: await hashOf(session, entry) }
  } finally {
    await session.close()
  }
}

/** The fingerprint of the table that counts; null when it is not there any more. */
async function hashOf(session: SqlSession, entry: LabDbEntry): Promise<string | null> {
  const rows = await session.rows(entry.table_info.name)
  return rows && tableHash(rows)
}

/** Rows equal, numbers within the answers' tolerance; in `any order`, each of them once. */
export function sameRows(ours: GoldRows, gold: GoldRows, order: 'in order' | 'any order'): boolean {
  if (ours.length !== gold.length) return false
  if (order === 'in order') return ours.every((row, r) => sameRow(row, gold[r] ?? []))
  const groupedRest = [...gold]
  return ours.every((row) => {
    const index = groupedRest.findIndex((other) => sameRow(row, other))
    if (index >= 0) groupedRest.splice(index, 1)
    return index >= 0
  })
}

const sameRow = (row: readonly GoldValue[], other: readonly GoldValue[]): boolean =>
  row.length === other.length && row.every((value, i) => sameValue(value, other[i] ?? null))

function sameValue(ours: GoldValue, gold: GoldValue): boolean {
  if (typeof ours !== 'number' || typeof gold !== 'number') return ours === gold
  return Math.abs(ours - gold) <= ANSWER_TOLERANCE * Math.max(1, Math.abs(ours), Math.abs(gold))
}

/**
 * Grades an attempt in `session`: 1 when the answer states the gold rows, or the table is as the gold SQL leaves it. On an engine that keeps another
 * order than MySQL 8, the gold rows in its own order are right too, as long as they are the published ones.
 */
export function createGrader(
  engine: SqlEngine,
  entry: LabDbEntry,
  session: SqlSession,
): (answer: string) => Promise<0 | 1> {
  const { direct, md5 } = entry.answer_info
  if (isQuestion(entry)) {
    return async (answer) => {
      if (direct && matchesGold(answer, direct)) return 1
      if (direct && engine.keepsOrder) return 0
      const replayed = toGoldRows((await replayGold(engine, entry)).result)
      const isGold = !direct || sameRows(replayed, direct, 'any order')
      return isGold && matchesGold(answer, replayed) ? 1 : 0
    }
  }
  return async () => {
    const hash = await hashOf(session, entry)
    return hash !== null && hash === (md5 ?? (await replayGold(engine, entry)).hash) ? 1 : 0
  }
}

/** MySQL's default `group_concat_max_len`: beyond it the list of row hashes is cut. */
const GROUP_CONCAT_MAX_LENGTH = 1024

/**
 * The benchmark's fingerprint of a table: each row's cells joined by commas (NULLs left out), MD5, first five digits; these
 * sorted, joined by commas, cut at 1,024 characters, and MD5 again. `None` for a table without rows.
 */
export function tableHash(rows: readonly (readonly SqlValue[])[]): string {
  if (rows.length === 0) return 'None'
  const hashes = rows.map((row) =>
    md5(
      row
        .filter((cell) => cell !== null)
        .map(String)
        .join(','),
    ).slice(0, 5),
  )
  return md5(hashes.sort().join(',').slice(0, GROUP_CONCAT_MAX_LENGTH))
}
