import type { GgufFileInfo } from 'node-llama-cpp'
import type { ChatLayout } from '../../../shared/domain/model'
import { LoamError } from '../../../shared/errors'
import {
  jinjaChatTemplate,
  renderedSomehow,
  type ChatTemplate,
  type EdgeTokens,
} from '../../../core/chat-templates/chat-template'
import { joinSegments, type PromptSegment } from '../../../core/chat-templates/template-places'

/** Vocabularies below it spell the marks of a layout letter by letter, which says nothing to their models. */
const VOCABULARY_OF_WORDS = 4096

type Metadata = GgufFileInfo['metadata']

const ggmlOf = ({ tokenizer }: Metadata): Readonly<Record<string, unknown>> =>
  (tokenizer?.ggml ?? {}) as unknown as Readonly<Record<string, unknown>>

/** The texts of a file's BOS and EOS tokens; empty where it has none. */
export function edgeTokens(metadata: Metadata): EdgeTokens {
  const { tokens, bos_token_id: bos, eos_token_id: eos } = ggmlOf(metadata)
  const text = (id: unknown): string =>
    Array.isArray(tokens) && typeof id === 'number' ? String(tokens[id] ?? '') : ''
  return { bos: text(bos), eos: text(eos) }
}

/**
 * How dialogs are laid out for a model: by the template in its file; where there is none, or one that cannot be used, by node-llama-cpp's
 * layout of its family, which its names, its template's marks or its architecture tell; else by ChatML, and for vocabularies of letters by
 * plain lines. What stands in says so in `layout`.
 */
export async function chooseTemplate(file: GgufFileInfo, tokens: EdgeTokens): Promise<ChatTemplate> {
  const { metadata } = file
  const source: unknown = metadata.tokenizer?.chat_template
  let why = 'It has no chat template'
  if (typeof source === 'string' && source.trim() !== '') {
    try {
      return jinjaChatTemplate(source, tokens)
    } catch (error) {
      if (!(error instanceof LoamError)) throw error
      why = error.why.replace(/\.$/, '')
    }
  }
  const { ChatMLChatWrapper } = await import('node-llama-cpp')
  const { wrapperTemplate } = await import('./wrapper-template')
  const family = await familyOf(file)
  if (family)
    return wrapperTemplate(family, { own: false, name: `the layout of ${family.wrapperName}`, why }, tokens)
  const { tokens: words } = ggmlOf(metadata)
  if (Array.isArray(words) && words.length < VOCABULARY_OF_WORDS) return plainTemplate(why)
  return wrapperTemplate(new ChatMLChatWrapper(), { own: false, name: 'ChatML', why }, tokens)
}

/** node-llama-cpp's layout of a model's family; null where it only guesses. */
async function familyOf(file: GgufFileInfo) {
  const { resolveChatWrapper, HarmonyChatWrapper, GeneralChatWrapper } = await import('node-llama-cpp')
  // Not told of BOS: "<s>" alone would be taken for Llama 2.
  const wrapper = resolveChatWrapper({
    fileInfo: file,
    noJinja: true,
    warningLogs: false,
    fallbackToOtherWrappersOnJinjaError: true,
  })
  if (wrapper === null || wrapper instanceof GeneralChatWrapper) return null
  // It would print today's date, and tomorrow's run would differ.
  if (wrapper instanceof HarmonyChatWrapper)
    return new HarmonyChatWrapper({ todayDate: new Date('2024-07-26') })
  return wrapper
}

/** `System:`, `User:` and `Assistant:` lines. */
function plainTemplate(why: string): ChatTemplate {
  const layout: ChatLayout = { own: false, name: 'plain System, User and Assistant lines', why }
  return {
    layout,
    can: { tools: false, thinking: false },
    thoughtMarks: null,
    stops: ['\nUser:', '\nSystem:'],
    render: (messages, options = {}) =>
      renderedSomehow(
        (saidMessages) => {
          const segments: PromptSegment[] = []
          for (const { role, content } of saidMessages) {
            segments.push({ kind: 'markup', text: `${role[0]?.toUpperCase()}${role.slice(1)}: ` })
            segments.push({ kind: 'content', text: content })
            segments.push({ kind: 'markup', text: '\n' })
          }
          return joinSegments([...segments, { kind: 'markup', text: 'Assistant:' }])
        },
        messages,
        options,
      ),
  }
}
