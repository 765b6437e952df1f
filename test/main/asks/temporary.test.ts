import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { GenerateRequest, LanguageModel } from '../../../src/core/ground/chat'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { askAndWait, useAsksRig, type AsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

/** One white pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

async function openModel(images: boolean) {
  const requests: GenerateRequest[] = []
  const model: LanguageModel = {
    ...{ name: 'eye', path: 'eye', contextSize: 8192 },
    can: { tools: true, constraint: 'grammar', thinking: true, softPrompts: false, images },
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    generate(request, { onToken } = {}) {
      requests.push(request)
      onToken?.('A zebrafinch.')
      const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
      return Promise.resolve({ text: 'A zebrafinch.', usage, finish: 'end' })
    },
  }
  server = await startModelServer('eye', model)
  return { requests, model: `openai:eye@${server.url}` }
}

/** Files of a data folder that hold some words. A file that takes its place meanwhile has all read anew. */
async function filesWith(rig: AsksRig, words: string): Promise<string[]> {
  const entries = await readdir(rig.folder, { recursive: true, withFileTypes: true })
  const holding: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (text === undefined) return filesWith(rig, words)
    if (text.includes(words)) holding.push(path)
  }
  return holding
}

test('nothing of a temporary ask is on disk, and nothing left after a restart, unless it is kept', async () => {
  const { model } = await openModel(false)
  const rig = await openRig()
  const talk = (text: string) => askAndWait(rig.app, { text, model, tools: [], temporary: true })
  const first = await talk('which bird is a quibblewren?')
  expect(first.ask).toMatchObject({ temporary: true, status: 'done' })
  await rig.app.asks.teach(first.ask.id, 0, { verdict: 'right', answer: null, wrongAt: null, note: null })
  await rig.app.asks.settled()
  expect(rig.app.asks.get(first.ask.id).attempts[0]?.judgement?.learned).toEqual([])
  expect(await filesWith(rig, 'quibblewren')).toEqual([])
  expect(await filesWith(rig, 'zebrafinch')).toEqual([])
  const second = await talk('which bird is a snorklewren?')
  const branch = await rig.app.asks.fork(second.ask.id, 0)
  expect(branch.temporary).toBe(true)
  await rig.app.asks.keep(second.ask.id)
  const kept = rig.app.asks.get(second.ask.id)
  expect(kept.ask).toMatchObject({ temporary: false, spec: { remember: true } })
  const app = await rig.reopen()
  expect(app.asks.list({ text: '', deleted: false }).map(({ id }) => id)).toEqual([second.ask.id])
  expect(app.asks.get(second.ask.id)).toEqual(kept)
  expect(await filesWith(rig, 'quibblewren')).toEqual([])
})

test.each([true, false])(
  'a picture reaches a model that sees (%s), and is named to one that does not',
  async (images) => {
    const { model, requests } = await openModel(images)
    const { app } = await openRig()
    const files = [{ name: 'bird.png', base64: PIXEL }]
    const { attempts } = await askAndWait(app, { text: 'Which bird is this?', model, tools: [], files })
    const message = requests.at(-1)?.messages.at(-1)
    expect(message).toMatchObject({ role: 'user' })
    const sent = message?.role === 'user' ? (message.images ?? []) : null
    expect(sent).toEqual(images ? [{ type: 'image/png', data: PIXEL }] : [])
    expect(message?.content).toContain('Which bird is this?')
    expect(attempts[0]?.trajectory.task.context).toContain(
      images ? 'bird.png shown' : 'bird.png not shown, since this model takes no pictures',
    )
  },
)
