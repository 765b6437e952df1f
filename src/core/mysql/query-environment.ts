import type { Cte, Query, QueryBody } from './ast'
import type { EmittedQuery } from './emitted'
import type { Scope } from './scope'

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
  /** Writes queries within queries: tables of FROM that are queries themselves. */
  readonly queries: QueryWriter
}

/** How a query, or one side of a UNION, is written for SQLite. */
export interface QueryWriter {
  query(query: Query, environment: QueryEnvironment, parent: Scope | null): EmittedQuery
  body(body: QueryBody, environment: QueryEnvironment, parent: Scope | null): EmittedQuery
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
