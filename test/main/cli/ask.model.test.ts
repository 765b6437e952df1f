import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GenerateRequest } from '../../../src/core/ground/chat'
import { startModelServer } from '../../fixtures/model-server'
import { COUNT_BOOKINGS, hasDemoModel } from '../asks/rig'
import { connectTo, isBuilt, startHeadless } from '../headless-process'
import { tempFolder } from '../runs/rig-app'
import { lastLine, loam, loamHere } from './loam-process'

vi.setConfig({ testTimeout: 180_000 })

let folder: string
beforeAll(async () => {
  folder = await tempFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const json = (...args: string[]) => loamHere(...args, '--data', join(folder, 'data'), '--json')
const askIn = (out: string): unknown => (lastLine(out) as { ask: unknown }).ask
const ask = (...args: string[]) => json('ask', ...args)
const asks = (...args: string[]) => json('asks', ...args)

test.skipIf(!hasDemoModel)(
  'an ask from the command line is answered, gone on with, shown, judged, kept in "My work", and refused in words',
  async () => {
    const world = ['--stream', 'house-rules-a', '--task', '13']
    const { code, out } = await ask('Harbor: Count the lost shipments.', ...world)
    expect(code).toBe(0)
    expect(lastLine(out)).toMatchObject({ answer: '[(9,)]', finish: 'completed', recalled: [], made: [] })
    const first = String(askIn(out))

    // It goes on: in the ask that is named, or in the one that changed last.
    const more = await ask('Harbor: Count the bookings with price over 45.', '--in', first)
    expect(more.code).toBe(0)
    expect(askIn(more.out)).toBe(first)
    expect((await ask('Once more.', '--continue')).code).toBe(0)
    expect(lastLine((await ask('x', '--in', first, '--plan')).out)).toMatchObject({
      error: { code: 'BAD_INPUT', cause: expect.stringContaining('--plan') as unknown },
    })
    expect(lastLine((await ask('x', '--in', 'ask-nowhere')).out)).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })

    // It is listed, shown, and judged; what was learned from it is said.
    expect(lastLine((await asks('lost shipments')).out)).toMatchObject({
      asks: [{ id: first, turns: 3, verdict: null }],
    })
    const judged = await asks('judge', first, 'right', '--try', '1')
    expect(judged.code).toBe(0)
    expect(lastLine(judged.out)).toMatchObject({
      verdict: 'right',
      by: 'person',
      learned: [{ kind: 'case' }],
    })
    const wrong = await asks('judge', first, 'wrong', '--wrong-at', '1', '--because', 'not the bookings')
    expect(lastLine(wrong.out)).toMatchObject({ try: 3, wrongAt: 0, note: 'not the bookings' })
    const shown = await asks('show', first)
    expect(lastLine(shown.out)).toMatchObject({ attempts: [{ judgement: { verdict: 'right' } }, {}, {}] })
    const told = await loam('asks', 'show', first, '--data', join(folder, 'data')).ended
    expect(told.out).toContain('> Harbor: Count the bookings with price over 45.')
    expect(told.out).toContain('Try 1, Loam demo, case-bank, right:\n[(9,)]')
    expect((await asks('judge', first, 'maybe')).code).toBe(2)
    expect((await asks('show')).code).toBe(2)

    const nothing = await ask('Look.', '--file', join(folder, 'nothing.txt'))
    expect(nothing.code).toBe(2)
    expect(lastLine(nothing.out)).toMatchObject({ error: { code: 'NOT_FOUND' } })
    const nowhere = await ask('Look.', '--stream', 'house-rules-a', '--task', '5000')
    expect(lastLine(nowhere.out)).toMatchObject({ error: { code: 'BAD_INPUT' } })
  },
)

test.skipIf(!hasDemoModel || !isBuilt)(
  'the ask of a Loam that is open is gone on with, judged and listed there (needs a build)',
  async () => {
    const data = join(folder, 'open')
    const host = startHeadless(data)
    try {
      const { client } = await connectTo(await host.url)
      const own = (...args: string[]) => loamHere(...args, '--data', data, '--json')
      const { out } = await own('ask', COUNT_BOOKINGS, '--stream', 'house-rules-a', '--task', '4')
      const askId = String(askIn(out))
      expect((await own('ask', 'And those over 45?', '--continue')).code).toBe(0)
      const judged = await own('asks', 'judge', askId, 'partly', '--try', '2')
      expect(lastLine(judged.out)).toMatchObject({ ask: askId, try: 2, verdict: 'partly' })
      const detail = await client.asks.get({ askId })
      expect(detail.turns.map(({ text }) => text)).toEqual([COUNT_BOOKINGS, 'And those over 45?'])
      expect(detail.attempts[1]?.judgement).toMatchObject({ verdict: 'partly' })
      expect(lastLine((await own('asks')).out)).toMatchObject({ asks: [{ id: askId }] })
    } finally {
      host.child.kill()
      await host.ended
    }
  },
)

