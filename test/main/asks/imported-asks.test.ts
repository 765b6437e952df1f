import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { GenerateRequest } from '../../../src/core/ground/chat'
import type { App } from '../../../src/main/app'
import { exportAsk } from '../../../src/main/asks/export-ask'
import { answerOf } from '../../../src/shared/domain/ask'
import { IMPORTED_MODEL } from '../../../src/shared/domain/ask-origin'
import { importChoiceSchema } from '../../../src/shared/domain/item-transfer'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { leftCount } from '../../../src/shared/domain/reading'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { parrotSaying } from './parrot'
import { askAndWait, RIGHT, useAsksRig } from './rig'

const LOGS = resolve('test/fixtures/kb/logs')
const ALL = ['chatgpt.json', 'open-webui.json', 'lm-studio.conversation.json', 'jan.messages.jsonl'].map(
  (name) => join(LOGS, name),
)
const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const choiceOf = (app: App, paths: readonly string[], more: object = {}) => ({
  ...importChoiceSchema.parse({ source: { from: 'paths', paths }, ...more }),
  memoryId: app.memories.resolve(MY_MEMORY),
})
const take = (app: App, paths: readonly string[], more: object = {}) =>
  app.imports.run(choiceOf(app, paths, more))
const list = (app: App, text = '') => app.asks.list({ text, deleted: false })
const askCalled = (app: App, title: string) => {
  const ask = list(app).find((one) => one.title === title)
  if (!ask) throw new Error(`There is no ask called ${title}.`)
  return app.asks.get(ask.id)
}
/** The parrot, asked once, so that it is the model of this person; it keeps what it was asked. */
async function withParrot(app: App): Promise<GenerateRequest[]> {
  const requests: GenerateRequest[] = []
  const parrot = parrotSaying('Yes.')
  server = await startModelServer('parrot', {
    ...parrot,
    generate: (request, options) => {
      requests.push(request)
      return parrot.generate(request, options)
    },
  })
  await askAndWait(app, { text: 'first?', model: `openai:parrot@${server.url}`, tools: [], remember: false })
  return requests
}

test('conversations of four programs become asks: counted, chosen, not judged, and not twice', async () => {
  const rig = await openRig()
  const { app } = rig
  const preview = await app.imports.preview(choiceOf(app, ALL))
  const asks = preview.kinds.find(({ kind }) => kind === 'asks')
  expect(asks).toMatchObject({
    rows: 4,
    fresh: 4,
    samples: [{ title: 'Ferns' }, { title: 'Regex' }, { title: 'Units' }],
  })
  expect(list(app)).toEqual([])
  const report = await take(app, ALL, { kinds: ['asks'], project: 'Old chats' })
  expect(report.rows).toBe(report.imported + report.duplicates + leftCount(report))
  expect(report.imported).toBe(4)
  // The second conversation of Open WebUI is empty.
  expect(report.left.filter(({ why }) => why === 'there is no request of a person in it')).toHaveLength(1)
  // Nothing else was chosen, and nothing is learned, judged or waits to be.
  const bank = await app.memories.open(app.memories.resolve(MY_MEMORY))
  expect([...bank.experiences.entries()]).toEqual([])
  expect(app.asks.review()).toMatchObject({ total: 0 })
  expect(app.asks.unreadMessages('any')).toEqual([])

  const { ask, turns, attempts } = askCalled(app, 'Ferns')
  expect(ask).toMatchObject({
    ...{ status: 'stopped', folder: 'Old chats', verdict: null, presumed: 0, unread: false },
    ...{ createdAt: '2026-02-25T06:13:20.500Z', origin: { program: 'ChatGPT', turns: 2, attempts: 2 } },
  })
  expect(ask.spec.model).toBe(IMPORTED_MODEL)
  expect(turns.map(({ text, after }) => [text, after])).toEqual([
    ['How do I water a fern?', null],
    ['Thanks!', 1],
  ])
  expect(attempts.map((one) => [one.turn, answerOf(one), one.trajectory.model, one.judgement])).toEqual([
    [0, 'Never.', 'gpt-5', null],
    [0, 'Keep it moist.', 'gpt-5', null],
  ])
  expect(attempts[1]?.trajectory.rounds[0]).toMatchObject({ call: { name: 'python' }, observation: '1' })
  expect(list(app, 'keep moist').map(({ id }) => id)).toEqual([ask.id])
  const { text } = exportAsk(app.asks.get(ask.id), 'markdown')
  expect(text).toContain('Imported from ChatGPT.')
  expect(text).toContain('## gpt-5, try 2 of 2')

  const again = await take(app, ALL, { kinds: ['asks'] })
  expect(again).toMatchObject({ imported: 0, duplicates: 4, importId: null })
  const kept = list(app)
  expect(list(await rig.reopen())).toEqual(kept)
  // What was deleted does not come back by itself.
  await rig.app.asks.remove(ask.id)
  expect(await take(rig.app, ALL, { kinds: ['asks'] })).toMatchObject({ imported: 0, duplicates: 3 })
})

