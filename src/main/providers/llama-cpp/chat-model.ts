import type {
  CallOptions,
  ChatTool,
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ModelAbilities,
} from '../../../core/ground/chat'
import { callsInText } from '../../../core/ground/replies/read-reply'
import { takeThoughts } from '../../../core/ground/replies/thoughts'
import { readToolCall } from '../tool-calls'
import { generateWithTools } from './generic-tools'
import { ShownText, withoutMarks } from './shown-text'

/** What the engine does for any GGUF. */
export const ENGINE_CAN: ModelAbilities = {
  tools: true,
  constraint: 'grammar',
  thinking: true,
  softPrompts: true,
}

/**
 * A model of the engine behind the whole chat port. Tools stand in the prompt as the model's template has them, and what it writes is read in
 * any of the families' forms; where a template has no place for tools, or a call is required, a grammar holds the reply to a form.
 */
export function chatModel(engineModel: LanguageModel): LanguageModel {
  const native = engineModel.can
  /** A reply without thoughts and marks; `read` takes the calls out of it. */
  const generate = async (
    request: GenerateRequest,
    { onToken, ...rest }: CallOptions = {},
    read = (reply: GenerateResult) => reply,
  ): Promise<GenerateResult> => {
    const watcher = onToken && new ShownText(onToken, request.tools ?? [])
    const watching = watcher ? { ...rest, onToken: (piece: string) => watcher.push(piece) } : rest
    const { thought: _none, ...reply } = await engineModel.generate(request, watching)
    const { text, thought } = takeThoughts(reply.text)
    const said = read({
      ...reply,
      text: withoutMarks(text, (request.tools ?? []).length > 0),
      ...(thought !== null && { thought }),
    })
    watcher?.end(said.text)
    return said
  }
  // A form leaves no place for a thought.
  const formed: LanguageModel['generate'] = (request, options) =>
    request.constraint === undefined ? generate(request, options) : engineModel.generate(request, options)
  return {
    ...engineModel,
    can: { ...ENGINE_CAN, thinking: native?.thinking ?? false },
    async generate(request, options) {
      const { tools = [], toolChoice } = request
      if (tools.length === 0 || native?.tools !== true || toolChoice === 'required')
        return generateWithTools(formed, request, options)
      return generate(request, options, (reply) => withCalls(reply, tools))
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
