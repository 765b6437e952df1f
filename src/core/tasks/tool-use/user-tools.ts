import { callsInText } from '../../ground/replies/read-reply'
import type { ToolInfo } from '../../ground/tools'

/** What a user can do on their own side. */
export interface UserHands {
  readonly tools: readonly ToolInfo[]
  /** Uses a tool; answers with what it shows. */
  use(name: string, args: unknown): string
}

/** How an agent asks for the use of a tool so that nobody can mistake it. */
export const askFor = (name: string, args: unknown): string =>
  `Please do this: ${JSON.stringify({ name, arguments: args })}`

/** Words that stand between those of a tool's name when people write it. */
const BETWEEN = new Set(['the', 'your', 'my', 'a', 'on', 'of', 'off', 'card'])

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !BETWEEN.has(word))

const isWithin = (name: readonly string[], text: readonly string[]): boolean =>
  text.some((_, from) => name.every((word, i) => text[from + i] === word))

/** The tools that a message asks the user to use, by a written call or by their names in words, with arguments. */
export function askedTools(
  message: string,
  tools: readonly ToolInfo[],
): { readonly name: string; readonly args: unknown }[] {
  if (tools.length === 0) return []
  const knownSet = new Set(tools.map(({ name }) => name))
  const calls = callsInText(message, tools).filter(({ name }) => knownSet.has(name))
  if (calls.length > 0) return calls.map(({ name, args }) => ({ name, args }))
  const messages = wordsOf(message)
  return tools
    .filter(({ name, inputSchema }) => {
      const { required } = inputSchema
      return !(Array.isArray(required) && required.length > 0) && isWithin(wordsOf(name), messages)
    })
    .map(({ name }) => ({ name, args: {} }))
}
