import type { LabKgEntry } from './entry'
import { EXPECTED_TYPE, type Edge } from './graph'
import { readProgram, writeProgram, type Program } from './program'
import { ATTRIBUTES, RELATIONS } from './relations'
import { typeIn, typesOf } from './types'
import { parseLabKgAction, splitArguments, variableIn } from './grammar'

/** Entities besides the right ones that each part of an intersection or comparison gets. */
const EXTRA = 2
/** Entities on the way to others at most. */
const BETWEEN = 3
/** Relations and attributes besides those that count, for each of the first entities of a set. */
const DISTRACTORS = 4
const DISTRACTED = 6

/** The program that an entry's own solution comes to; null when it has none that can be read. */
export const goldProgram = (entry: LabKgEntry): Program | null =>
  readProgram(entry.s_expression) ?? replayActions(entry.action_list)

/**
 * A small graph in which an entry's own solution comes to its published answer, made of nothing but the entry (`s_expression` or else `action_list`,
 * `answer_list`): entities that the published entry does not name are made up (`m.derived_7`), and so is what leads to nothing. Freebase itself is far
 * larger, so a grade on it is a grade on a derived graph. Null when the entry has no solution that can be read.
 */
export function deriveGraph(entry: LabKgEntry): readonly Edge[] | null {
  const program = goldProgram(entry)
  if (!program) return null
  const drawing = new Drawing(program)
  const count = program.kind === 'count' ? Number(entry.answer_list[0]) : NaN
  drawing.fill(program, Number.isInteger(count) ? drawing.fresh(count) : entry.answer_list)
  return drawing.edges()
}

class Drawing {
  readonly #edges = new Map<string, Edge>()
  readonly #used: ReadonlySet<string>
  readonly #types: ReadonlyMap<string, string>
  #made = 0

  constructor(program: Program) {
    this.#types = typesOf(program)
    const names = writeProgram(program).match(/[^\s()]+/g) ?? []
    this.#used = new Set(names)
    for (const [relation, type] of this.#types) this.#add(relation, EXPECTED_TYPE, type)
  }

  edges(): readonly Edge[] {
    return [...this.#edges.values()]
  }

  /** Entities that are nowhere yet. */
  fresh(count: number): string[] {
    return Array.from({ length: count }, () => `m.derived_${this.#made++}`)
  }

  /** Draws what makes a program come to exactly `wanted`. */
  fill(program: Program, targets: readonly string[]): void {
    switch (program.kind) {
      case 'neighbors':
        return this.#fillNeighbors(program, targets)
      case 'and':
        this.fill(program.left, [...targets, ...this.fresh(EXTRA)])
        this.fill(program.right, [...targets, ...this.fresh(EXTRA)])
        return
      case 'count':
        return this.fill(program.of, targets)
      default:
        return this.#fillExtreme(program.kind, program.of, program.attribute, targets)
    }
  }

  #fillNeighbors(
    { of, relation }: Extract<Program, { kind: 'neighbors' }>,
    targets: readonly string[],
  ): void {
    const starts = typeof of === 'string' ? [of] : this.fresh(Math.min(BETWEEN, Math.max(1, targets.length)))
    targets.forEach((entity, i) => this.#add(starts[i % starts.length] ?? '', relation, entity))
    this.#distract(starts, relation, RELATIONS, (start, other) =>
      this.#add(start, other, this.fresh(1)[0] ?? ''),
    )
    if (typeof of !== 'string') this.fill(of, [...starts, ...this.fresh(1)])
  }

  #fillExtreme(kind: 'argmax' | 'argmin', of: Program, attribute: string, targets: readonly string[]): void {
    const others = this.fresh(EXTRA)
    const sign = kind === 'argmax' ? 1 : -1
    for (const entity of targets) this.#add(entity, attribute, 50 + sign * 40)
    others.forEach((entity, i) => this.#add(entity, attribute, 50 + sign * i))
    // By another attribute others come first.
    const all = [...targets, ...others]
    this.#distract(all, attribute, ATTRIBUTES, (entity, other) =>
      this.#add(entity, other, 50 - sign * all.indexOf(entity)),
    )
    this.fill(of, all)
  }

  /** Names near one that counts, which lead away from the same entities. */
  #distract(
    entities: readonly string[],
    near: string,
    names: readonly string[],
    draw: (entity: string, name: string) => void,
  ): void {
    const [domain = ''] = near.split('.')
    const type = typeIn(near)
    const rank = (name: string) => (typeIn(name) === type ? 0 : name.startsWith(`${domain}.`) ? 1 : 2)
    const start = hash(near) % names.length
    const turned = [...names.slice(start), ...names.slice(0, start)].filter((name) => !this.#used.has(name))
    const choices = turned.sort((a, b) => rank(a) - rank(b)).slice(0, DISTRACTORS)
    for (const entity of entities.slice(0, DISTRACTED)) for (const name of choices) draw(entity, name)
  }

  #add(from: string, relation: string, to: string | number): void {
    this.#edges.set(JSON.stringify([from, relation, to]), { from, relation, to })
  }
}

/** FNV-1a, so that the same entry always gives the same graph. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0
  return value
}

/** What an entry's list of actions comes to, without a graph; null when it is no list of calls that make sense. */
function replayActions(actions: readonly string[]): Program | null {
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
