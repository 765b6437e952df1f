import type { ChatMessage, GenerateRequest } from '../../../core/ground/chat'
import { asksAnew } from '../../asks/asked-again'
import { sumText, workOutSums } from '../../asks/sums'

// What asks without tools get in the window, for people who talk through a program that sends none.

/** Characters of a message that is looked through for sums: a longer one is a text that was pasted. */
const LONGEST = 500

/** The results of a message's sums as a model reads them before it; empty where there are none, and where the program sends tools. */
export async function toldSums(instruction: string, tools: GenerateRequest['tools']): Promise<string> {
  const isPlain = (tools ?? []).length === 0 && instruction.length <= LONGEST
  const text = isPlain ? sumText(await workOutSums(instruction)) : ''
  return text === '' ? '' : `${text}\n\n`
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
