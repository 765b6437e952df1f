import type { ChatTool } from '../chat'
import { declareConstraint, type DeclaredConstraint } from '../constraint'
import { isRecord } from '../record'
import { argumentNames } from './tool-names'

/** What a text argument is written in place of, to see where it stands. */
const mark = (index: number): string => `\u0001${index}\u0002`
const MARK = /\u0001(\d+)\u0002/
/** A JSON object, for arguments that are written as one. */
const JSON_RULES = [
  String.raw`object ::= "{" space ( pair ( "," space pair )* )? "}"`,
  String.raw`pair ::= string ":" space value space`,
  String.raw`value ::= object | array | string | number | "true" | "false" | "null"`,
  String.raw`array ::= "[" space ( value space ( "," space value space )* )? "]"`,
  String.raw`string ::= "\"" ( [^"\\\x7F\x00-\x1F] | "\\" ["\\/bfnrtu] )* "\""`,
  String.raw`number ::= "-"? [0-9]+ ( "." [0-9]+ )?`,
  String.raw`space ::= " "?`,
]

/** One SQL statement, in GBNF: it ends at the first semicolon outside of quotes. */
export const SQL_STATEMENT = String.raw`( [^;\x60'"] | "'" [^']* "'" | "\"" [^"]* "\"" )+ ";"?`

/** What an environment says of the form that its actions are asked for in. */
export interface ActionForm {
  readonly tools: readonly ChatTool[]
  /** A call of one in the text form. */
  write(name: string, args: Readonly<Record<string, unknown>>): string
  /** GBNF of a tool's one text, where more is known of it than where it ends. */
  readonly texts?: Readonly<Record<string, string>>
  /** Tools that a first reply can name. Default: all. */
  readonly opening?: readonly string[]
  /** Tools that a reply can name behind an action that changed something: a model that has to be held would go on changing. Default: all. */
  readonly closing?: readonly string[]
}

/** Where in an attempt a reply stands. */
export type ReplyPlace = 'opening' | 'middle' | 'closing'

const literal = (text: string): string =>
  text === '' ? '' : `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** Text up to what follows it: without the first character of that, or a line where nothing follows. */
function textUntil(following: string): string {
  const [end = '\n'] = following.trimStart()
  if (end === '`') return '[^`]+'
  if (end === '"') return String.raw`( [^"\\\x7F\x00-\x1F] | "\\" ["\\/bfnrtu] )+`
  return `[^\\n${end === '\n' ? '' : end.replace(/[\]\\^-]/g, '\\$&')}]+`
}

/** The properties of a tool whose arguments are texts, all needed, some of them a choice; null for any other tool. */
function choicesOf({
  inputSchema,
}: ChatTool): readonly (readonly [string, readonly string[] | null])[] | null {
  const { properties, required } = inputSchema
  if (!isRecord(properties) || !Array.isArray(required)) return null
  const entries = Object.entries(properties).map(([name, property]) => {
    const { type, enum: values } = isRecord(property) ? property : {}
    const isChoice = Array.isArray(values) && values.every((value) => typeof value === 'string')
    return {
      name,
      values: isChoice ? (values as string[]) : null,
      fits: type === 'string' && required.includes(name),
    }
  })
  const fits = entries.every((one) => one.fits) && entries.some(({ values }) => values !== null)
  return fits ? entries.map(({ name, values }) => [name, values]) : null
}

/** Arguments as JSON, one after the other, each held to what it can be. */
const choiceRule = (choices: NonNullable<ReturnType<typeof choicesOf>>): string =>
  [
    ...choices.flatMap(([name, values], i) => [
      literal(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      values ? `( ${values.map((value) => literal(JSON.stringify(value))).join(' | ')} )` : 'string',
    ]),
    literal('}'),
  ].join(' ')

/** The form of one tool's call as a rule; null where it has arguments that cannot be told apart in it. */
function ruleOf({ write, texts }: ActionForm, tool: ChatTool): string {
  const names = argumentNames(tool)
  const asObject = write(tool.name, {})
  // Written as an object, whatever its arguments are.
  const hole = asObject.lastIndexOf('{}')
  const choices = hole >= 0 ? choicesOf(tool) : null
  if (hole >= 0 && (choices || names.length !== 1)) {
    const inner = choices ? choiceRule(choices) : 'object'
    return [literal(asObject.slice(0, hole)), inner, literal(asObject.slice(hole + 2))].join(' ').trim()
  }
  const pieces = write(tool.name, Object.fromEntries(names.map((name, i) => [name, mark(i)]))).split(MARK)
  return pieces
    .map((piece, i) => {
      if (i % 2 === 0) return literal(piece)
      return texts?.[tool.name] ?? textUntil(pieces[i + 1] ?? '')
    })
    .filter((part) => part !== '')
    .join(' ')
}

/** GBNF of a reply that is one action and nothing else. */
function grammarOf(form: ActionForm, place: ReplyPlace): string {
  const names = place === 'middle' ? undefined : form[place]
  const tools = form.tools.filter(({ name }) => names?.includes(name) !== false)
  const rules = tools.map((tool) => ruleOf(form, tool))
  return [
    `root ::= ${rules.join(' | ')}`,
    ...(rules.some((rule) => rule.includes('object') || rule.includes('string')) ? JSON_RULES : []),
  ].join('\n')
}
const constraints = new WeakMap<ActionForm, Map<ReplyPlace, DeclaredConstraint>>()

const text = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
})
const SAMPLE: ActionForm = {
  tools: [
    { name: 'run', description: '', inputSchema: text('script') },
    { name: 'say', description: '', inputSchema: text('message') },
    { name: 'end', description: '', inputSchema: { type: 'object', properties: {} } },
  ],
  write: (name, args) =>
    name === 'run'
      ? `Action: Run\n\`\`\`sh\n${String(args['script'])}\n\`\`\``
      : name === 'say'
        ? `Action: Say\n${String(args['message'])}`
        : 'Action: End',
  opening: ['run'],
}
const OBJECTS: ActionForm = {
  tools: [{ name: 'read', description: '', inputSchema: { type: 'object', properties: { a: {}, b: {} } } }],
  write: (name, args) => `Action: Tool\n\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\``,
}

const CHOICES: ActionForm = {
  tools: [
    {
      name: 'send',
      description: '',
      inputSchema: {
        type: 'object',
        properties: { item: { type: 'string' }, bay: { type: 'string', enum: ['N1', 'a "b"'] } },
        required: ['item', 'bay'],
      },
    },
  ],
  write: (name, args) => `Action: ${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\``,
}

const declared = declareConstraint<[form: ActionForm, place: ReplyPlace]>(
  'held-reply',
  (form, place) => ({ kind: 'gbnf', grammar: grammarOf(form, place) }),
  () => [
    [SAMPLE, 'opening'],
    [SAMPLE, 'middle'],
    [OBJECTS, 'closing'],
    [CHOICES, 'middle'],
  ],
)

/** Holds a reply to one action in an environment's text form, from its first character to its last. */
export function heldReply(form: ActionForm, place: ReplyPlace): DeclaredConstraint {
  const byPlace = constraints.get(form) ?? new Map<ReplyPlace, DeclaredConstraint>()
  constraints.set(form, byPlace)
  const constraint = byPlace.get(place) ?? declared(form, place)
  byPlace.set(place, constraint)
  return constraint
}
