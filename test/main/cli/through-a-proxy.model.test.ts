import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../../../src/main/app'
import { findResources } from '../../../src/main/ground/resources'
import { startProxy, type RunningProxy } from '../../fixtures/proxy-agent'
import { DEMO_MODEL, tempFolder } from '../runs/rig-app'
import { lastLine, loamHere, type Ended } from './loam-process'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 200_000 })

const KEY = 'LOAM_TEST_PROXY_KEY'
let folder: string
let proxy: RunningProxy

/** One Loam is the model server of another: two processes, two data folders. */
beforeAll(async () => {
  folder = await tempFolder()
  const memory = join(folder, 'served')
  const data = join(folder, 'serving')
  const app = await createApp({ dataPath: data, host: 'memory', resources: findResources() })
  await app.memories.open(memory)
  await app.dispose()
  proxy = await startProxy(
    '--memory',
    memory,
    '--data',
    data,
    '--mode',
    'off',
    '--model',
    DEMO_MODEL,
    '--context',
    '4096',
  )
  process.env['LOAM_TEST_PROXY_KEY'] = proxy.key
})
afterAll(async () => {
  delete process.env['LOAM_TEST_PROXY_KEY']
  await proxy.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const run = (...args: string[]): Promise<Ended> =>
  loamHere(...args, '--data', join(folder, 'asking'), '--json')
const requests = async (): Promise<number> => {
  const answer = await fetch(`${proxy.baseUrl}/loam/requests`, {
    headers: { authorization: `Bearer ${proxy.key}` },
  })
  return ((await answer.json()) as { requests: unknown[] }).requests.length
}

test('a run asks it as a connection, streamed, with tools and with forms, and goes as it would here', async () => {
  const added = await run('servers', 'add', 'next-door', '--url', proxy.baseUrl, '--key-env', KEY)
  expect(added.code).toBe(0)
  const tested = await run('servers', 'test', 'next-door', '--model', 'loam')
  expect(lastLine(tested.out)).toMatchObject({ reply: { model: 'loam', contextSize: 4096 } })

  const playing = (model: string, ...more: string[]) =>
    run(
      ...['run', '--stream', 'house-rules-a', '--method', 'awm', '--tasks', '6', '--temperature', '0'],
      ...['--model', model, ...more],
    )
  const there = await playing('openai:loam@next-door')
  expect([there.code, there.err]).toEqual([0, expect.any(String)])
  const asked = await requests()
  // Six tasks, and workflows written as JSON for those that were solved.
  expect(asked).toBeGreaterThan(6)
  const here = await playing(DEMO_MODEL, '--context', '4096')
  type Report = { tasks: number; rewards: number[]; completionTokens: number }
  const [far, near] = [there, here].map(({ out }) => lastLine(out) as Report)
  expect(far?.tasks).toBe(6)
  expect(far?.rewards).toEqual(near?.rewards)
  expect(far?.rewards).toContain(1)
  expect(far?.completionTokens).toBe(near?.completionTokens)

  const withTools = await playing('openai:loam@next-door', '--set', 'lab-db.replies=tools')
  expect(withTools.code).toBe(0)
  expect(lastLine(withTools.out)).toMatchObject({ tasks: 6 })
  expect(await requests()).toBeGreaterThan(asked)
})

test('it holds replies to a form for any client, and says what it cannot hold to', async () => {
  const client = new OpenAI({ baseURL: proxy.baseUrl, apiKey: proxy.key, maxRetries: 0 })
  const ask = (format: OpenAI.ChatCompletionCreateParams['response_format'], max_tokens = 64) =>
    client.chat.completions.create({
      model: 'loam',
      messages: [{ role: 'user', content: 'A colour?' }],
      max_tokens,
      ...(format && { response_format: format }),
    })
  const formOf = (schema: Record<string, unknown>) =>
    ({ type: 'json_schema', json_schema: { name: 'reply', strict: true, schema } }) as const
  const reply = await ask(formOf({ type: 'object', properties: { colour: { enum: ['red', 'green'] } } }))
  expect(['red', 'green']).toContain(
    (JSON.parse(reply.choices[0]?.message.content ?? '') as { colour: string }).colour,
  )
  const any = await ask({ type: 'json_object' }, 400)
  expect(any.choices[0]?.message.content).toMatch(/^\{/)
  const { response } = await client.chat.completions
    .create({
      model: 'loam',
      messages: [{ role: 'user', content: 'A colour?' }],
      max_tokens: 8,
      response_format: formOf({ type: 'string', pattern: '^a+$' }),
    })
    .withResponse()
  expect(response.headers.get('x-loam-warning')).toContain('pattern')
})
