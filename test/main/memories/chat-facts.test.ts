import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { App } from '../../../src/main/app'
import { importChoiceSchema } from '../../../src/shared/domain/item-transfer'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { listAll, useAsksRig } from '../asks/rig'

const openRig = useAsksRig()
const memoryOf = (app: App) => app.memories.resolve(MY_MEMORY)
const choiceOf = (app: App, paths: readonly string[], more: object = {}) => ({
  ...importChoiceSchema.parse({ source: { from: 'paths', paths }, ...more }),
  memoryId: memoryOf(app),
})
const factsOf = async (app: App, state: 'live' | 'waiting') =>
  (await app.memory.list({ ...listAll(memoryOf(app)), state, kinds: ['fact'] })).rows

type Said = readonly (readonly ['user' | 'assistant', string])[]
const time = (day: number, n: number) => Date.UTC(2026, 1, day, 9, n) / 1000

/** An export of ChatGPT with a conversation of each day. */
const chatgpt = (chats: readonly { readonly day: number; readonly said: Said }[]): string =>
  JSON.stringify(
    chats.map(({ day, said }) => ({
      ...{ title: `Day ${day}`, conversation_id: `conv-${day}`, create_time: time(day, 0) },
      current_node: `n${said.length - 1}`,
      mapping: Object.fromEntries(
        said.map(([role, text], n) => [
          `n${n}`,
          {
            ...{ id: `n${n}`, parent: n === 0 ? null : `n${n - 1}`, children: [`n${n + 1}`] },
            message: {
              ...{ id: `m${n}`, author: { role }, create_time: time(day, n), recipient: 'all' },
              content: { content_type: 'text', parts: [text] },
            },
          },
        ]),
      ),
    })),
  )

const claudeCode = (said: Said): string =>
  said
    .map(([role, text], n) =>
      JSON.stringify({
        ...{ type: role, sessionId: 's1', version: '2.0.1', uuid: `u${n}`, isSidechain: false },
        ...{
          timestamp: new Date(time(20, n) * 1000).toISOString(),
          message: { role, content: [{ type: 'text', text }] },
        },
      }),
    )
    .join('\n')

