import { read, utils } from '@e965/xlsx'
import { markdownTable } from './markdown'

/** Most rows of a sheet that are shown. */
const MOST_ROWS = 10_000

/** Every sheet of a workbook as a table, with the values as the sheet shows them. */
export function readSheets(bytes: Uint8Array): string {
  const book = read(bytes, { type: 'array', dense: true, cellFormula: false, sheetRows: MOST_ROWS + 1 })
  return book.SheetNames.map((name) => {
    const sheet = book.Sheets[name]
    const rows = sheet
      ? utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: false, blankrows: false })
      : []
    const label = markdownTable(rows.slice(0, MOST_ROWS))
    const rest = rows.length > MOST_ROWS ? `\n\n(only the first ${MOST_ROWS} rows are shown)` : ''
    return `## Sheet: ${name}\n\n${label}${rest}`
  }).join('\n\n')
}
