import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Table } from '../../core/streams/tables'
import type { TableSource } from '../../shared/domain/own-tasks'
import { LoamError } from '../../shared/errors'
import type { FileBytes } from '../ground/isolate/foreign-rows'
import { bytesOfText, readBytes, readTableApart } from '../ground/isolate/foreign-rows'
import { refuseSpecialFile } from '../ground/plain-file'
import { walkFolder } from '../ground/walk-folder'

/** Files of a folder of tasks at most, and the longest text among them that becomes a cell. */
const MOST_FILES = 5000
const LONGEST_CELL = 256 * 1024

/** Rows, and where the files that they name lie. */
export interface OpenedTable {
  readonly table: Table
  /** The file as it lies; null for a folder. */
  readonly file: FileBytes | null
  /** Null for pasted text and files that were handed over. */
  readonly folder: string | null
}

const refuse = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

/** @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
export async function openTable(source: TableSource): Promise<OpenedTable> {
  if ('text' in source) return getTable(bytesOfText(source.text), null)
  if ('base64' in source)
    return getTable({ name: source.fileName, bytes: Buffer.from(source.base64, 'base64') }, null)
  const path = resolve(source.path)
  const stats = await stat(path).catch(() => null)
  if (stats === null)
    throw new LoamError('NOT_FOUND', `${path}: there is no such file or folder.`, {
      suggestion: 'Write its full path.',
    })
  if (stats.isDirectory()) return { table: await folderTable(path), file: null, folder: path }
  await refuseSpecialFile(path, 'BAD_INPUT')
  return getTable(await readBytes(path), dirname(path))
}

const getTable = async (file: FileBytes, folder: string | null): Promise<OpenedTable> => ({
  table: await readTableApart(file),
  file,
  folder,
})

/**
 * A folder as rows: files of one name are a row, and each ending is a column (`7.question.txt` and `7.answer.txt` give row 7 with the columns
 * `question.txt` and `answer.txt`). Texts are cells; of other files a cell has the name, and all of them stand in `files`.
 */
async function folderTable(folder: string): Promise<Table> {
  const { files, more } = await walkFolder(folder, MOST_FILES)
  const rows = new Map<string, Record<string, string>>()
  const columns = new Set(['name'])
  for (const { name, path, bytes } of files) {
    const dot =
      name.lastIndexOf('/') < name.indexOf('.', name.lastIndexOf('/') + 2)
        ? name.indexOf('.', name.lastIndexOf('/') + 2)
        : -1
    const slash = name.indexOf('/')
    // In a folder of folders each of these is a row, and its files are the columns.
    const stem = slash >= 0 ? name.slice(0, slash) : dot < 0 ? name : name.slice(0, dot)
    const column = slash >= 0 ? name.slice(slash + 1) : dot < 0 ? 'text' : name.slice(dot + 1)
    const row = rows.get(stem) ?? { name: stem }
    rows.set(stem, row)
    const content = bytes > LONGEST_CELL ? null : await readFile(path)
    if (content === null || content.includes(0)) {
      row[column] = name
      if (slash < 0) row['files'] = row['files'] === undefined ? name : `${row['files']};${name}`
      if (slash < 0) columns.add('files')
    } else row[column] = content.toString('utf8').trim()
    columns.add(column)
  }
  if (rows.size === 0)
    throw refuse(`${folder} holds no files.`, 'Name a folder with the files of your tasks.')
  const entries = [...rows.values()].map((value, i) => ({ place: { line: i + 1 }, value, problem: null }))
  const form = `a folder of ${files.length} files${more ? ` (more than ${MOST_FILES} are left out)` : ''}`
  return { columns: [...columns], entries, form }
}
