import type { Cte } from './ast'
import type { EmittedQuery } from './emit-expression'

export interface Catalog {
  readonly database: string
  readonly tables: ReadonlyMap<
    string,
    { readonly name: string; readonly columns: readonly { readonly name: string; readonly type: string }[] }
  >
}

/** A common table expression in reach: its query, or the columns of the recursive one being built. */
export type Named =
  | { readonly kind: 'query'; readonly cte: Cte; readonly environment: QueryEnvironment }
  | { readonly kind: 'recursive'; readonly sqlName: string; readonly columns: EmittedQuery['columns'] }

export interface QueryEnvironment {
  readonly catalog: Catalog
  readonly ctes: ReadonlyMap<string, Named>
  /** Numbers SQLite's table names within one statement. */
  readonly counter: { next: number }
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
