import { expect, test } from 'vitest'
import { recogniseFormat, readableFormats } from '../../../src/core/formats'
import { chat } from '../../../src/core/formats/chat'

/** Files as programs for conversations write them, with made-up words. */
const FILES = {
  'messages.json': [
    { role: 'user', content: 'What is 2+2?' },
    { role: 'assistant', content: '4' },
  ],
  'continue.json': {
    title: 'Fix test',
    history: [
      { message: { role: 'user', content: 'Why does it fail?' }, contextItems: [] },
      { message: { role: 'assistant', content: 'A typo.' }, contextItems: [] },
    ],
  },
  'copilot.json': {
    requesterUsername: 'me',
    requests: [
      {
        message: { text: 'Explain this', parts: [] },
        response: [{ value: 'It ' }, { kind: 'toolInvocationSerialized' }, { value: 'adds.' }],
      },
    ],
  },
  'webui.json': {
    internal: [
      ['<|BEGIN-VISIBLE-CHAT|>', 'Hello!'],
      ['Who are you?', 'A program.'],
    ],
    visible: [['Who are you?', 'A program.']],
  },
  'workspace.json': [
    { id: 1, prompt: 'What is our boat called?', response: 'Petrel.', sent_at: '2026-01-01' },
    { id: 2, prompt: 'And the dog?', response: 'Bo.', sent_at: '2026-01-02' },
  ],
}
const LINES = {
  'tavern.jsonl': [
    { user_name: 'You', character_name: 'Seraphina' },
    { name: 'You', is_user: true, mes: 'Where do we meet?' },
    { name: 'Seraphina', is_user: false, mes: 'At the mill.' },
  ],
  'goose.jsonl': [
    { working_dir: '/w', message_count: 4 },
    { role: 'user', created: 1, content: [{ type: 'text', text: 'How many files?' }] },
    {
      role: 'assistant',
      content: [
        {
          ...{ type: 'toolRequest', id: 't1' },
          toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls | wc -l' } } },
        },
      ],
    },
    {
      role: 'user',
      content: [
        {
          ...{ type: 'toolResponse', id: 't1' },
          toolResult: { status: 'success', value: [{ type: 'text', text: '12' }] },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'There are 12.' }] },
  ],
}
const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(FILES).map(([name, value]) => [name, JSON.stringify(value, null, 2)])),
  ...Object.fromEntries(
    Object.entries(LINES).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).join('\n')]),
  ),
}

async function read(name: string): Promise<unknown[]> {
  async function* pieces() {
    yield await Promise.resolve(TEXTS[name] ?? '')
  }
  const all: unknown[] = []
  for await (const one of chat.read(pieces(), { memoryId: 'm', now: '', hash: (text) => text }))
    if (one.kind === 'left') all.push(one.why)
    else if (one.kind === 'log')
      all.push([one.log.question, ...one.log.steps.map(({ content, observation }) => observation ?? content)])
  return all
}

test.each(Object.keys(TEXTS))('%s is a conversation', (name) => {
  expect(recogniseFormat(TEXTS[name] ?? '', name, readableFormats()).format.id).toBe('chat')
})

const NO_MESSAGE = 'it holds no messages with a role'

test('turns are read as whoever said them, whatever names them', async () => {
  expect(await read('messages.json')).toEqual([['What is 2+2?', '4']])
  expect(await read('continue.json')).toEqual([['Why does it fail?', 'A typo.']])
  expect(await read('copilot.json')).toEqual([['Explain this', 'It adds.']])
  expect(await read('webui.json')).toEqual([['Who are you?', 'A program.']])
  expect(await read('workspace.json')).toEqual([
    ['What is our boat called?', 'Petrel.'],
    ['And the dog?', 'Bo.'],
  ])
  expect(await read('tavern.jsonl')).toEqual([NO_MESSAGE, ['Where do we meet?', 'At the mill.']])
  expect(await read('goose.jsonl')).toEqual([NO_MESSAGE, ['How many files?', '12', 'There are 12.']])
})
