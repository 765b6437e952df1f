import { MySqlError } from './errors'

/** What a column's declaration says besides its type. */
export interface DeclaredColumn {
  readonly key: 'primary' | 'unique' | null
  readonly notNull: boolean
  readonly autoIncrement: boolean
  /** As SQL; null without one. */
  readonly fallback: string | null
  /** Characters that a text may have at most; null without a limit. */
  readonly length: number | null
}

/** Reads a declaration like `VARCHAR(20) NOT NULL DEFAULT 'x' UNIQUE`. */
export function declaredColumn(declaration: string): DeclaredColumn {
  const upper = declaration.toUpperCase()
  const key = upper.includes('PRIMARY KEY') ? 'primary' : /\bUNIQUE\b/.test(upper) ? 'unique' : null
  const length = /^\s*(?:VAR)?CHAR\s*\(\s*(\d{1,9})\s*\)/.exec(upper)?.[1]
  const fallback = /\bDEFAULT\s+('(?:[^']|'')*'|[+-]?\d+(?:\.\d+)?|NULL)/i.exec(declaration)?.[1]
  return {
    key,
    notNull: key === 'primary' || /\bNOT\s+NULL\b/.test(upper),
    autoIncrement: upper.includes('AUTO_INCREMENT'),
    fallback: fallback ?? null,
    length: length === undefined ? null : Number(length),
  }
}

/** SQLite's words for what a constraint refuses, in MySQL's; null for other failures. */
export function constraintError(
  message: string,
  about: {
    readonly isPrimary: (table: string, column: string) => boolean
    readonly stored: (column: string) => string
  },
): MySqlError | null {
  const [, table = '', column = ''] = /^UNIQUE constraint failed: ([^.]+)\.([^,]+)/.exec(message) ?? []
  if (column === '') return null
  const key = about.isPrimary(table, column) ? 'PRIMARY' : column
  return new MySqlError(1062, '23000', `Duplicate entry '${about.stored(column)}' for key '${table}.${key}'`)
}
