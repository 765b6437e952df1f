import { afterEach, expect, test } from 'vitest'
import type { GenerateRequest, LanguageModel } from '../../../src/core/ground/chat'
import { createRouter } from '../../../src/main/api/router'
import { createTransports } from '../../../src/main/api/transports'
import { openArguments, type Given } from '../../../src/main/cli/arguments'
import { COMMANDS } from '../../../src/main/cli/commands'
import { exportAsk } from '../../../src/main/asks/export-ask'
import type { Contract } from '../../../src/shared/contract'
import { answerOf, keptAttempts } from '../../../src/shared/domain/ask'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { askAndWait, useAsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

/** Says what it was asked last, in capitals; it keeps what was asked of it. */
async function openTalk() {
  const requests: GenerateRequest[] = []
  const model: LanguageModel = {
    ...{ name: 'echo', path: 'echo', contextSize: 8192 },
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    generate(request, { onToken } = {}) {
      requests.push(request)
      const text = (request.messages.at(-1)?.content ?? '').toUpperCase()
      onToken?.(text)
      const usage = { promptTokens: 120, completionTokens: 30, reusedTokens: 0, ms: 1 }
      return Promise.resolve({ text, usage, finish: 'end' })
    },
  }
  server = await startModelServer('echo', model)
  const rig = await openRig()
  const { ask } = await askAndWait(rig.app, {
    ...{ text: 'first question', model: `openai:echo@${server.url}`, tools: [], remember: false },
    files: [{ name: 'note.txt', base64: Buffer.from('a note').toString('base64') }],
  })
  const say = async (text: string, askId = ask.id) => {
    await rig.app.asks.say(askId, text, [], null)
    await rig.app.asks.settled()
    return rig.app.asks.get(askId)
  }
  const lastRequest = (): string =>
    requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join('\n') ?? ''
  return { rig, ask, say, lastRequest }
}

test('an edited answer is one more try that the next message goes on from, without a model being asked', async () => {
  const { rig, ask, say, lastRequest } = await openTalk()
  const { app } = rig
  const before = lastRequest()
  const edited = await app.asks.editAnswer(ask.id, 0, 'what I say myself')
  expect(lastRequest()).toBe(before)
  expect(edited.attempts).toHaveLength(2)
  expect(edited.attempts.map(answerOf)[1]).toBe('what I say myself')
  expect(edited.attempts[1]).toMatchObject({
    from: { attempt: 0, edit: 'what I say myself' },
    judgement: null,
  })
  await say('and then?')
  expect(lastRequest()).toContain('what I say myself')
  expect(lastRequest()).not.toContain('FIRST QUESTION')
  const kept = app.asks.get(ask.id)
  expect(kept.attempts[2]).toMatchObject({ contextSize: 8192, turn: 1 })
  expect(kept.attempts[2]?.trajectory.rounds[0]?.firstMs).toBeGreaterThanOrEqual(0)
  expect((await rig.reopen()).asks.get(ask.id)).toEqual(kept)
})

test('what is taken out is read by no later request, and is back once that is undone', async () => {
  const { rig, ask, say, lastRequest } = await openTalk()
  const { app } = rig
  await expect(app.asks.takeOut(ask.id, { turn: 0 }, true)).rejects.toThrow('only message')
  await say('second question')
  await app.asks.retry(ask.id)
  await app.asks.settled()
  // Of two tries at a message the other one is read where one is taken out.
  await app.asks.takeOut(ask.id, { attempt: 2 }, true)
  await app.asks.takeOut(ask.id, { turn: 0 }, true)
  expect(keptAttempts(app.asks.get(ask.id)).map(({ index }) => index)).toEqual([1])
  expect(app.asks.list({ text: 'first', deleted: false })).toHaveLength(1)
  await say('third question')
  expect(lastRequest()).not.toContain('first question')
  expect(lastRequest()).toContain('SECOND QUESTION')
  await app.asks.takeOut(ask.id, { turn: 0 }, false)
  await say('fourth question')
  expect(lastRequest()).toContain('first question')
  const kept = app.asks.get(ask.id)
  expect((await rig.reopen()).asks.get(ask.id)).toEqual(kept)
})

test('a branch is an ask of its own: both go on, with files, and neither reads what the other was told', async () => {
  const { rig, ask, say, lastRequest } = await openTalk()
  const { app } = rig
  await say('second question')
  await say('only in the old one')
  const branch = await app.asks.fork(ask.id, 1)
  expect(branch).toMatchObject({ title: 'first question (branch)', status: 'done', turns: 2, attempts: 2 })
  await say('only in the branch', branch.id)
  expect(lastRequest()).toContain('SECOND QUESTION')
  expect(lastRequest()).toContain('a note')
  expect(lastRequest()).not.toContain('only in the old one')
  await say('on in the old one')
  expect(lastRequest()).not.toContain('only in the branch')
  expect(lastRequest()).toContain('only in the old one')
  // Words of a person are theirs in a branch too.
  const { attempts } = await app.asks.editAnswer(branch.id, 2, 'in my words')
  const again = await app.asks.fork(branch.id, attempts.length - 1)
  expect(app.asks.get(again.id).attempts.at(-1)?.from).toMatchObject({ edit: 'in my words', attempt: 2 })
  expect(exportAsk(app.asks.get(again.id), 'markdown').text).toContain(
    '## The answer in your words\n\nin my words',
  )
  await app.asks.branch(again.id, { attempt: 2, step: 0, edit: null }, {})
  await app.asks.settled()
  expect(app.asks.get(again.id)).toMatchObject({ ask: { status: 'done' }, attempts: { length: 4 } })
  const file = await app.asks.readFile(branch.id, { attempt: null, turn: 0 }, 'note.txt')
  expect(Buffer.from(file.base64, 'base64').toString()).toBe('a note')
  const kept = app.asks.get(branch.id)
  expect((await rig.reopen()).asks.get(branch.id)).toEqual(kept)
})

test('the command line edits, branches, removes and restores as the window does', async () => {
  const { rig, ask, lastRequest } = await openTalk()
  const { client } = createTransports<Contract>(createRouter(rig.app))
  const { signal } = new AbortController()
  const quiet = { status: () => undefined, endStatus: () => undefined, tell: () => undefined }
  const io = {
    ...quiet,
    out: () => undefined,
    note: () => undefined,
    ask: null,
    type: null,
    color: false,
    signal,
  }
  const reached = { client, joined: true, gone: new Promise<void>(() => undefined) }
  const host = () =>
    Promise.resolve({ ...reached, share: () => Promise.resolve(), close: () => Promise.resolve() })
  const app = () => Promise.reject(new Error('not used'))
  const asks = (verb: string, id: string, values: Given = {}, ...words: string[]) => {
    const command = COMMANDS.find((one) => one.words === `asks ${verb}`)
    const args = openArguments(['asks', verb, id, ...words], values)
    return command?.run({ args, io, host, app })
  }
  expect(await asks('edit', ask.id, { 'as-answer': true }, 'mine')).toMatchObject({ try: 2, answer: 'mine' })
  const again = (await asks('edit', ask.id, {}, 'other', 'words')) as { answer: string }
  expect(again.answer).toContain('OTHER WORDS')
  expect(lastRequest()).not.toContain('first question')
  expect(await asks('remove', ask.id, { try: '3' })).toMatchObject({ part: { attempt: 2 } })
  // The newest try that is not removed.
  const branch = (await asks('branch', ask.id)) as { ask: string }
  expect((await client.asks.get({ askId: branch.ask })).attempts.map(answerOf)).toEqual(['mine'])
  await asks('remove', branch.ask)
  expect((await client.asks.list()).map(({ id }) => id)).toEqual([ask.id])
  await asks('restore', branch.ask)
  await asks('restore', ask.id, { try: '3' })
  expect(await client.asks.list()).toHaveLength(2)
  expect(keptAttempts(await client.asks.get({ askId: ask.id }))).toHaveLength(3)
  await expect(asks('remove', ask.id, { try: '1', message: '1' })).rejects.toThrow('Either')
  await expect(asks('edit', ask.id)).rejects.toThrow('In which words?')
})
