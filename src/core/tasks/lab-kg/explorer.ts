import { reprTexts } from '../../ground/python-text'
import { TOOLS, arity } from './actions'
import type { Graph } from './graph'
import { splitArguments, variableIn } from './grammar'
import { intersected, lastTool, writeProgram, type Program } from './program'
import { edgesQuery, typeQuery, valuesQuery } from './sparql'

/** A variable of an attempt. */
interface Variable {
  /** The type that its relations lead to. */
  readonly type: string
  readonly program: Program
}

type Operand = Variable | string

/** What a call came to: what the agent is told, in the benchmark's words. */
export interface Told {
  readonly text: string
  readonly failed: boolean
}

/** Why a call was refused; arguments stand in it as `<<ARGUMENT0>>`, as they were written later on. */
class Refused extends Error {}

/** What leads away from it is known by its program's text, or by an entity's id. */
const keyOf = (operand: Operand): string =>
  typeof operand === 'string' ? operand : writeProgram(operand.program)
const startOf = (operand: Operand): Program | string =>
  typeof operand === 'string' ? operand : operand.program

/** An id of Freebase. */
const ENTITY = /^[gm]\.\w+$/

const UNKNOWN_TYPE = 'type.object'

/** An attempt's variables and its calls of the benchmark's seven tools on a graph. */
export class Explorer {
  readonly #variables: Variable[] = []
  readonly #relations = new Map<string, readonly string[]>()
  readonly #attributes = new Map<string, readonly string[]>()

  /** @param entities ids by the names that the agent knows */
  constructor(
    private readonly graph: Graph,
    private readonly entities: Readonly<Record<string, string>>,
  ) {}

  /** Number of the newest variable; -1 when there is none. */
  get newest(): number {
    return this.#variables.length - 1
  }

  /** Makes a call, its arguments as they are written. @throws LoamError when the graph does not answer */
  async call(name: string, text: string): Promise<Told> {
    const getFailure = (why: string): Told => ({ text: why, failed: true })
    const tool = TOOLS.find((toolInfo) => toolInfo.name === name)
    if (!tool)
      return getFailure(
        `Unknown API name: ${name}. Available API name list: ${reprTexts(TOOLS.map((toolInfo) => toolInfo.name))}`,
      )
    const inputs = splitArguments(text, Object.keys(this.entities))
    const operands: Operand[] = []
    for (const argument of inputs) {
      const operand = this.#operand(argument)
      if ('why' in operand) return getFailure(operand.why)
      operands.push(operand.operand)
    }
    const wantedCount = arity(tool)
    if (wantedCount !== inputs.length) {
      const count = (number: number) => `${number} argument${number > 1 ? 's' : ''}`
      const are = inputs.length > 1 ? 'are' : 'is'
      return getFailure(
        `API ${name} requires ${count(wantedCount)}, but ${count(inputs.length)} ${are} provided.`,
      )
    }
    const output = `${name}(${text})`
    try {
      const observation = await this.#run(name, operands)
      return { text: `\`${output}\` executes successfully. Observation: ${observation}`, failed: false }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const why = inputs.reduce(
        (words, argument, i) => words.replaceAll(`<<ARGUMENT${i}>>`, () => argument),
        error.message,
      )
      return getFailure(`Error in executing '${output}'. Error: ${why}`)
    }
  }

  /** What is in a variable, for the answer; or why there is no such variable. @throws LoamError when the graph does not answer */
  async values(index: number): Promise<{ readonly values: readonly string[] } | { readonly why: string }> {
    const variable = this.#variables[index]
    if (!variable) return { why: this.#noVariable(index) }
    const values = await this.graph.select(valuesQuery(variable.program))
    return { values: values.map((value) => value.replaceAll('-08:00', '')).sort() }
  }

  #operand(argument: string): { readonly operand: Operand } | { readonly why: string } {
    if (Object.hasOwn(this.entities, argument)) return { operand: this.entities[argument] ?? argument }
    const index = variableIn(argument)
    if (index === null) return { operand: argument }
    if (index === 'unreadable')
      return { why: `Cannot extract the variable index from the following API argument: ${argument}` }
    const variable = this.#variables[index]
    return variable ? { operand: variable } : { why: this.#noVariable(index) }
  }

  #noVariable(index: number): string {
    const none = `Variable #${index} is not found in variable list. `
    if (this.#variables.length > 0)
      return `${none}Current variable list: [${this.#variables.map((_, i) => `#${i}`).join(', ')}].`
    return (
      `${none}The variable list is empty. You can use the following process to create the first variable: ` +
      'Use get_relations(var: Variable | str) to retrieve the relations connected to the input str or Variable, ' +
      'then use get_neighbors(var: Variable | str, relation: str) to retrieve the entities connected via the specified relation. '
    )
  }

  async #run(name: string, operands: readonly Operand[]): Promise<string> {
    const [first = '', second = ''] = operands
    switch (name) {
      case 'get_relations':
        return this.#getRelations(first)
      case 'get_neighbors':
        return this.#getNeighbors(first, second)
      case 'intersection':
        return this.#intersection(first, second)
      case 'get_attributes':
        return this.#getAttributes(first)
      case 'count': {
        const [variable] = this.#variablesOf(name, [first])
        const madeCount = this.#add('type.int', { kind: 'count', of: variable.program })
        return `Variable #${madeCount}, which is a number`
      }
      default:
        return this.#extreme(name === 'argmax' ? 'argmax' : 'argmin', first, second)
    }
  }

