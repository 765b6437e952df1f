import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readableFormat, readableFormats, recogniseFormat } from '../../../../src/core/formats'
import type { ForeignChat } from '../../../../src/core/memory/experiences/import/foreign-chat'
import type { Found } from '../../../../src/core/memory/experiences/import/log'

const sample = (name: string): string => readFileSync(resolve('test/fixtures/kb/logs', name), 'utf8')

async function readAs(id: string, text: string, beside: object | null = null): Promise<Found[]> {
  async function* torn() {
    for (let at = 0; at < text.length; at += 41) yield await Promise.resolve(text.slice(at, at + 41))
  }
  const bytes = beside && new TextEncoder().encode(JSON.stringify(beside))
  const context = {
    memoryId: 'm',
    now: '2026-03-01T00:00:00.000Z',
    hash: (one: string) => one,
    beside: bytes,
  }
  const found: Found[] = []
  for await (const one of readableFormat(id).read?.(torn(), context) ?? []) found.push(one)
  return found
}
const chatsIn = (found: readonly Found[]): ForeignChat[] =>
  found.flatMap((one) => (one.kind === 'chat' ? [one.chat] : []))

/** A conversation as lines: who said what, a call of a tool in brackets, other tries behind bars. */
const outline = ({ turns }: ForeignChat): string[] =>
  turns.flatMap(({ text, tries }) => [
    `person: ${text}`,
    ...tries.map(
      ({ text: words, rounds }) =>
        `${words === null ? '' : `(${words}) `}${rounds
          .map(({ action, call, observation }) =>
            call
              ? `[${call.name}: ${observation ?? 'nothing'}]`
              : action.kind === 'answer'
                ? action.content
                : '',
          )
          .join(' ')}`,
    ),
  ])

test('ChatGPT: the open branch, answers that were asked for again as tries, calls, times, model and title', async () => {
  const found = await readAs('chatgpt', sample('chatgpt.json'))
  const [chat, ...others] = chatsIn(found)
  expect(others).toEqual([])
  expect(chat && outline(chat)).toEqual([
    'person: How do I water a fern?',
    'Never.',
    '[python: 1] Keep it moist.',
    'person: Thanks!',
  ])
  expect(chat).toMatchObject({
    ...{ program: 'ChatGPT', sourceId: 'conv-1', title: 'Ferns', createdAt: '2026-02-25T06:13:20.500Z' },
    turns: [{ time: '2026-02-25T06:13:20.000Z', tries: [{ model: 'gpt-5' }, { model: 'gpt-5' }] }, {}],
  })
})

interface Said {
  readonly id: string
  readonly parent: string | null
  readonly role: string
  readonly content: object
  readonly metadata?: object
}

const chatgpt = (nodes: readonly Said[], leaf: string): string =>
  JSON.stringify([
    {
      ...{ title: 'Tree', conversation_id: 'c', current_node: leaf },
      mapping: Object.fromEntries(
        nodes.map(({ id, parent, role, content, metadata = {} }) => [
          id,
          { id, parent, message: { author: { role }, content, metadata, recipient: 'all' } },
        ]),
      ),
    },
  ])
const text = (words: string) => ({ content_type: 'text', parts: [words] })

test('a message in other words is a try; what went on after it is a conversation of its own', async () => {
  const file = chatgpt(
    [
      { id: 'a', parent: null, role: 'user', content: text('One?') },
      { id: 'b', parent: 'a', role: 'assistant', content: text('Yes.') },
      { id: 'c', parent: 'b', role: 'user', content: text('Old words') },
      { id: 'd', parent: 'c', role: 'assistant', content: text('Old answer') },
      { id: 'e', parent: 'd', role: 'user', content: text('Old end') },
      { id: 'f', parent: 'e', role: 'assistant', content: text('Old last') },
      { id: 'g', parent: 'b', role: 'user', content: text('New words') },
      { id: 'h', parent: 'g', role: 'assistant', content: text('New answer') },
    ],
    'h',
  )
  const [open, branch, ...others] = chatsIn(await readAs('chatgpt', file))
  expect(others).toEqual([])
  expect(open && outline(open)).toEqual([
    ...['person: One?', 'Yes.', 'person: New words', '(Old words) Old answer', 'New answer'],
  ])
  expect(branch && outline(branch)).toEqual([
    ...['person: One?', 'Yes.', 'person: Old words', 'Old answer', 'person: Old end', 'Old last'],
  ])
  expect(branch).toMatchObject({ title: 'Tree (branch)', sourceId: 'c/f' })
})

