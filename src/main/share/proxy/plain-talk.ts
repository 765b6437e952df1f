import type { ChatMessage, GenerateRequest } from '../../../core/ground/chat'
import type { ModelProfile } from '../../../shared/domain/model-profile'
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

/**
 * A dialog that ends with a wish for another answer, and nothing else, up to the request that is meant: a model too small for tools repeats the answer that it reads. As it
 * is for other models and dialogs.
 */
export function askedOnceMore(
  messages: readonly ChatMessage[],
  tools: GenerateRequest['tools'],
  profile: Pick<ModelProfile, 'tools'> | null,
): readonly ChatMessage[] {
  const last = messages.at(-1)
  const isPlain = (tools ?? []).length === 0 && profile?.tools === false
  if (!isPlain || last?.role !== 'user' || !asksAnew(last.content)) return messages
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && !asksAnew(content))
  return at < 0 ? messages : messages.slice(0, at + 1)
}
