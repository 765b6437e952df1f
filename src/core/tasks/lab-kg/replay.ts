import { parseLabKgAction, splitArguments, variableIn } from './grammar'
import type { Program } from './program'

/** What an entry's list of actions comes to, without a graph; null when it is no list of calls that make sense. */
export function replayActions(actions: readonly string[]): Program | null {
  const variables: Program[] = []
  const start = (argument: string): Program | string | null => {
    const index = variableIn(argument)
    if (index === null) return argument
    return typeof index === 'number' ? (variables[index] ?? null) : null
  }
  const set = (argument: string): Program | null => {
    const operand = start(argument)
    return typeof operand === 'string' ? null : operand
  }
  for (const action of actions) {
    const call = parseLabKgAction(`Action: ${action}`)
    if (call.kind !== 'call') return null
    if (call.name === 'get_relations' || call.name === 'get_attributes') continue
    const program = programOf(call.name, splitArguments(call.text, []), start, set)
    if (!program) return null
    variables.push(program)
  }
  return variables.at(-1) ?? null
}

function programOf(
  name: string,
  [one = '', other = '']: readonly string[],
  start: (argument: string) => Program | string | null,
  set: (argument: string) => Program | null,
): Program | null {
  if (name === 'get_neighbors') {
    const of = start(one)
    return of === null ? null : { kind: 'neighbors', of, relation: other }
  }
  const first = set(one)
  if (!first) return null
  if (name === 'count') return { kind: 'count', of: first }
  if (name === 'argmax' || name === 'argmin') return { kind: name, of: first, attribute: other }
  const right = name === 'intersection' ? set(other) : null
  return right && { kind: 'and', left: first, right }
}
