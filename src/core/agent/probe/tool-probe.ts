import type { ChatTool, GenerateResult } from '../../ground/chat'
import type { Probe, ProbeQuestion } from './probe'

const tool = (name: string, description: string, argument: string, help: string): ChatTool => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: { [argument]: { type: 'string', description: help } },
    required: [argument],
  },
})

/** Two tools like those that come with Loam, in few words. */
const TOOLS: readonly ChatTool[] = [
  tool('calculate', 'Works out an expression.', 'expression', 'For example "2^10 + sqrt(2)"'),
  tool('read_document', 'Reads a file as text.', 'path', 'The name of the file'),
]
/** Room for one call. */
const CALL_TOKENS = 48

/** A single call of a tool whose argument, without blanks, holds a text. */
const callsWith =
  (name: string, argument: string, value: string) =>
  ({ toolCalls = [] }: GenerateResult): boolean => {
    const [call, ...more] = toolCalls
    const input = call?.arguments[argument]
    return (
      more.length === 0 &&
      call?.name === name &&
      call.problem === undefined &&
      typeof input === 'string' &&
      input.replace(/\s+/g, '').includes(value)
    )
  }

/** Plain words, and no beginning of a call. */
const answersPlainly = ({ text, toolCalls = [] }: GenerateResult): boolean =>
  toolCalls.length === 0 && /^[^[{<`]/.test(text.trim())

/** Whether a model calls tools as they are meant, and leaves them where none is wanted. @param systemPrompt of asks with tools */
export function toolProbe(systemPrompt: string): Probe {
  const question = (text: string, isRight: ProbeQuestion['isRight']): ProbeQuestion => ({
    kind: 'asks',
    request: () => ({
      messages: [
        { role: 'system', content: systemPrompt },
        { role: 'user', content: text },
      ],
      tools: TOOLS,
      maxTokens: CALL_TOKENS,
    }),
    isRight,
  })
  return {
    id: 'tools',
    version: 1,
    activity: 'Asking for calls of tools',
    forms: ['tools to call'],
    needs: { asks: 5 },
    blocks: [
      [
        question('Work out 1960 / 8 + 17 for me.', callsWith('calculate', 'expression', '1960/8+17')),
        question('Who is named in team.md?', callsWith('read_document', 'path', 'team.md')),
        question('What is 48 * 37?', callsWith('calculate', 'expression', '48*37')),
        question('Read the file rent.txt. What does it say?', callsWith('read_document', 'path', 'rent.txt')),
        question('Say good morning to me.', answersPlainly),
        question('What is the opposite of early?', answersPlainly),
      ],
    ],
  }
}
