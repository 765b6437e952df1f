import { Template } from '@huggingface/jinja'

/** A node of a parsed template, as far as it is looked at here. */
interface Node {
  type: string
  value?: unknown
  [part: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Calls `visit` for every node, parents first, with where it stands. */
function walk(value: unknown, visit: (node: Node, replace: (other: Node) => void) => void): void {
  if (value instanceof Map) {
    for (const [key, inner] of value) {
      walk(key, visit)
      walk(inner, visit)
    }
    return
  }
  if (typeof value !== 'object' || value === null) return
  const holder = value as Record<string, unknown>
  for (const [part, inner] of Object.entries(holder)) {
    if (isNode(inner)) visit(inner, (other) => (holder[part] = other))
    walk(holder[part], visit)
  }
}

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node.value) : null

/** Tables with numbers for keys, by the variable they are put into. */
function numberedTables(program: unknown): Map<string, [Node, Node][]> {
  const tables = new Map<string, [Node, Node][]>()
  walk(program, (node) => {
    const name = node.type === 'Set' ? nameOf(node['assignee']) : null
    const table = node['value']
    if (name === null || !isNode(table) || table.type !== 'ObjectLiteral') return
    const entries = [...(table.value as Map<Node, Node>)]
    if (entries.length === 0 || entries.some(([key]) => key.type !== 'IntegerLiteral')) return
    tables.set(name, entries)
    table.value = new Map()
  })
  return tables
}

/**
 * Parses a Jinja template and writes what the interpreter does not know in words it does: tuples to loop over (Functionary) become lists,
 * and tables with numbers for keys (Seed-OSS) are looked up here, where they are constant. Throws what a template that does not parse
 * fails with.
 */
export function readTemplate(source: string): Template {
  // The library's own clock cannot be overridden, only passed by.
  const template = new Template(source.replaceAll('strftime_now', 'fixed_date'))
  const program: unknown = template.parsed
  const tables = numberedTables(program)
  walk(program, (node, replace) => {
    if (node.type === 'For')
      walk(node['iterable'], (inner) => void (inner.type === 'TupleLiteral' && (inner.type = 'ArrayLiteral')))
    if (node.type === 'FilterExpression' && nameOf(node['filter']) === 'dictsort') {
      const pairs = tables.get(nameOf(node['operand']) ?? '')
      if (!pairs) return
      const groupedNodes = [...pairs].sort(([a], [b]) => Number(a.value) - Number(b.value))
      replace({
        type: 'ArrayLiteral',
        value: groupedNodes.map((pair) => ({ type: 'ArrayLiteral', value: pair })),
      })
    }
    if (node.type === 'MemberExpression' && isNode(node['property'])) {
      const pairs = tables.get(nameOf(node['object']) ?? '')
      const key = node['property'].value
      const foundNode = pairs?.find(([one]) => one.value === key)?.[1]
      if (foundNode) replace(foundNode)
    }
  })
  return template
}
