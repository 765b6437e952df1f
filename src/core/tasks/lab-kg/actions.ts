import { publishedReader } from '../../ground/replies/read-reply'
import type { ToolInfo } from '../../ground/tools'
import { parseLabKgAction } from './grammar'
import { exactObject } from '../../ground/exact-object'

type Argument = readonly [name: string, description: string]

const tool = (name: string, description: string, ...groupedInputs: readonly Argument[]): ToolInfo => ({
  name,
  server: 'graph',
  description,
  inputSchema: exactObject(
    Object.fromEntries(groupedInputs.map(([key, about]) => [key, { type: 'string', description: about }])),
  ),
})

const START: Argument = ['var', 'A variable (#0), or the name of an entity of the task.']
const VARIABLE: Argument = ['var', 'A variable: #0.']
const ATTRIBUTE: Argument = ['attribute', 'One of those that get_attributes answered for the variable.']

/** The benchmark's seven tools in the order in which it names them, with their arguments in order. */
export const TOOLS: readonly ToolInfo[] = [
  tool('get_relations', 'The relations that lead away from an entity, or from those in a variable.', START),
  tool('get_neighbors', 'A new variable: what a relation leads to.', START, [
    'relation',
    'One of those that get_relations answered for the same entity or variable.',
  ]),
  tool(
    'intersection',
    'A new variable: what is in both of two variables of one type.',
    ['var1', 'A variable: #0.'],
    ['var2', 'Another one: #1.'],
  ),
  tool('count', 'A new variable: how many entities are in one. It can only be the answer.', VARIABLE),
  tool('get_attributes', 'The attributes that the entities in a variable have.', VARIABLE),
  tool(
    'argmax',
    'A new variable: those with the highest value. It can only be the answer.',
    VARIABLE,
    ATTRIBUTE,
  ),
  tool(
    'argmin',
    'A new variable: those with the lowest value. It can only be the answer.',
    VARIABLE,
    ATTRIBUTE,
  ),
]

/** What ends a task. */
export const ANSWER = tool('answer', 'Ends the task: what is in a variable is the answer.', VARIABLE)

/** What an agent can do with a knowledge graph. */
export const ACTIONS: readonly ToolInfo[] = [...TOOLS, ANSWER]

/** How many arguments a tool takes. */
export const arity = ({ inputSchema }: ToolInfo): number =>
  (inputSchema['required'] as readonly string[]).length

/** The arguments of a call as one text, in the tool's order; as they were written, where they were. */
export function argumentText(name: string, args: Readonly<Record<string, unknown>>): string {
  const { written } = args
  if (typeof written === 'string') return written
  const order = ACTIONS.find((action) => action.name === name)?.inputSchema['required'] as
    | readonly string[]
    | undefined
  const values = (order ?? Object.keys(args)).map((key) => args[key]).filter((value) => value !== undefined)
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')
}

/** An action in the benchmark's text form, as `parseLabKgAction` reads it. */
export const writeAction = (name: string, args: Readonly<Record<string, unknown>>): string =>
  name === ANSWER.name
    ? `Final Answer: ${argumentText(name, args)}`
    : `Action: ${name}(${argumentText(name, args)})`

/** The text form as a call, its arguments as they are `written`; null when a reply is not in it. */
export const readPublished = publishedReader(parseLabKgAction, (action) =>
  action.kind === 'answer'
    ? { name: ANSWER.name, args: { var: action.variable } }
    : { name: action.name, args: { written: action.text } },
)