test('the next message goes on with a model of the person, who reads what was said before', async () => {
  const { app } = await openRig()
  await take(app, ALL)
  const { ask } = askCalled(app, 'Regex')
  await expect(app.asks.say(ask.id, 'And a time?', [], null)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(app.asks.get(ask.id).turns).toHaveLength(1)
  const requests = await withParrot(app)
  await app.asks.say(ask.id, 'And a time?', [], null)
  await app.asks.settled()
  const { attempts, ask: now } = app.asks.get(ask.id)
  expect(attempts.map(answerOf).at(-1)).toBe('Yes.')
  const said = requests.at(-1)?.messages.map(({ content }) => content) ?? []
  expect(said.slice(-3)).toEqual([
    'Write a pattern for a date.',
    String.raw`\d{4}-\d{2}-\d{2}`,
    'And a time?',
  ])
  // Only what was answered here waits for a word.
  expect(
    app.asks
      .review()
      .entries.filter(({ askId }) => askId === ask.id)
      .map(({ attempt }) => attempt),
  ).toEqual([2])
  expect(now.presumed).toBe(0)
  // What was gone on with comes first, however old it is.
  expect(
    list(app)
      .map(({ title }) => title)
      .slice(0, 2),
  ).toEqual(['Regex', 'first?'])
  // A try of the other program is made again by the same model.
  await app.asks.retry(askCalled(app, 'Ferns').ask.id)
  await app.asks.settled()
  expect(askCalled(app, 'Ferns').attempts.at(-1)).toMatchObject({ turn: 1, trajectory: { model: 'parrot' } })
})

test('an import is undone as a whole, also after a restart; what was gone on with is said and stays', async () => {
  const rig = await openRig()
  const { importId } = await take(rig.app, ALL)
  await withParrot(rig.app)
  const units = askCalled(rig.app, 'Units').ask.id
  await rig.app.asks.say(units, 'And 4?', [], null)
  await rig.app.asks.settled()
  await rig.app.asks.teach(askCalled(rig.app, 'Ferns').ask.id, 1, RIGHT)
  await rig.app.asks.settled()
  const app = await rig.reopen()
  const memoryId = app.memories.resolve(MY_MEMORY)
  expect(await app.imports.list(memoryId)).toMatchObject([{ importId, goneOnWith: 2 }])
  const undone = await app.imports.undo(memoryId, importId)
  expect(undone.stays).toContainEqual({ kind: 'asks', count: 2, why: 'you went on with them' })
  const titles = ['Units', 'Ferns', 'first?']
  expect(
    list(app)
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(titles.toSorted())
  expect(
    list(await rig.reopen())
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(titles.toSorted())
  // What is gone can come in again; what stayed is there.
  expect(await take(rig.app, ALL, { kinds: ['asks'] })).toMatchObject({ imported: 2, duplicates: 2 })
})

test('a conversation that went on in the other program takes the place of what nobody touched, until that is undone', async () => {
  const { app, folder } = await openRig()
  const write = async (name: string, words: readonly string[]) => {
    const place = join(folder, 'threads', name)
    await mkdir(place, { recursive: true })
    const lines = words.map((value, i) => ({
      ...{ object: 'thread.message', thread_id: 't', role: i % 2 === 0 ? 'user' : 'assistant' },
      ...{ content: [{ type: 'text', text: { value, annotations: [] } }], created_at: 1720000000000 + i },
      ...(i === 0 && { attachments: [{ file_id: 'f1', name: 'bill.pdf' }] }),
    }))
    await writeFile(join(place, 'messages.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await writeFile(
      join(place, 'thread.json'),
      JSON.stringify({ id: 't', title: 'Bills', created: 1720000000 }),
    )
    return take(app, [place], { kinds: ['asks'] })
  }
  const first = await write('a', ['What is due?', 'Four euros.'])
  // The thread's own file is read with its messages, and the attachment is named.
  expect(first.left.map(({ why }) => why)).toContain('it is read with the file beside it')
  expect(first.notes.some((note) => note.includes('is not in the log'))).toBe(true)
  expect(askCalled(app, 'Bills').turns[0]?.missing).toEqual(['bill.pdf'])
  const second = await write('b', ['What is due?', 'Four euros.', 'When?', 'Today.'])
  expect(list(app).map(({ turns }) => turns)).toEqual([2])
  await app.imports.undo(app.memories.resolve(MY_MEMORY), second.importId)
  expect(list(app).map(({ turns }) => turns)).toEqual([1])
})
