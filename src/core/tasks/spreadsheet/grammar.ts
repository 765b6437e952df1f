import { publishedReader } from '../../ground/replies/read-reply'

/** What a reply says to do with a workbook. */
export type SpreadsheetAction =
  | { readonly kind: 'code'; readonly content: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'invalid'; readonly reason: string }

const ACTION = /Action: (Code|Done)/
const FENCE = /```(?:js|javascript)?[^\S\n]*\n([\s\S]*?)\n?```/

/** Reads a reply: the first `Action: Code|Done` decides; code is the first fenced block. */
export function parseSpreadsheetAction(reply: string): SpreadsheetAction {
  const action = ACTION.exec(reply)
  if (action === null)
    return { kind: 'invalid', reason: 'There is no "Action: Code" or "Action: Done" in the reply.' }
  if (action[1] === 'Done') return { kind: 'done' }
  const code = FENCE.exec(reply)?.[1]
  if (code === undefined || code.trim() === '') {
    return { kind: 'invalid', reason: 'There is no fenced code in the reply.' }
  }
  return { kind: 'code', content: code }
}

/** Code in the form that `parseSpreadsheetAction` reads. */
export const writeCode = (code: string): string => `Action: Code\n\`\`\`js\n${code}\n\`\`\``

/** A call as text, as `parseSpreadsheetAction` reads it. */
export const writeAction = (name: string, args: Readonly<Record<string, unknown>>): string =>
  name === 'done' ? 'Action: Done' : writeCode(String(args['code'] ?? ''))

/** The text form as a call; null when a reply is not in it. */
export const readPublished = publishedReader(parseSpreadsheetAction, (action) =>
  action.kind === 'done' ? { name: 'done', args: {} } : { name: 'run_code', args: { code: action.content } },
)
