import type { ChatHistoryItem, ChatModelFunctionCall, ChatModelResponse, ChatWrapper } from 'node-llama-cpp'
import { LlamaText, SpecialToken, SpecialTokensText } from 'node-llama-cpp'
import type { ChatTool } from '../../../core/ground/chat'
import type { ChatMessage } from '../../../core/ground/ports'
import { THOUGHT_MARKS } from '../../../core/ground/replies/thoughts'
import type { ChatLayout } from '../../../shared/domain/model'
import {
  beginsReply,
  knowsTools,
  renderedSomehow,
  type ChatTemplate,
  type EdgeTokens,
  type RenderOptions,
} from '../../../core/chat-templates/chat-template'
import { joinSegments, type PromptSegment } from '../../../core/chat-templates/template-places'

/** A dialog as node-llama-cpp's chat wrappers take it: what tools answered stands in the call, and an empty reply is to be written. */
function historyOf(messages: readonly ChatMessage[]): ChatHistoryItem[] {
  const items: ChatHistoryItem[] = []
  const response = (): ChatModelResponse['response'] => {
    const last = items.at(-1)
    if (last?.type === 'model') return last.response
    const openedResponse: ChatModelResponse = { type: 'model', response: [] }
    items.push(openedResponse)
    return openedResponse.response
  }
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') items.push({ type: 'system', text: message.content })
    else if (message.role === 'user') items.push({ type: 'user', text: message.content })
    else if (message.role === 'assistant') {
      const saidMessages = response()
      if (message.content !== '') saidMessages.push(message.content)
      for (const call of message.toolCalls ?? []) {
        const answers = messages.slice(index).filter((one) => one.role === 'tool' && one.callId === call.id)
        const result = answers.map(({ content }) => content).join('\n\n')
        const madeCall: ChatModelFunctionCall = {
          ...{ type: 'functionCall', name: call.name, description: undefined },
          ...{ params: call.arguments, result, rawCall: undefined },
        }
        saidMessages.push(madeCall)
      }
    }
  }
  response().push('')
  return items
}

const functionsOf = (tools: readonly ChatTool[]) =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      { description, params: { type: 'object', ...inputSchema } as never },
    ]),
  )

const isHarmony = ({ wrapperName }: ChatWrapper): boolean => wrapperName === 'Harmony'

/** A text of node-llama-cpp as stretches of a prompt. */
function segmentsOf(text: LlamaText, { bos, eos }: EdgeTokens): PromptSegment[] {
  return joinSegments(
    text.values.map((value): PromptSegment => {
      if (typeof value === 'string') return { kind: 'content', text: value }
      if (value instanceof SpecialTokensText) return { kind: 'markup', text: value.value }
      const record: Readonly<Record<string, string>> = { BOS: bos, EOS: eos, NL: '\n' }
      return { kind: 'markup', text: value instanceof SpecialToken ? (record[value.value] ?? '') : '' }
    }),
  )
}

/** One of node-llama-cpp's chat wrappers as a template, for models whose own is missing or cannot be used. */
export function wrapperTemplate(wrapper: ChatWrapper, layout: ChatLayout, tokens: EdgeTokens): ChatTemplate {
  const marks = THOUGHT_MARKS.find(([open]) => thoughtPrefix(wrapper).includes(open)) ?? null
  const attempt = (
    messages: readonly ChatMessage[],
    { tools = [], thinking = false, form }: RenderOptions,
  ) => {
    const { contextText } = wrapper.generateContextState({
      chatHistory: historyOf(messages),
      ...(tools.length > 0 && { availableFunctions: functionsOf(tools), documentFunctionParams: true }),
    })
    const segments = segmentsOf(contextText, tokens)
    const last = segments.at(-1)
    if (last?.kind !== 'markup') return segments
    const end = isHarmony(wrapper) ? `${last.text}<|start|>assistant` : last.text
    const text = beginsReply(end, marks, thinking, form === true || tools.length === 0)
    return [...segments.slice(0, -1), { kind: 'markup' as const, text }]
  }
  return {
    layout,
    can: { tools: hasOwnCalls(wrapper) && knowsTools(attempt), thinking: marks !== null },
    thoughtMarks: marks,
    stops: stopsOf(wrapper),
    render: (messages, options = {}) => renderedSomehow(attempt, messages, options),
  }
}

/** Whether a family has a form of calls; others get one that node-llama-cpp made up, which no model has seen. */
const hasOwnCalls = ({ settings }: ChatWrapper): boolean =>
  !markText(LlamaText(settings.functions.call.prefix)).startsWith('||')

/** What opens a thought in a layout; empty where there are none. */
function thoughtPrefix({ settings }: ChatWrapper): string {
  const prefix = settings.segments?.thought?.prefix
  if (prefix === undefined || (typeof prefix === 'object' && 'type' in prefix)) return ''
  return markText(LlamaText(prefix))
}

/** A text of node-llama-cpp as plain letters. */
const markText = ({ values }: LlamaText): string =>
  values
    .map((value) => (typeof value === 'string' ? value : value instanceof SpecialToken ? '' : value.value))
    .join('')

/** What would begin another's turn: a model that was not trained on a layout writes it instead of ending. */
function stopsOf(wrapper: ChatWrapper): string[] {
  const { stopGenerationTriggers } = wrapper.generateContextState({
    chatHistory: historyOf([{ role: 'user', content: 'x' }]),
  })
  const texts = stopGenerationTriggers.map((trigger) => markText(LlamaText(trigger)))
  return [...new Set(texts)].filter((text) => text.trim() !== '')
}