/** A model that answers the same to everything, and what it was asked. */
async function startPump() {
  const heard: GenerateRequest[] = []
  const server = await startModelServer('pump', {
    name: 'pump',
    path: 'pump',
    contextSize: 4096,
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    generate(request, { onToken } = {}) {
      heard.push(request)
      const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
      const text = 'A bilge pump with 12 volts.'
      onToken?.(text)
      return Promise.resolve({ text, usage, finish: 'end' })
    },
  })
  return { heard, server }
}

const wordsOf = (request?: GenerateRequest): string | undefined =>
  request?.messages.map(({ content }) => content).join('\n')

test('a list says which items an answer was shown that nobody judged, by whatever name the memory goes', async () => {
  const { server } = await startPump()
  try {
    const name = ['--memory', 'Boats']
    expect((await json('memories', 'new', 'Boats')).code).toBe(0)
    expect((await json('remember', 'My boat is called Gull.', ...name)).code).toBe(0)
    const model = ['--model', `openai:pump@${server.url}`]
    expect((await ask('What is my boat called?', ...model, ...name)).code).toBe(0)
    const { out } = await loamHere('memory', 'list', ...name, '--data', join(folder, 'data'))
    expect(out).toContain('My boat is called Gull.  recalled, 1 answer with it not judged yet')
  } finally {
    await server.close()
  }
})

test('what was said in another ask goes along with --with-ask, as a file that is read', async () => {
  const { heard, server } = await startPump()
  try {
    const model = ['--model', `openai:pump@${server.url}`, '--no-memory']
    const first = await ask('Which pump suits a small boat?', ...model)
    expect(first.code).toBe(0)
    const id = String(askIn(first.out))
    const second = await ask('How many volts did we say?', ...model, '--with-ask', id)
    expect(second.code).toBe(0)
    expect(wordsOf(heard.at(-1))).toContain('File which-pump-suits-a-small-boat.md')
    expect(wordsOf(heard.at(-1))).toContain('A bilge pump with 12 volts.')
    expect(lastLine((await ask('x', ...model, '--with-ask', 'ask-nowhere')).out)).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  } finally {
    await server.close()
  }
})

test('saved prompts are asked by name, and an ask says more of its sampling and length than its project', async () => {
  const { heard, server } = await startPump()
  try {
    const model = ['--model', `openai:pump@${server.url}`, '--no-memory']
    expect((await json('prompts', 'save', 'Short', 'Answer in one sentence:')).code).toBe(0)
    const again = await json('prompts', 'save', 'short', 'In two words:')
    expect(lastLine(again.out)).toMatchObject({ error: { code: 'CONFLICT' } })
    expect((await json('prompts', 'save', 'short', 'In two words:', '--replace')).code).toBe(0)
    expect(lastLine((await json('prompts', 'show', 'SHORT')).out)).toMatchObject({ text: 'In two words:' })
    const settings = ['--temperature', '0.5', '--top-p', '0.3', '--instructions', 'We sail.']
    expect((await json('projects', 'set', 'Boat', ...settings)).code).toBe(0)
    expect((await json('projects', 'set', 'Boat', '--max-tokens', '99')).code).toBe(0)
    expect((await json('projects', 'set', 'Boat')).code).toBe(2)
    expect(lastLine((await json('projects')).out)).toMatchObject({
      projects: [{ name: 'Boat', instructions: 'We sail.', temperature: 0.5, topP: 0.3, maxTokens: 99 }],
    })

    expect((await ask('Which pump?', '--prompt', 'short', '--project', 'Boat', ...model)).code).toBe(0)
    expect(wordsOf(heard.at(-1))).toContain('In two words:\n\nWhich pump?')
    expect(wordsOf(heard.at(-1))).toContain('We sail.')
    expect(heard.at(-1)).toMatchObject({ temperature: 0.5, maxTokens: 99, sampling: { topP: 0.3 } })
    const own = ['--temperature', '0.1', '--top-p', '0.6', '--max-tokens', '77']
    expect((await ask('Which?', '--project', 'Boat', ...own, ...model)).code).toBe(0)
    expect(heard.at(-1)).toMatchObject({ temperature: 0.1, maxTokens: 77, sampling: { topP: 0.6 } })
    expect(lastLine((await ask('x', '--continue', '--top-p', '0.6')).out)).toMatchObject({
      error: { code: 'BAD_INPUT', cause: expect.stringContaining('--top-p') as unknown },
    })

    expect((await json('projects', 'reset', 'Boat')).code).toBe(0)
    expect((await ask('--prompt', 'Short', '--project', 'Boat', ...model)).code).toBe(0)
    expect(wordsOf(heard.at(-1))).not.toContain('We sail.')
    expect(heard.at(-1)).toMatchObject({ maxTokens: 1024 })
    expect((await json('prompts', 'remove', 'Short')).code).toBe(0)
    expect(lastLine((await json('prompts')).out)).toEqual({ prompts: [] })
    expect(lastLine((await ask('--prompt', 'Short', ...model)).out)).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  } finally {
    await server.close()
  }
})
