import Papa from 'papaparse'
import { markdownTable } from './markdown'

/** Comma, tab or semicolon separated values as a table. */
export function readTable(text: string): string {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: true })
  return markdownTable(data)
}
