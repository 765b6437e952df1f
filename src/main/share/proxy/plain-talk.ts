import type { ChatMessage, GenerateRequest, GenerateResult } from '../../../core/ground/chat'
import { NO_USAGE } from '../../../shared/domain/usage'
import { asksAnew } from '../../asks/asked-again'
import { sumAnswer, sumsAlone, sumsToSay, sumText, workOutSums } from '../../asks/sums'
import type { Asked } from './request'

// What asks without tools get in the window, for people who talk through a program that sends none.

/** Characters of a message that is looked through for sums: a longer one is a text that was pasted. */
const LONGEST = 500

/** The results of a message's sums as a model reads them before it; empty where there are none, and where the program sends tools. */
export async function toldSums(instruction: string, tools: GenerateRequest['tools']): Promise<string> {
  const isPlain = (tools ?? []).length === 0 && instruction.length <= LONGEST
  const text = isPlain ? sumText(await workOutSums(instruction)) : ''
  return text === '' ? '' : `${text}\n\n`
}

/** The sums of a dialog's last message with their results, where a person asks for nothing else; none for any other. */
async function soleSums(
  { terms: { speaker, mode } }: Pick<Asked, 'terms'>,
  { tools = [], constraint }: GenerateRequest,
  dialog: readonly ChatMessage[],
): Promise<readonly string[]> {
  const last = dialog.at(-1)
  const isTalk = speaker === 'person' && (mode === 'both' || mode === 'recall')
  const isFree = tools.length === 0 && constraint === undefined
  if (!isTalk || !isFree || last?.role !== 'user' || last.content.length > LONGEST) return []
  const sums = await workOutSums(last.content)
  return sumsAlone(last.content, sums) === '' ? [] : sums
}

/** A dialog whose last message says what its sums come to, and to say that. */
const withSumsToSay = (dialog: readonly ChatMessage[], sums: readonly string[]): ChatMessage[] =>
  dialog.map((message, i) =>
    i === dialog.length - 1 ? { ...message, content: `${message.content}\n\n${sumsToSay(sums)}` } : message,
  )

/** Whether a dialog without tools ends with a wish for another answer, and nothing else. */
function wantsAnother({ messages, tools = [] }: Pick<GenerateRequest, 'messages' | 'tools'>): boolean {
  const last = messages.at(-1)
  return tools.length === 0 && last?.role === 'user' && asksAnew(last.content)
}

/** A dialog up to the last request that says what is wanted: a small model that reads its answer repeats it. Whole where there is none. */
function upToRequest(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && !asksAnew(content))
  return at < 0 ? messages : messages.slice(0, at + 1)
}

/**
 * What a person's message comes to for a model too small for tools: the answer to its sums, else the dialog as it is read; for any other model the whole
 * dialog. Where a program says by a system message what its answers are for, the model answers sums too.
 */
export async function plainly(
  caller: Asked,
  request: GenerateRequest,
  usesTools: (model: string) => Promise<boolean>,
): Promise<{ readonly workedOut: GenerateResult | null; readonly dialog: readonly ChatMessage[] }> {
  const { messages } = request
  const isAnew = caller.terms.speaker === 'person' && wantsAnother(request)
  const dialog = isAnew ? upToRequest(messages) : messages
  const sums = await soleSums(caller, request, dialog)
  if ((sums.length === 0 && !isAnew) || (await usesTools(caller.model.path)))
    return { workedOut: null, dialog: messages }
  if (sums.length === 0) return { workedOut: null, dialog }
  if (messages.some(({ role }) => role === 'system'))
    return { workedOut: null, dialog: withSumsToSay(dialog, sums) }
  return { workedOut: { text: sumAnswer(sums), usage: { ...NO_USAGE }, finish: 'end' }, dialog }
}
