import { expect, it } from 'vitest'
import { dialectAt } from '../../../src/main/share/proxy/dialects'
import { answerReader } from '../../../src/main/share/proxy/read-answer'

const STREAMS: readonly (readonly [path: string, head: object, last: object])[] = [
  [
    '/v1/responses',
    {
      type: 'response.created',
      response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
    },
    {
      type: 'response.completed',
      response: { id: 'r', object: 'response', status: 'completed', output: [] },
    },
  ],
  [
    '/v1/chat/completions',
    { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  [
    '/v1/messages',
    { type: 'message_start', message: { type: 'message', content: [], stop_reason: null, usage: {} } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
  ],
  [
    '/v1beta/models/m:streamGenerateContent',
    { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    { candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] },
  ],
]

it.each(STREAMS)(
  'an answer at %s is whole from the event that says how it ended',
  async (path, head, last) => {
    const dialect = dialectAt(path)
    if (!dialect) throw new Error(path)
    const reader = answerReader(dialect, 'text/event-stream')
    const tell = (event: object): Promise<void> =>
      reader.bytes(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
    expect(reader.isWhole()).toBe(false)
    await tell(head)
    expect(reader.isWhole()).toBe(false)
    await tell(last)
    expect(reader.isWhole()).toBe(true)
  },
)
