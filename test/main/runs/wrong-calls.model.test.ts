import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { findResources } from '../../../src/main/ground/resources'
import { rm } from 'node:fs/promises'
import { tempFolder, trajectoriesOf } from './rig-app'

/** What a server says in one turn: a native call with its arguments as they were written, or text. */
type Turn = { readonly name: string; readonly written: string } | string
interface Message {
  readonly role: string
  readonly content?: string | null
}

let folder: string
let app: App
let base: string
let close: () => void
/** Served in order, attempt by attempt. */
let turns: Turn[] = []
let refusals: { status: number; retryAfter: string }[] = []
let asked: { at: number; messages: Message[] }[] = []

function answer(response: ServerResponse, turn: Turn): void {
  const message =
    typeof turn === 'string'
      ? { role: 'assistant', content: turn }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: turn.name, arguments: turn.written } },
          ],
        }
  const finish_reason = typeof turn === 'string' ? 'stop' : 'tool_calls'
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      choices: [{ index: 0, message, finish_reason }],
      usage: { prompt_tokens: 9, completion_tokens: 3 },
    }),
  )
}

beforeAll(async () => {
  folder = await tempFolder()
  const server = createServer((request, response) => {
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      asked.push({ at: performance.now(), ...(JSON.parse(body) as { messages: Message[] }) })
      const refusal = refusals.shift()
      if (refusal) {
        const { status, retryAfter } = refusal
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': retryAfter })
        return void response.end(JSON.stringify({ error: { message: 'slow down' } }))
      }
      answer(response, turns.shift() ?? 'Nothing more.')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  app = await createApp({ dataPath: `${folder}/data`, host: 'memory', resources: findResources() })
})
afterAll(async () => {
  await app.dispose()
  close()
  await rm(folder, { recursive: true, force: true })
})

async function play(given: readonly Turn[], replies = 'tools') {
  turns = [...given]
  asked = []
  const { id } = await app.runDrafts.start({
    ...{ stream: 'house-rules-a', method: 'none', model: `openai:scripted@${base}`, contextSize: 4096 },
    ...{ k: 0, tasks: 1, seed: 1, settings: { 'lab-db': { replies } } },
  })
  const run = await app.runs.ended(id)
  const [trajectory] = await trajectoriesOf(app, id)
  return { run, rounds: trajectory?.rounds ?? [], finish: trajectory?.finish }
}
const RIGHT: Turn = { name: 'execute_sql', written: '{"sql": "SELECT 1"}' }

describe('a model that calls what cannot be called', () => {
  it.each<[string, Turn, RegExp]>([
    ['an unknown tool', { name: 'fly', written: '{"to": "the moon"}' }, /There is no tool "fly"/],
    ['a tool without what it needs', { name: 'execute_sql', written: '{}' }, /execute_sql also needs sql/],
    [
      'a tool with arguments that break off',
      { name: 'execute_sql', written: '{"sql": ' },
      /are not JSON: \{"sql"/,
    ],
    ['nothing', '', /The reply is empty/],
  ])('is told once what was expected, which takes a round, and goes on: %s', async (_what, wrong, why) => {
    const { run, rounds, finish } = await play([wrong, RIGHT, { name: 'answer', written: '{"answer": "1"}' }])
    expect(run).toMatchObject({ status: 'done', done: 1 })
    expect(rounds.map(({ action }) => action.kind)).toEqual(['invalid', 'operation', 'answer'])
    expect(finish).toBe('completed')
    expect(rounds[0]?.observation).toMatch(why)
    // What it hears says what there is to call.
    expect(rounds[0]?.observation).toContain('execute_sql')
    expect(asked[1]?.messages.at(-1)?.content).toBe(rounds[0]?.observation)
  })

  it('ends with the second such call, as a failure that nothing is learned from', async () => {
    const wrong: Turn = { name: 'fly', written: '{}' }
    const { run, rounds, finish } = await play([wrong, wrong, RIGHT])
    expect(run).toMatchObject({ status: 'done', solved: 0 })
    expect(rounds).toHaveLength(2)
    expect(finish).toBe('invalid-action')
  })
})

describe('a server that is asked too often', () => {
  it('is asked again when it says, and the run goes on', async () => {
    refusals = [{ status: 429, retryAfter: '1' }]
    const { run, rounds } = await play([RIGHT, { name: 'answer', written: '{"answer": "1"}' }])
    expect(run).toMatchObject({ status: 'done', problem: null })
    expect(rounds.map(({ action }) => action.kind)).toEqual(['operation', 'answer'])
    const [first = { at: 0 }, second = { at: 0 }] = asked
    // The server's own wish, not the half second there would be without one.
    expect(second.at - first.at).toBeGreaterThanOrEqual(990)
  })

  it('pauses the run with its words when it goes on refusing', async () => {
    refusals = Array.from({ length: 9 }, () => ({ status: 429, retryAfter: '0' }))
    turns = []
    const { id } = await app.runDrafts.start({
      ...{ stream: 'house-rules-a', method: 'none', model: `openai:scripted@${base}`, contextSize: 4096 },
      ...{ k: 0, tasks: 1, seed: 1 },
    })
    const run = await app.runs.settled(id)
    expect(run).toMatchObject({ status: 'paused', done: 0, problem: { code: 'MODEL_SERVER' } })
    expect(run.problem?.cause).toMatch(/was asked too often \(429\)\. It said: slow down/)
    refusals = []
    await app.runs.cancel(id)
  })
})
