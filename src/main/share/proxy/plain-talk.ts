import type { ChatMessage, GenerateRequest } from '../../../core/ground/chat'
import { asksAnew } from '../../asks/asked-again'
import { sumsAlone, sumText, workOutSums } from '../../asks/sums'
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

/** A request with what is recalled in its messages. Where its last message asks for sums and nothing else, its answer begins with their results, if the model can go on with that. */
export async function withSumsFirst(
  { terms: { speaker, mode }, model }: Pick<Asked, 'terms' | 'model'>,
  request: GenerateRequest,
  messages: readonly ChatMessage[],
): Promise<GenerateRequest> {
  const input = { ...request, messages }
  const last = request.messages.at(-1)
  const isTalk = speaker === 'person' && mode !== 'record' && model.can?.goesOn === true
  const isPlain = (request.tools ?? []).length === 0 && request.constraint === undefined
  if (!isTalk || !isPlain || last?.role !== 'user' || last.content.length > LONGEST) return input
  const beginning = sumsAlone(last.content, await workOutSums(last.content))
  return beginning === '' ? input : { ...input, beginning }
}

/** Whether a dialog without tools ends with a wish for another answer, and nothing else. */
export function wantsAnother({ messages, tools = [] }: Pick<GenerateRequest, 'messages' | 'tools'>): boolean {
  const last = messages.at(-1)
  return tools.length === 0 && last?.role === 'user' && asksAnew(last.content)
}

/** A dialog up to the last request that says what is wanted: a small model that reads its answer repeats it. Whole where there is none. */
export function upToRequest(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && !asksAnew(content))
  return at < 0 ? messages : messages.slice(0, at + 1)
}
