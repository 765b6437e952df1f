import { isRecord } from '../record'
import type { ToolInfo } from '../tools'
import { publishedReader, type Called } from './read-reply'
import type { ReplyForms, ReplyWorld } from './reply-episode'

type JsonAction = (Called & { readonly kind: 'call' }) | { readonly kind: 'invalid'; readonly reason: string }

const HEAD = /Action:[ \t]*([\w-]+)\s{0,4}```json[ \t]*\n/

function parseJsonAction(reply: string): JsonAction {
  const invalid = (reason: string): JsonAction => ({ kind: 'invalid', reason })
  const head = HEAD.exec(reply)
  const from = head ? head.index + head[0].length : 0
  const to = reply.indexOf('```', from)
  if (head?.[1] === undefined || to < 0) return invalid('There is no "Action: NAME" before a ```json block.')
  try {
    const args = JSON.parse(reply.slice(from, to)) as unknown
    return isRecord(args) ? { kind: 'call', name: head[1], args } : invalid('The ```json block is no object.')
  } catch {
    return invalid('The ```json block cannot be read.')
  }
}

/**
 * A text form for an environment that has none of its own: `Action: NAME` and the arguments in a ```json block. Answers what a
 * `ReplyWorld` wants of it: how an action is written, and how replies are read.
 */
export const jsonForm = (
  tools: readonly ToolInfo[],
): Pick<ReplyWorld, 'write'> & { readonly forms: ReplyForms } => ({
  write: (name, args) => `Action: ${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\``,
  forms: {
    words: Object.fromEntries(tools.map(({ name }) => [name, name])),
    published: (text) => {
      const call = publishedReader(parseJsonAction, ({ name, args }) => ({ name, args }))(text)
      return call && tools.some(({ name }) => name === call.name) ? call : null
    },
    parse: parseJsonAction,
    textForm: `Reply with "Action: NAME" and the arguments in a \`\`\`json block. The names are ${tools.map(({ name }) => name).join(', ')}.`,
  },
})