  async #getRelations(operand: Operand): Promise<string> {
    this.#requireStart('get_relations', operand, 'The argument')
    const relations = await this.#edges(operand, 'relations')
    this.#relations.set(keyOf(operand), relations)
    return `[${relations.join(', ')}]`
  }

  async #getNeighbors(operand: Operand, relation: Operand): Promise<string> {
    this.#requireStart('get_neighbors', operand, 'The first argument')
    const relations = this.#relations.get(keyOf(operand))
    if (!relations)
      throw new Refused(
        'get_neighbors: Execute get_relations for <<ARGUMENT0>> before executing get_neighbors',
      )
    if (typeof relation !== 'string' || !relations.includes(relation))
      throw new Refused(
        'get_neighbors: <<ARGUMENT1>> is not a relation of the <<ARGUMENT0>>. ' +
          `<<ARGUMENT0>> has the following relations: ${reprTexts(relations)}`,
      )
    const [type = UNKNOWN_TYPE] = await this.graph.select(typeQuery(relation))
    return this.#instances(type, { kind: 'neighbors', of: startOf(operand), relation })
  }

  async #getAttributes(operand: Operand): Promise<string> {
    const [variable] = this.#variablesOf('get_attributes', [operand])
    const attributes = await this.#edges(variable, 'attributes')
    this.#attributes.set(keyOf(variable), attributes)
    return `[${attributes.join(', ')}]`
  }

  #intersection(one: Operand, other: Operand): string {
    const [variable, right] = this.#variablesOf('intersection', [one, other])
    if (variable.type !== right?.type)
      throw new Refused('intersection: Two Variables must have the same type')
    return this.#instances(variable.type, intersected(variable.program, right.program))
  }

  #extreme(kind: 'argmax' | 'argmin', operand: Operand, attribute: Operand): string {
    const [variable] = this.#variablesOf(kind, [operand])
    const attributes = this.#attributes.get(keyOf(variable))
    if (!attributes)
      throw new Refused(`${kind}: Use get_attributes to get attributes of the Variable <<ARGUMENT0>> first`)
    if (typeof attribute !== 'string' || !attributes.includes(attribute))
      throw new Refused(
        `${kind}: <<ARGUMENT1>> is not an attribute of the Variable <<ARGUMENT0>>. ` +
          `The attributes of the Variable <<ARGUMENT0>> are: ${reprTexts(attributes)}`,
      )
    return this.#instances(variable.type, { kind, of: variable.program, attribute })
  }

  async #edges(of: Operand, kind: 'relations' | 'attributes'): Promise<readonly string[]> {
    const matches = await this.graph.select(edgesQuery(startOf(of), kind))
    // What is left with a scheme stands in another namespace.
    return [...new Set(matches)].filter((edge) => !edge.includes('://')).sort()
  }

  #instances(type: string, program: Program): string {
    return `Variable #${this.#add(type, program)}, which are instances of ${type}`
  }

  #add(type: string, program: Program): number {
    return this.#variables.push({ type, program }) - 1
  }

  #requireStart(name: string, operand: Operand, which: string): void {
    if (typeof operand !== 'string') this.#variablesOf(name, [operand])
    else if (!ENTITY.test(operand) && !Object.values(this.entities).includes(operand))
      throw new Refused(
        `${name}: <<ARGUMENT0>> is neither a Variable nor an entity. ${which} of ${name} must be a Variable or an entity.`,
      )
  }

  /** Operands as variables that calls can be made with. */
  #variablesOf(name: string, operands: readonly Operand[]): [Variable, ...Variable[]] {
    const others = operands.flatMap((operand, i) =>
      typeof operand === 'string' ? [`<<ARGUMENT${i}>> is not a Variable`] : [],
    )
    if (others.length > 0) throw new Refused(`${name}: ${others.join(', ')}`)
    const variables = operands as [Variable, ...Variable[]]
    const last = variables.flatMap(({ program }, i) => {
      const tool = lastTool(program)
      return tool === null
        ? []
        : [`<<ARGUMENT${i}>> is a Variable returned by ${tool}, it can only be used as final answer.`]
    })
    if (last.length === 0) return variables
    const list = (isLast: boolean) =>
      `[${this.#variables.flatMap(({ program }, i) => ((lastTool(program) !== null) === isLast ? [`#${i}`] : [])).join(', ')}]`
    // The benchmark names the same tools twice.
    const tools = 'returned by get_relations, get_neighbors, intersection, get_attributes'
    throw new Refused(
      `${name}: ${last.join(' ')} Remember, Variables (${list(false)}) ${tools} can be used as inputs for subsequent actions or as final answers, ` +
        `and Variables (${list(true)}) ${tools} can only be used as final answers.`,
    )
  }
}
