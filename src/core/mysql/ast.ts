/** MySQL statements as trees: what the parser reads and the emitter writes out for SQLite. */

export type Expr =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'column'; readonly table: string | null; readonly name: string }
  | { readonly kind: 'star'; readonly table: string | null }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '~' | 'NOT'; readonly operand: Expr }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expr; readonly right: Expr }
  | {
      readonly kind: 'like'
      readonly negated: boolean
      readonly operand: Expr
      readonly pattern: Expr
      readonly escape: Expr | null
    }
  | { readonly kind: 'regexp'; readonly negated: boolean; readonly operand: Expr; readonly pattern: Expr }
  | {
      readonly kind: 'in'
      readonly negated: boolean
      readonly operand: Expr
      readonly list: readonly Expr[] | Query
    }
  | {
      readonly kind: 'between'
      readonly negated: boolean
      readonly operand: Expr
      readonly low: Expr
      readonly high: Expr
    }
  | {
      readonly kind: 'is'
      readonly negated: boolean
      readonly operand: Expr
      readonly what: 'NULL' | 'TRUE' | 'FALSE'
    }
  | {
      readonly kind: 'case'
      readonly operand: Expr | null
      readonly branches: readonly { readonly when: Expr; readonly then: Expr }[]
      readonly otherwise: Expr | null
    }
  | Call
  | { readonly kind: 'cast'; readonly operand: Expr; readonly type: CastType; readonly scale: number }
  | { readonly kind: 'interval'; readonly amount: Expr; readonly unit: string }
  | { readonly kind: 'row'; readonly items: readonly Expr[] }
  | { readonly kind: 'subquery'; readonly query: Query }
  | { readonly kind: 'exists'; readonly query: Query }
  | {
      readonly kind: 'quantified'
      readonly operator: BinaryOperator
      readonly left: Expr
      readonly all: boolean
      readonly query: Query
    }

export type BinaryOperator =
  | 'OR'
  | 'XOR'
  | 'AND'
  | '='
  | '<=>'
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '|'
  | '&'
  | '^'
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*'
  | '/'
  | 'DIV'
  | '%'

export type CastType = 'int' | 'decimal' | 'double' | 'text' | 'date' | 'datetime' | 'time'

export interface Call {
  readonly kind: 'call'
  /** Upper case. */
  readonly name: string
  readonly args: readonly Expr[]
  readonly distinct: boolean
  /** GROUP_CONCAT only. */
  readonly orderBy: readonly OrderItem[]
  readonly separator: string | null
  readonly over: Window | null
}

export interface Window {
  readonly partitionBy: readonly Expr[]
  readonly orderBy: readonly OrderItem[]
  /** Frame clause as it stood, in upper case. */
  readonly frame: string
}

export interface OrderItem {
  readonly expr: Expr
  readonly descending: boolean
}

export interface Limit {
  readonly count: number
  readonly offset: number
}

export interface SelectItem {
  readonly expr: Expr
  readonly alias: string | null
  /** The item's source text: its column name when it has no alias. */
  readonly text: string
}

export interface Select {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly items: readonly SelectItem[]
  readonly from: TableRef | null
  readonly where: Expr | null
  readonly groupBy: readonly Expr[]
  /** WITH ROLLUP. */
  readonly rollup: boolean
  readonly having: Expr | null
}

export interface SetOperation {
  readonly kind: 'set'
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT'
  readonly all: boolean
  readonly left: QueryBody
  readonly right: QueryBody
}

export type QueryBody = Select | SetOperation | { readonly kind: 'nested'; readonly query: Query }

export interface Cte {
  readonly name: string
  readonly columns: readonly string[]
  readonly query: Query
}

export interface Query {
  readonly kind: 'query'
  readonly recursive: boolean
  readonly ctes: readonly Cte[]
  readonly body: QueryBody
  readonly orderBy: readonly OrderItem[]
  readonly limit: Limit | null
}

export type TableRef =
  | { readonly kind: 'table'; readonly name: string; readonly alias: string }
  | {
      readonly kind: 'derived'
      readonly query: Query
      readonly alias: string
      readonly columns: readonly string[]
    }
  | Join

export interface Join {
  readonly kind: 'join'
  readonly type: 'INNER' | 'LEFT' | 'RIGHT'
  readonly left: TableRef
  readonly right: TableRef
  readonly on: Expr | null
  /** Columns of USING; `natural`: those that both sides have. */
  readonly using: readonly string[] | 'natural'
}

export interface Assignment {
  readonly column: Extract<Expr, { kind: 'column' }>
  readonly value: Expr
}

/** What becomes of a row whose key is there already. */
export type OnDuplicate =
  | { readonly kind: 'refuse' | 'ignore' | 'replace' }
  | {
      readonly kind: 'update'
      readonly set: readonly Assignment[]
      /** What the new row goes by in `set`, and its columns where they have names of their own. */
      readonly alias: string | null
      readonly names: readonly string[]
    }

/** Which rows are written; a statement over several tables has neither order nor limit. */
export interface RowChoice {
  readonly where: Expr | null
  readonly orderBy: readonly OrderItem[]
  readonly limit: Limit | null
}

export type Statement =
  | { readonly kind: 'select'; readonly query: Query }
  | {
      readonly kind: 'insert'
      readonly table: string
      readonly columns: readonly string[] | null
      readonly source:
        | { readonly kind: 'values'; readonly rows: readonly (readonly (Expr | 'DEFAULT')[])[] }
        | { readonly kind: 'query'; readonly query: Query }
      readonly onDuplicate: OnDuplicate
    }
  | ({
      readonly kind: 'update'
      readonly target: TableRef
      readonly set: readonly Assignment[]
    } & RowChoice)
  | ({
      readonly kind: 'delete'
      /** Which of `from` to delete from, for the multi-table form; null for the plain one. */
      readonly target: string | null
      readonly from: TableRef
    } & RowChoice)
  | { readonly kind: 'describe'; readonly table: string }
  | { readonly kind: 'show-tables' }
  | { readonly kind: 'truncate'; readonly table: string }
  /** Accepted and without effect here: transactions, SET, USE. */
  | { readonly kind: 'nothing' }
