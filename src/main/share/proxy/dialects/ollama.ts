import {
  numberIn,
  listIn,
  objectIn,
  textIn,
  isJson,
  type Dialect,
  type Json,
  type ReadAnswer,
} from './dialect'
import { chatMessages, takeCalls } from './openai'

const about = (body: Json) => ({
  model: textIn(body['model']),
  tools: listIn(body['tools']).length,
  maxTokens: numberIn(objectIn(body['options'])['num_predict']),
  schema: body['format'] === 'json' ? {} : isJson(body['format']) ? body['format'] : null,
  previous: null,
})

function takeEnd(answer: ReadAnswer, event: Json): void {
  answer.finish = textIn(event['done_reason']) || answer.finish
  answer.promptTokens = numberIn(event['prompt_eval_count']) ?? answer.promptTokens
  answer.completionTokens = numberIn(event['eval_count']) ?? answer.completionTokens
}

export const ollamaChat: Dialect = {
  id: 'ollama-chat',
  isAt: (path) => path.endsWith('/api/chat'),
  read: (body) => ({ ...about(body), messages: chatMessages(body['messages']) }),
  take(answer, event) {
    const message = objectIn(event['message'])
    answer.text += textIn(message['content'])
    // Calls come whole, in any of the lines.
    if (listIn(message['tool_calls']).length > 0) {
      const calls = listIn(message['tool_calls']).map((call, i) => ({
        ...objectIn(call),
        index: answer.calls.size + i,
      }))
      takeCalls(answer, calls)
    }
    takeEnd(answer, event)
  },
}

export const ollamaGenerate: Dialect = {
  id: 'ollama-generate',
  isAt: (path) => path.endsWith('/api/generate'),
  read: (body) =>
    textIn(body['prompt']) === ''
      ? null
      : {
          ...about(body),
          messages: [
            ...(textIn(body['system']) === ''
              ? []
              : [{ message: { role: 'system' as const, content: textIn(body['system']) }, place: null }]),
            {
              message: { role: 'user', content: textIn(body['prompt']) },
              place: { path: ['prompt'], part: null },
            },
          ],
        },
  take(answer, event) {
    answer.text += textIn(event['response'])
    takeEnd(answer, event)
  },
}
