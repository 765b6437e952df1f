import type {
  CallOptions,
  ChatTool,
  GenerateResult,
  LanguageModel,
  ModelAbilities,
} from '../../../core/ground/chat'
import { callsInText } from '../../../core/ground/replies/read-reply'
import { takeThoughts } from '../../../core/ground/replies/thoughts'
import { ThoughtFilter } from '../thought-filter'
import { readToolCall } from '../tool-calls'
import { generateWithTools } from './generic-tools'

/** What the engine does for any GGUF. */
export const ENGINE_CAN: ModelAbilities = {
  tools: true,
  constraint: 'grammar',
  thinking: true,
  softPrompts: true,
}

/** What gpt-oss writes around its reply, and Functionary before it. */
const CHANNEL_MARKS =
  /<\|start\|>assistant|<\|channel\|>(?:final|commentary)<\|message\|>|<\|(?:end|return)\|>|^all\n/g

/**
 * A model of the engine behind the whole chat port. Tools stand in the prompt as the model's template has them, and what it writes is read in
 * any of the families' forms; where a template has no place for tools, or a call is required, a grammar holds the reply to a form.
 */
export function chatModel(engineModel: LanguageModel): LanguageModel {
  const native = engineModel.can
  const generate: LanguageModel['generate'] = async (request, options = {}) => {
    // A form leaves no place for a thought.
    if (request.constraint !== undefined) return engineModel.generate(request, options)
    const { filter, onToken } = filtered(options)
    const { thought: _none, ...reply } = await engineModel.generate(request, onToken)
    const rest = filter?.flush()
    if (rest && rest.text !== '') options.onToken?.(rest.text)
    const { text, thought } = takeThoughts(reply.text)
    const said = text.replace(CHANNEL_MARKS, '')
    return { ...reply, text: said, ...(thought !== null && { thought }) }
  }
  return {
    ...engineModel,
    can: { ...ENGINE_CAN, thinking: native?.thinking ?? false },
    async generate(request, options) {
      const { tools = [], toolChoice } = request
      if (tools.length === 0 || native?.tools !== true || toolChoice === 'required')
        return generateWithTools(generate, request, options)
      return withCalls(await generate(request, options), tools)
    },
  }
}

/** A reply with the calls that stand in its text. */
function withCalls(reply: GenerateResult, tools: readonly ChatTool[]): GenerateResult {
  const found = callsInText(reply.text, tools)
  const [first] = found
  if (first === undefined) return reply
  const toolCalls = found.map(({ name, args }, i) =>
    readToolCall(tools, { id: `call-${i}`, name, text: JSON.stringify(args) }),
  )
  const head = reply.text.slice(0, Math.floor(first.from))
  // The mark that begins a call stands before what was found.
  const mark = head.search(
    /<\|?[\w-]{0,20}(?:tool|function|python_tag)|\[TOOL_CALLS\]|<｜tool|<\|channel\|>|<[\w-]{1,20}:tool|```(?:json|tool_code)?\s{0,4}$/,
  )
  return { ...reply, text: (mark < 0 ? head : head.slice(0, mark)).trim(), toolCalls, finish: 'tool-calls' }
}

/** The same options, whose watcher sees the reply alone. */
function filtered(options: CallOptions): { filter: ThoughtFilter | null; onToken: CallOptions } {
  const { onToken, ...rest } = options
  if (onToken === undefined) return { filter: null, onToken: rest }
  const filter = new ThoughtFilter()
  return {
    filter,
    onToken: {
      ...rest,
      onToken: (piece) => {
        const { text } = filter.push(piece)
        if (text !== '') onToken(text)
      },
    },
  }
}