test('ChatGPT: thoughts stand apart, files are named, and circles end', async () => {
  const file = chatgpt(
    [
      {
        ...{ id: 'a', parent: 'c', role: 'user' },
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' }, 'What is it?'],
        },
        metadata: { attachments: [{ id: 'x', name: 'leaf.png' }] },
      },
      {
        ...{ id: 'b', parent: 'a', role: 'assistant' },
        content: { content_type: 'thoughts', thoughts: [{ summary: 'Green', content: 'It is green.' }] },
      },
      { id: 'c', parent: 'b', role: 'assistant', content: text('A leaf.') },
    ],
    'c',
  )
  const [chat] = chatsIn(await readAs('chatgpt', file))
  expect(chat?.turns).toMatchObject([
    {
      text: 'What is it?',
      files: [{ name: 'leaf.png', base64: null }],
      tries: [{ rounds: [{ thought: 'It is green.', action: { content: 'A leaf.' } }] }],
    },
  ])
})

test('a conversation in which nobody asked is no ask, and says so once', async () => {
  const found = await readAs('open-webui', sample('open-webui.json'))
  expect(chatsIn(found).map(outline)).toEqual([
    ['person: Write a pattern for a date.', 'First try', String.raw`\d{4}-\d{2}-\d{2}`],
  ])
  expect(chatsIn(found)[0]?.turns[0]?.tries[1]?.rounds[0]?.thought).toBe('digits')
  expect(found.filter(({ kind }) => kind === 'left')).toMatchObject([
    { place: { entry: 2 }, why: 'there is no request of a person in it' },
  ])
})

test('Open WebUI: a picture that stands in the export comes along, another file is named', async () => {
  const message = { id: 'a', parentId: null, childrenIds: [], role: 'user', content: 'Look.' }
  const files = [
    { type: 'image', url: 'data:image/png;base64,aGk=' },
    { type: 'file', name: 'terms.pdf', id: '1' },
  ]
  const chat = { title: 'Pictures', history: { messages: { a: { ...message, files } }, currentId: 'a' } }
  const [read] = chatsIn(await readAs('open-webui', JSON.stringify([{ id: 'w', title: 'Pictures', chat }])))
  expect(read?.turns[0]?.files).toEqual([
    { name: 'picture.png', base64: 'aGk=' },
    { name: 'terms.pdf', base64: null },
  ])
})

test('LM Studio: versions of a message and of an answer are tries, thoughts stand apart', async () => {
  const [chat, ...others] = chatsIn(await readAs('lm-studio', sample('lm-studio.conversation.json')))
  // The other version of the message was answered by nobody.
  expect(others).toEqual([])
  expect(chat && outline(chat)).toEqual([
    'person: How many feet are 3 metres? Use the tool.',
    '[convert: [{"type":"text","text":"9.84"}]] About 9.84 feet.',
  ])
  expect(chat).toMatchObject({
    ...{ program: 'LM Studio', title: 'Units', sourceId: '1737000000000' },
    ...{ createdAt: '2025-01-16T04:00:00.000Z' },
    turns: [{ tries: [{ model: 'qwen2.5-7b-instruct', rounds: [{ thought: 'The tool knows.' }, {}] }] }],
  })
})

