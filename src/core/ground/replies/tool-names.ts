import type { ChatTool } from '../chat'
import { isRecord } from '../writing'

/** What models put before a tool's name. */
const PREFIX = /^(?:functions?|tools?|default_api)[.:]/i

const plain = (name: string): string =>
  name
    .trim()
    .replace(PREFIX, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** The tool that a name means: as it is written, else in another case or with other joints. */
export function toolNamed<Tool extends Pick<ChatTool, 'name'>>(
  tools: readonly Tool[],
  output: string,
): Tool | undefined {
  const exact = tools.find(({ name }) => name === output.trim())
  if (exact) return exact
  const target = plain(output)
  if (target === '') return undefined
  const uniformFields = tools.filter(({ name }) => plain(name) === target)
  return uniformFields.length === 1 ? uniformFields[0] : undefined
}

/** Names of a tool's arguments. */
export const argumentNames = ({ inputSchema }: Pick<ChatTool, 'inputSchema'>): string[] =>
  isRecord(inputSchema['properties']) ? Object.keys(inputSchema['properties']) : []

/** Arguments a tool cannot do without. */
export const requiredNames = ({ inputSchema }: Pick<ChatTool, 'inputSchema'>): string[] =>
  Array.isArray(inputSchema['required'])
    ? inputSchema['required'].filter((name): name is string => typeof name === 'string')
    : []

/** The argument that a bare text stands for: the only one, or the only one that has to be there, when it is a text. */
export function textArgument(tool: Pick<ChatTool, 'inputSchema'>): string | undefined {
  const names = argumentNames(tool)
  const [only, ...others] = names.length > 1 ? requiredNames(tool) : names
  const properties = tool.inputSchema['properties']
  if (only === undefined || others.length > 0 || !isRecord(properties)) return undefined
  const property = properties[only]
  return isRecord(property) && property['type'] === 'string' ? only : undefined
}

/** Arguments under the names the schema has for them: models write `Item_IDs` for `item_ids`. */
export function namedArguments(
  tool: Pick<ChatTool, 'inputSchema'>,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = argumentNames(tool)
  const byPlain = new Map(names.map((name) => [plain(name), name]))
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      names.includes(key) ? key : (byPlain.get(plain(key)) ?? key),
      value,
    ]),
  )
}

/** The name that ends right before `at`; empty when none does. */
export function nameBefore(text: string, at: number): string {
  let from = at
  while (from > 0 && at - from < 100 && /[\w.-]/.test(text.charAt(from - 1))) from--
  return text.slice(from, at)
}
