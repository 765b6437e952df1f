import { z } from 'zod'
import { readNested } from '../../ground/nested'
import type { SqlTable } from '../../ground/ports'

/** A table's export writes inner objects as text. */
const nested = <T extends z.ZodType>(schema: T) => z.preprocess(readNested, schema)

/** The first name that occurs again; names differ by more than case. */
function firstRepeated(names: readonly string[]): string | null {
  const seenSet = new Set<string>()
  for (const name of names) {
    if (seenSet.has(name.toLowerCase())) return name
    seenSet.add(name.toLowerCase())
  }
  return null
}

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** A table with its rows, as LifelongAgentBench writes it; each row has one cell per column. */
const tableInfoSchema = z
  .object({
    name: z.string().min(1),
    column_info_list: z.array(z.object({ name: z.string().min(1), type: z.string().min(1) })).min(1),
    row_list: z.array(z.array(cellSchema)),
  })
  .superRefine((table, context) => {
    const twice = firstRepeated(table.column_info_list.map((column) => column.name))
    if (twice !== null) {
      context.addIssue({
        code: 'custom',
        path: ['column_info_list'],
        message: `has the column ${twice} twice`,
      })
    }
    const width = table.column_info_list.length
    const wrong = table.row_list.findIndex((row) => row.length !== width)
    if (wrong >= 0) {
      context.addIssue({
        code: 'custom',
        path: ['row_list', wrong],
        message: `has ${table.row_list[wrong]?.length} cells for ${width} columns`,
      })
    }
  })
export type TableInfo = z.infer<typeof tableInfoSchema>

/**
 * One entry of db_bench.json. `direct` holds a SELECT's gold rows, `md5` the fingerprint of the table after a
 * modification; when both are missing the gold SQL is replayed instead. Ours besides the benchmark's: `extra_tables`
 * (further tables of the same database, such as code books), `id` and `world`.
 */
export const labDbEntrySchema = z
  .object({
    instruction: z.string().min(1),
    answer_info: nested(
      z.object({
        sql: z.string().min(1),
        md5: z.string().nullish(),
        direct: z.array(z.array(cellSchema)).nullish(),
      }),
    ),
    table_info: nested(tableInfoSchema),
    skill_list: nested(z.array(z.string()).default([])),
    sample_index: z.union([z.number().int(), z.string()]).optional(),
    extra_tables: z.array(tableInfoSchema).default([]),
    id: z.string().min(1).optional(),
    world: z.string().optional(),
  })
  .superRefine((entry, context) => {
    const twice = firstRepeated([entry.table_info, ...entry.extra_tables].map((table) => table.name))
    if (twice !== null) {
      context.addIssue({ code: 'custom', path: ['extra_tables'], message: `has the table ${twice} twice` })
    }
  })
export type LabDbEntry = z.infer<typeof labDbEntrySchema>

const pythonText = (cell: boolean | null): string => (cell === null ? 'None' : cell ? 'True' : 'False')

/** The table as the engine takes it. The benchmark inserts every cell as `'%s'`, so null and booleans become Python's words. */
const toSqlTable = (table: TableInfo): SqlTable => ({
  name: table.name,
  columns: table.column_info_list,
  rows: table.row_list.map((row) =>
    row.map((cell) => (typeof cell === 'boolean' || cell === null ? pythonText(cell) : cell)),
  ),
})

/** All tables of an entry, the one that modifications are graded on first. */
export const entryTables = (entry: LabDbEntry): readonly SqlTable[] =>
  [entry.table_info, ...entry.extra_tables].map(toSqlTable)
