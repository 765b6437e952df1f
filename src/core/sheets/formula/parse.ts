import { CellError, type CellRange, type Scalar } from '../cells'
import { tokenize, type Band, type Token } from './tokens'

export type Node =
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'area'; readonly sheet: string | null; readonly range: CellRange }
  | { readonly kind: 'band'; readonly band: Band }
  | { readonly kind: 'array'; readonly rows: readonly (readonly Node[])[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly (Node | null)[] }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'negative'; readonly of: Node }
  | { readonly kind: 'percent'; readonly of: Node }

/** A formula that is not computed here: a function, a name or a form that is not known. */
export class Unsupported extends Error {}

/** From weak to strong; `^` and `%` stand apart. */
const LEVELS: readonly (readonly string[])[] = [
  ['=', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
]

/** Reads a formula without its `=`. @throws Unsupported when it has another form */
export function parseFormula(formula: string): Node {
  const tokens = tokenize(formula)?.filter(({ kind }) => kind !== 'space')
  if (!tokens) throw new Unsupported(formula)
  let at = 0
  const next = (): string | undefined => {
    const token = tokens[at]
    return token?.kind === 'operator' ? token.text : undefined
  }
  const expect = (text: string): void => {
    if (next() !== text) throw new Unsupported(formula)
    at++
  }

  const binary = (level: number): Node => {
    const operators = LEVELS[level]
    if (!operators) return unary()
    let leftNode = binary(level + 1)
    for (let operator = next(); operator !== undefined && operators.includes(operator); operator = next()) {
      at++
      leftNode = { kind: 'binary', operator, left: leftNode, right: binary(level + 1) }
    }
    return leftNode
  }

  const unary = (): Node => {
    if (next() === '-') {
      at++
      return { kind: 'negative', of: unary() }
    }
    if (next() === '+') {
      at++
      return unary()
    }
    let node = primary()
    while (next() === '%') {
      at++
      node = { kind: 'percent', of: node }
    }
    return node
  }

  const primary = (): Node => {
    const token = tokens[at++]
    if (!token) throw new Unsupported(formula)
    switch (token.kind) {
      case 'number':
      case 'text':
        return { kind: 'value', value: token.value }
      case 'error':
        return { kind: 'value', value: new CellError(token.text as CellError['text']) }
      case 'band':
        return { kind: 'band', band: token.value }
      case 'reference':
        return area(token)
      case 'name':
        return getNode(token.text.toUpperCase())
      case 'operator':
        return token.text === '(' ? grouped() : token.text === '{' ? array() : unsupported()
      case 'space':
        return unsupported()
    }
  }

  const unsupported = (): never => {
    throw new Unsupported(formula)
  }

  const grouped = (): Node => {
    const node = binary(0)
    expect(')')
    return node
  }

  const area = (first: Extract<Token, { kind: 'reference' }>): Node => {
    const { sheet, at: from } = first.value
    if (next() !== ':') return { kind: 'area', sheet, range: { from, to: from } }
    at++
    const second = tokens[at++]
    if (second?.kind !== 'reference') return unsupported()
    const to = second.value.at
    return {
      kind: 'area',
      sheet,
      range: {
        from: { row: Math.min(from.row, to.row), column: Math.min(from.column, to.column) },
        to: { row: Math.max(from.row, to.row), column: Math.max(from.column, to.column) },
      },
    }
  }

  const getNode = (name: string): Node => {
    if (next() !== '(') {
      if (name === 'TRUE' || name === 'FALSE') return { kind: 'value', value: name === 'TRUE' }
      return unsupported()
    }
    at++
    const args: (Node | null)[] = []
    while (next() !== ')') {
      args.push(next() === ',' ? null : binary(0))
      if (next() !== ',') break
      at++
      if (next() === ')') args.push(null)
    }
    expect(')')
    return { kind: 'call', name: name.replace(/^_XLFN\./, ''), args }
  }

  const array = (): Node => {
    const rows: Node[][] = [[]]
    while (next() !== '}') {
      rows.at(-1)?.push(unary())
      if (next() === ';') rows.push([])
      if (next() === ',' || next() === ';') at++
      else break
    }
    expect('}')
    return { kind: 'array', rows }
  }

  const node = binary(0)
  if (at < tokens.length) throw new Unsupported(formula)
  return node
}