const codex = (said: Said): string =>
  [
    { timestamp: '2026-02-21T09:00:00.000Z', type: 'session_meta', payload: { id: 'c1' } },
    ...said.map(([role, text], n) => ({
      ...{ timestamp: new Date(time(21, n) * 1000).toISOString(), type: 'response_item' },
      payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
    })),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')

const DENTIST: Said = [
  ['user', 'Who is my dentist?'],
  ['assistant', 'Your dentist is Dr. Smith. I live in a server and I am vegan.'],
  ['user', 'No, it is Dr. Weber.'],
  ['assistant', 'Noted.'],
]

const HOST: Said = [
  ['user', 'What is our staging host?'],
  ['assistant', 'I do not know.'],
  ['user', 'No, that is wrong.'],
  ['assistant', 'It is vela-1.'],
  ['user', 'It is vela-7.example.org.'],
  ['assistant', 'Thank you.'],
]

test('what a person said in chats with other programs waits for their word, and goes with the import', async () => {
  const { app, folder } = await openRig()
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  await app.memory.add(memoryOf(app), 'fact', { statement: 'I am allergic to nuts.' }, null)
  const paths = [
    await write(
      'conversations.json',
      chatgpt([
        // The newest stands first, as in exports.
        { day: 9, said: DENTIST },
        {
          day: 3,
          said: [
            ['user', 'Remember that my dentist is Dr. Old.'],
            ['assistant', 'I will.'],
            ['user', 'I am allergic to nuts. I live in Bern. What can I bake?'],
            ['assistant', 'Bread.'],
            [
              'user',
              'Remember that my password is hunter2secret and my key is sk-proj-abcdefghijklmnopqrstuvwx1234',
            ],
            ['assistant', 'No.'],
          ],
        },
        {
          day: 1,
          said: [
            ['user', 'The villa has four bedrooms and a pool. Write an advert.'],
            ['assistant', 'Come and stay.'],
            ['user', 'I speak Polish. I hate coriander. I work as a nurse.'],
            ['assistant', 'Good to know.'],
            ['user', 'I live near Basel. Thanks.'],
            ['assistant', 'Fine.'],
          ],
        },
      ]),
    ),
    await write('session.jsonl', claudeCode(HOST)),
    await write(
      'rollout-1.jsonl',
      codex([
        ['user', 'Remember that we deploy on Thursdays.'],
        ['assistant', 'Yes.'],
      ]),
    ),
  ]
  const preview = await app.imports.preview(choiceOf(app, paths))
  const waiting = [
    'My dentist is Dr. Weber.',
    'I live in Bern.',
    'I speak Polish.',
    'I hate coriander.',
    'I work as a nurse.',
    'We deploy on Thursdays.',
    'Our staging host is vela-7.example.org.',
  ]
  expect(preview).toMatchObject({ waiting: waiting.length })
  expect(preview.kinds.find(({ kind }) => kind === 'fact')).toMatchObject({ fresh: waiting.length })
  expect(await factsOf(app, 'waiting')).toEqual([])

  const unchosen = await app.imports.run(choiceOf(app, paths, { kinds: ['experience'] }))
  expect(unchosen.waiting).toBe(0)
  await app.imports.undo(memoryOf(app), unchosen.importId)
  const { importId, ...report } = await app.imports.run(choiceOf(app, paths))
  expect(report).toMatchObject({ waiting: waiting.length, imported: preview.imported })
  const rows = await factsOf(app, 'waiting')
  expect(rows.map(({ title }) => title).toSorted()).toEqual(waiting.toSorted())
  const dentist = rows.find(({ title }) => title.includes('dentist'))
  const shown = await app.memory.get(memoryOf(app), { kind: 'fact', id: dentist?.id ?? '' })
  expect(shown.gone).toMatchObject({ why: 'chat' })
  expect(shown.facts).toContainEqual({ label: 'In your words', value: 'No, it is Dr. Weber.' })
  // Nothing is drawn twice, also of a session that went on.
  await write(
    'session.jsonl',
    claudeCode([...HOST, ['user', 'I am from Lund. Go on.'], ['assistant', 'OK.']]),
  )
  const again = await app.imports.run(choiceOf(app, paths))
  expect((await factsOf(app, 'waiting')).map(({ title }) => title)).toContain('I am from Lund.')
  expect(again.waiting).toBe(1)
  await app.imports.undo(memoryOf(app), again.importId)

  // All of it on one word, or none.
  await app.memory.release(memoryOf(app), { by: 'import', importId: String(importId) })
  expect((await factsOf(app, 'live')).map(({ title }) => title).toSorted()).toEqual(
    ['I am allergic to nuts.', ...waiting].toSorted(),
  )
  await app.imports.undo(memoryOf(app), importId)
  expect((await factsOf(app, 'live')).map(({ title }) => title)).toEqual(['I am allergic to nuts.'])
})

test('of two chats the later word wins, whatever is read first, and the earlier is gone once it is believed', async () => {
  const { app, folder } = await openRig()
  const file = join(folder, 'conversations.json')
  const said = (name: string): Said => [
    ['user', `Remember that my landlord is ${name}.`],
    ['assistant', 'Yes.'],
  ]
  await app.memory.add(memoryOf(app), 'fact', { statement: 'The name of our cat is Miro.' }, null)
  await writeFile(
    file,
    chatgpt([
      { day: 2, said: said('Anna') },
      { day: 5, said: said('Bea') },
      { day: 4, said: said('Cleo') },
      {
        day: 6,
        said: [
          ['user', 'Remember that the name of our cat is Tiger.'],
          ['assistant', 'Yes.'],
        ],
      },
    ]),
  )
  const { importId, waiting } = await app.imports.run(choiceOf(app, [file]))
  // What is known here was said later than in any chat.
  expect(waiting).toBe(2)
  await app.memory.release(memoryOf(app), { by: 'import', importId: String(importId) })
  expect((await factsOf(app, 'live')).map(({ title }) => title).toSorted()).toEqual([
    'My landlord is Bea.',
    'The name of our cat is Miro.',
  ])
})
