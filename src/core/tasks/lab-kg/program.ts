/** What a variable stands for: how it came about, not what is in it. */
export type Program =
  | { readonly kind: 'neighbors'; readonly of: Program | string; readonly relation: string }
  | { readonly kind: 'and'; readonly left: Program; readonly right: Program }
  | { readonly kind: 'count'; readonly of: Program }
  | { readonly kind: 'argmax' | 'argmin'; readonly of: Program; readonly attribute: string }

/** The tool whose answer can only be the last one; null for a program that can go into further calls. */
export const lastTool = ({ kind }: Program): 'count' | 'argmax' | 'argmin' | null =>
  kind === 'neighbors' || kind === 'and' ? null : kind

/** The same text for the same program, as the benchmark writes it. */
export function writeProgram(program: Program | string): string {
  if (typeof program === 'string') return program
  switch (program.kind) {
    case 'neighbors':
      return `(JOIN (R ${program.relation}) ${writeProgram(program.of)})`
    case 'and':
      return `(AND ${writeProgram(program.left)} ${writeProgram(program.right)})`
    case 'count':
      return `(COUNT ${writeProgram(program.of)})`
    default:
      return `(${program.kind.toUpperCase()} ${writeProgram(program.of)} ${program.attribute})`
  }
}

/** What is in both of two programs; parts that come again are named once, or else an agent could double a program in every round. */
export function intersected(program: Program, right: Program): Program {
  const parts = new Map([...partsOf(program), ...partsOf(right)].map((part) => [writeProgram(part), part]))
  return [...parts.values()].reduce((all, part) => ({ kind: 'and', left: all, right: part }))
}

const partsOf = (program: Program): Program[] =>
  program.kind === 'and' ? [...partsOf(program.left), ...partsOf(program.right)] : [program]

/** Deepest nesting that is read. */
const MAX_DEPTH = 30

/** Reads an `s_expression`; null when it is none that the seven tools can make. */
export function readProgram(text: string): Program | null {
  const words = text.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const take = (word: string): boolean => words[at] === word && ++at > 0
  const name = (): string | null => {
    const word = words[at]
    if (word === undefined || word === '(' || word === ')') return null
    at++
    return word
  }
  const operand = (depth: number): Program | string | null => name() ?? program(depth + 1)
  const program = (depth: number): Program | null => {
    if (depth > MAX_DEPTH || !take('(')) return null
    const read = inside(depth)
    return read && take(')') ? read : null
  }
  const inside = (depth: number): Program | null => {
    const word = name()
    if (word === 'JOIN') {
      const relation = take('(') && take('R') ? name() : null
      const of = relation !== null && take(')') ? operand(depth) : null
      return relation !== null && of !== null ? { kind: 'neighbors', of, relation } : null
    }
    const first = program(depth + 1)
    if (first === null) return null
    if (word === 'COUNT') return { kind: 'count', of: first }
    if (word === 'AND') {
      const right = program(depth + 1)
      return right && { kind: 'and', left: first, right }
    }
    const kind = word === 'ARGMAX' ? 'argmax' : word === 'ARGMIN' ? 'argmin' : null
    const attribute = kind && name()
    return kind && attribute !== null ? { kind, of: first, attribute } : null
  }
  const read = program(0)
  return at === words.length ? read : null
}
