import { loadLanceDb } from './load-lancedb'

/** What is wrong with the tables of an index folder, read row by row; null when nothing is. */
export async function tableProblem(folder: string): Promise<string | null> {
  const { lancedb } = await loadLanceDb()
  try {
    const database = await lancedb.connect(folder)
    try {
      for (const name of await database.tableNames()) {
        const table = await database.openTable(name)
        for await (const _batch of table.query()) {
          // Reading is the check.
        }
        table.close()
      }
    } finally {
      database.close()
    }
    return null
  } catch {
    return 'Its table cannot be read.'
  }
}
