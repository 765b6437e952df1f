/** Rows as a Markdown table, the first one as its head. Cells lose line breaks, and pipes are escaped. */
export function markdownTable(rows: readonly (readonly unknown[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width === 0) return '(empty)'
  const line = (row: readonly unknown[]): string =>
    `| ${Array.from({ length: width }, (_, at) => cell(row[at])).join(' | ')} |`
  const [head = [], ...rest] = rows
  return [line(head), `|${' --- |'.repeat(width)}`, ...rest.map(line)].join('\n')
}

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : String(value)
        .split(/\r?\n/)
        .map((line, _, lines) => (lines.length === 1 ? line : line.trim()))
        .filter((line, _, lines) => lines.length === 1 || line !== '')
        .join(' ')
        .replaceAll('|', '\\|')

/** Text between fences that it does not contain itself. */
export function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