test('Jan: a thread is called as the file beside it says; calls, thoughts and pictures in either form', async () => {
  const [plain] = chatsIn(
    await readAs('jan', sample('jan.messages.jsonl'), { id: 't1', title: 'Primes', created: 1720000000 }),
  )
  expect(plain).toMatchObject({ title: 'Primes', createdAt: '2024-07-03T09:46:40.000Z' })
  expect(plain && outline(plain)).toEqual([
    ...['person: Name a prime above 90.', '97', 'person: Is it in my notes?'],
    '[search_notes: page 3] Yes, on page 3.',
  ])
  const line = (role: string, content: object[]) =>
    JSON.stringify({ object: 'thread.message', thread_id: 't2', role, content, created_at: 1 })
  const [newer] = chatsIn(
    await readAs(
      'jan',
      [
        line('user', [
          { type: 'text', text: { value: 'What is this?', annotations: [] } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ]),
        line('assistant', [
          { type: 'reasoning', text: { value: 'I look it up.', annotations: [] } },
          { type: 'tool_call', tool_call_id: 'c1', tool_name: 'look', input: { at: 'it' }, output: 'a leaf' },
        ]),
        line('assistant', [
          { type: 'text', text: { value: '<think>Sure.</think>A leaf.', annotations: [] } },
        ]),
      ].join('\n'),
    ),
  )
  expect(newer && outline(newer)).toEqual(['person: What is this?', '[look: a leaf] A leaf.'])
  expect(newer?.turns[0]).toMatchObject({
    files: [{ name: 'picture.png', base64: 'aGk=' }],
    tries: [{ rounds: [{ thought: 'I look it up.' }, { thought: 'Sure.' }] }],
  })
})

test('Claude: messages follow the one that they name, thoughts and files are told apart from what is said', async () => {
  const message = (uuid: string, sender: string, text: string, parent: string, more: object = {}) => ({
    ...{ uuid, sender, text, parent_message_uuid: parent, created_at: '2026-01-02T03:04:05Z' },
    ...more,
  })
  const content = [
    { type: 'thinking', thinking: 'Rye is slow.' },
    { type: 'text', text: 'Twelve hours.' },
  ]
  const chat_messages = [
    message('m1', 'human', 'How long does rye rest?', 'root', { attachments: [{ file_name: 'rye.txt' }] }),
    message('m2', 'assistant', '', 'm1', { content: [{ type: 'text', text: 'An hour.' }] }),
    message('m3', 'assistant', '', 'm1', { content }),
    message('m4', 'human', 'Thanks!', 'm3'),
  ]
  const rows = [{ uuid: 'u1', name: 'Bread', created_at: '2026-01-02T03:00:00Z', chat_messages }]
  const [chat, ...others] = chatsIn(await readAs('claude-ai', JSON.stringify(rows)))
  expect(others).toEqual([])
  expect(chat && outline(chat)).toEqual([
    'person: How long does rye rest?',
    'An hour.',
    'Twelve hours.',
    'person: Thanks!',
  ])
  expect(chat).toMatchObject({
    ...{ program: 'Claude', sourceId: 'u1', title: 'Bread', createdAt: '2026-01-02T03:00:00.000Z' },
    turns: [
      { files: [{ name: 'rye.txt', base64: null }], tries: [{}, { rounds: [{ thought: 'Rye is slow.' }] }] },
      { tries: [] },
    ],
  })
})

test('LibreChat: its messages as a conversation', async () => {
  const [chat] = chatsIn(await readAs('librechat', sample('librechat.json')))
  expect(chat).toMatchObject({ program: 'LibreChat' })
  expect(chat?.turns.length).toBeGreaterThan(0)
})

test('llama.cpp’s web page: the open branch, an answer asked for again, pictures, thoughts and model', async () => {
  const file = sample('llama-page.json')
  expect(recogniseFormat(file, 'boats.json', readableFormats()).format.id).toBe('llama-page')
  const found = await readAs('llama-page', file)
  const [chat, ...others] = chatsIn(found)
  expect(others).toEqual([])
  expect(chat && outline(chat)).toEqual([
    'person: What is this?',
    'A shoe.',
    'A boat.',
    'person: Thanks!',
    'You are welcome.',
  ])
  expect(chat).toMatchObject({
    ...{ program: 'llama.cpp', sourceId: 'c1', title: 'Boats' },
    turns: [{ files: [{ name: 'boat.png', base64: 'AAAA' }], tries: [{}, { model: 'smol' }] }, {}],
  })
  expect(found.flatMap((one) => (one.kind === 'log' ? [one.log.question] : []))).toEqual([
    'What is this?',
    'Thanks!',
  ])
})
