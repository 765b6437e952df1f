import type { ToolCall } from '../../../../core/ground/chat'
import {
  contentText,
  inputText,
  isJson,
  listIn,
  numberIn,
  objectIn,
  personMessage,
  textIn,
  type Dialect,
  type ReadMessage,
} from './dialect'

function readContent(value: unknown, i: number): ReadMessage[] {
  const { role, parts } = objectIn(value)
  const own = listIn(parts).map(objectIn)
  if (role === 'model') {
    const toolCalls = own.flatMap(({ functionCall: call }): ToolCall[] => {
      if (!isJson(call)) return []
      return [{ id: textIn(call['id']), name: textIn(call['name']), arguments: objectIn(call['args']) }]
    })
    const content = contentText(own.filter(({ thought }) => thought !== true))
    return [
      { message: { role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) }, place: null },
    ]
  }
  const results = own.flatMap(({ functionResponse: result }): ReadMessage[] => {
    if (!isJson(result)) return []
    const name = textIn(result['name'])
    const content = inputText(result['response'])
    return [{ message: { role: 'tool', content, callId: textIn(result['id']), name }, place: null }]
  })
  const person = personMessage(parts, ['contents', i, 'parts'], (text) => ({ text }))
  return person && (results.length === 0 || person.message.content !== '') ? [...results, person] : results
}

/** A call of Gemini's, in whatever version of the protocol: Google's own client says `v1` where others say `v1beta`. */
export const isGeminiCall = (path: string): boolean =>
  /\/models\/[^/?]{1,200}:(?:(?:g|streamG)enerateContent|countTokens|(?:e|batchE)mbedContents?)(?:\?|$)/.test(
    path,
  )

const METHODS = /\/models\/[^/]{1,200}:(?:generateContent|streamGenerateContent)$/

export const gemini: Dialect = {
  id: 'gemini',
  isAt: (path) => METHODS.test(path),
  read(body) {
    const system = contentText(objectIn(body['systemInstruction'] ?? body['system_instruction'])['parts'])
    const config = objectIn(body['generationConfig'])
    const isJsonForm = config['responseMimeType'] === 'application/json'
    return {
      model: '',
      messages: [
        ...(system === '' ? [] : [{ message: { role: 'system' as const, content: system }, place: null }]),
        ...listIn(body['contents']).flatMap(readContent),
      ],
      tools: listIn(body['tools']).length,
      maxTokens: numberIn(config['maxOutputTokens']),
      // Its own schemas write types in capitals: only that it is JSON is checked.
      schema: isJsonForm ? objectIn(config['responseJsonSchema']) : null,
      previous: null,
    }
  },
  take(answer, event) {
    const candidate = objectIn(listIn(event['candidates'])[0])
    for (const part of listIn(objectIn(candidate['content'])['parts']).map(objectIn)) {
      if (part['thought'] !== true) answer.text += textIn(part['text'])
      const call = part['functionCall']
      if (isJson(call))
        answer.calls.set(answer.calls.size, {
          ...{ id: textIn(call['id']), name: textIn(call['name']) },
          input: inputText(call['args']),
        })
    }
    answer.finish = textIn(candidate['finishReason']) || answer.finish
    const usage = objectIn(event['usageMetadata'])
    answer.promptTokens = numberIn(usage['promptTokenCount']) ?? answer.promptTokens
    answer.completionTokens = numberIn(usage['candidatesTokenCount']) ?? answer.completionTokens
  },
}
