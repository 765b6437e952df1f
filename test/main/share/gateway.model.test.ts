import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBES, type Probe } from '../../fixtures/gateway-probes'
import { startMadeUpUpstream } from '../../fixtures/made-up-upstream'
import { startProxy, type RunningProxy } from '../../fixtures/proxy-agent'
import { createApp } from '../../../src/main/app'
import { loamHere } from '../cli/loam-process'
import { createAgentMemory } from '../../../src/main/share/agent-memory'
import { longTest, TORTURE } from '../../torture'
import { withoutMemory } from '../../bench/clients/watch'
import type { Trajectory } from '../../../src/shared/domain/trajectory'

const PROVIDER_KEY = 'provider-key-that-nobody-may-keep-4711'
let folder: string
let upstream: Awaited<ReturnType<typeof startMadeUpUpstream>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-gateway-'))
  upstream = await startMadeUpUpstream()
})
afterAll(async () => {
  await upstream.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A memory that is there, and a proxy over it. */
async function served(name: string, ...options: string[]): Promise<{ proxy: RunningProxy; memory: string }> {
  const memory = join(folder, name)
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  await app.memories.open(memory)
  await app.dispose()
  return { memory, proxy: await restarted(name, ...options) }
}
const restarted = (name: string, ...options: string[]): Promise<RunningProxy> =>
  startProxy(
    '--memory',
    join(folder, name),
    '--data',
    join(folder, `${name}-data`),
    '--upstream',
    upstream.url,
    ...options,
  )

async function attemptsIn(memory: string): Promise<Trajectory[]> {
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  const opened = await app.memories.open(memory)
  const all: Trajectory[] = []
  for await (const attempt of opened.trajectories()) all.push(attempt)
  await app.dispose()
  return all
}

/** What comes back, without what belongs to one connection. */
async function send(base: string, { method, path, body }: Probe, headers: Record<string, string>) {
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...headers },
    ...(method === 'POST' && { body }),
  })
  const kept = [...answer.headers].filter(
    ([name]) =>
      !/^(?:date|connection|keep-alive|x-loam-attempt|content-length|transfer-encoding)$/.test(name),
  )
  return { status: answer.status, words: answer.statusText, headers: kept, text: await answer.text() }
}
const own = (key: string) => ({ 'x-loam-key': key, authorization: `Bearer ${PROVIDER_KEY}` })
const originOf = ({ baseUrl }: RunningProxy): string => new URL(baseUrl).origin

describe('a gateway that puts nothing in', () => {
  let proxy: RunningProxy
  let memory: string
  beforeAll(async () => {
    ;({ proxy, memory } = await served('probes', '--mode', 'record'))
  })

  it.each(Object.entries(PROBES))('passes %s both ways as it is', async (_, probes) => {
    expect(probes.length).toBeGreaterThanOrEqual(100)
    const odd: unknown[] = []
    // One in four; all of them by `npm run torture`.
    const played = probes.filter((_one, at) => TORTURE || at % 4 === 0)
    for (const probe of played) {
      const direct = await send(upstream.url, probe, { authorization: `Bearer ${PROVIDER_KEY}` })
      const passed = await send(originOf(proxy), probe, own(proxy.key))
      const [one, two] = upstream.arrivals.slice(-2)
      const isAlike =
        JSON.stringify(direct) === JSON.stringify(passed) &&
        one?.body === two?.body &&
        one?.path === two?.path &&
        two?.headers['authorization'] === one?.headers['authorization'] &&
        Object.keys(two?.headers ?? {}).every((name) => !name.startsWith('x-loam'))
      if (!isAlike) odd.push({ path: probe.path, bodies: [one?.body, two?.body], direct, passed })
    }
    process.stdout.write(
      `gateway probes: ${JSON.stringify({ of: _, probes: played.length, alike: played.length - odd.length })}\n`,
    )
    expect(odd).toEqual([])
  })

  it('takes the key of Loam as an api key, and sends none on then', async () => {
    const [probe] = PROBES['openai-chat'] ?? []
    if (!probe) throw new Error('There is no probe.')
    for (const name of ['x-api-key', 'x-goog-api-key']) {
      expect((await send(originOf(proxy), probe, { [name]: proxy.key })).status).toBe(200)
      expect(upstream.arrivals.at(-1)?.headers[name]).toBeUndefined()
    }
    expect((await send(originOf(proxy), probe, own('guessed'))).status).toBe(401)
    expect(
      (await send(originOf(proxy), probe, { ...own(proxy.key), origin: 'https://evil.example' })).status,
    ).toBe(403)
  })

  it('ends a stream where the upstream breaks off, and keeps the attempt without a verdict', async () => {
    const body = `{"messages":[{"role":"user","content":"Tell of the broken mast."}],"stream":true,"probe":"dies"}`
    await expect(
      send(originOf(proxy), { method: 'POST', path: '/v1/chat/completions', body }, own(proxy.key)),
    ).rejects.toThrow()
    await proxy.close()
    const kept = (await attemptsIn(memory)).find(({ task }) => task.instruction.includes('broken mast'))
    expect(kept).toMatchObject({ ungraded: 'the server broke off', rounds: [{ completion: 'Here is what' }] })
  })

  it("keeps the provider's key nowhere", async () => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const texts = await Promise.all(
      names
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
    )
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.some((text) => text.includes(PROVIDER_KEY))).toBe(false)
  })
})

const ask = (proxy: RunningProxy, messages: readonly object[]) =>
  send(
    originOf(proxy),
    { method: 'POST', path: '/v1/chat/completions', body: JSON.stringify({ model: 'm', messages }) },
    own(proxy.key),
  )
const REPLY = { role: 'assistant', content: 'Here is what I found: 4 — done ✓' }
const user = (content: string) => ({ role: 'user', content })

longTest('changes nothing but one marked place where memory is put in', { timeout: 900_000 }, async () => {
  const { proxy } = await served('marked')
  const complaint = user('That is wrong, the pots are still not counted.')
  for (const task of ['Count the pots of the harbour.', 'Count the pots.', 'Why? Count the pots.'].map(
    user,
  )) {
    await ask(proxy, [task])
    await ask(proxy, [task, REPLY, complaint])
  }
  const odd: unknown[] = []
  let count = 0
  for (const probe of Object.values(PROBES).flat()) {
    const direct = await send(upstream.url, probe, { authorization: `Bearer ${PROVIDER_KEY}` })
    const passed = await send(originOf(proxy), probe, own(proxy.key))
    const [one, two] = upstream.arrivals.slice(-2).map(({ body }) => body)
    if (one !== two) count++
    if (JSON.stringify(direct) !== JSON.stringify(passed) || withoutMemory(two ?? '') !== one)
      odd.push({ path: probe.path, bodies: [one, two] })
  }
  await proxy.close()
  process.stdout.write(`gateway probes with memory put in: ${count}, odd: ${odd.length}\n`)
  expect(odd).toEqual([])
  expect(count).toBeGreaterThan(400)
})

it('learns from what the person says next, and recalls it in one marked place that stays', async () => {
  const { proxy, memory } = await served('learning')
  const task = user('Write the harbour ledger sorted by the wharf number.')
  const complaint = user('That is wrong, the harbour ledger is still not sorted.')
  await ask(proxy, [task])
  await ask(proxy, [task, REPLY, complaint])
  // Each time in other words: what is sent again keeps what stood before it.
  let again = user('')
  let count = 0
  await expect
    .poll(async () => {
      again = user(`${task.content} Again for wharf ${++count}.`)
      await ask(proxy, [again])
      return upstream.arrivals.at(-1)?.body ?? ''
    })
    .toContain('<memory from=\\"loam\\">')
  const first = upstream.arrivals.at(-1)?.body ?? ''
  // What was wrong is told as well.
  expect(first).toContain(complaint.content)
  const MARKED = /<memory from=.{1,4000}?<\/memory>\\n\\n/g
  expect(first.replace(MARKED, '')).toBe(JSON.stringify({ model: 'm', messages: [again] }))
  await ask(proxy, [again, REPLY, user('Now list the boats.')])
  const second = upstream.arrivals.at(-1)?.body ?? ''
  const head = first.slice(0, first.lastIndexOf('"}]'))
  expect(second.startsWith(head)).toBe(true)
  await proxy.close()
  const attempts = await attemptsIn(memory)
  const failed = attempts.filter(({ ungraded }) => ungraded === undefined)
  expect(failed).toMatchObject([
    {
      reward: 0,
      task: { instruction: task.content },
      scores: [{ name: 'By the rules: a complaint followed', value: 0 }],
    },
  ])
  expect(attempts.length).toBeGreaterThan(3)
  const trace = await tracesAndUndoes(memory, failed[0]?.id ?? '', {
    request: task.content,
    next: complaint.content,
  })
  expect(trace).toContain(`written next: ${complaint.content}`)
  expect(trace).toMatch(/sign: a complaint followed \(-\d/)
})

/** What was drawn from an attempt is listed with request and signs, and goes out of use by one word. */
async function tracesAndUndoes(memory: string, attempt: string, drawn: object): Promise<string> {
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  let name = ''
  try {
    const opened = await app.memories.open(memory)
    const access = createAgentMemory(opened, app, { write: true })
    const lessons = (await access.writes()).filter(({ drawnFrom }) => drawnFrom !== undefined)
    expect(lessons).toMatchObject([{ state: 'kept', drawnFrom: { attempt, ...drawn } }])
    const [lesson] = lessons
    name = lesson?.id ?? ''
    expect(lesson?.drawnFrom?.evidence.map(({ kind }) => kind)).toContain('complaint')
    const held = async () => (await Promise.all(['case'].map((kind) => access.list(kind, 50)))).flat()
    const [added] = lesson?.adds ?? []
    expect((await held()).map(({ id }) => id)).toContain(added?.id)
    // The program cannot take it back, a person can.
    await expect(access.undo(lesson?.id ?? '', 'proxy')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await access.undo(lesson?.id ?? '', null)).toMatchObject({ state: 'undone' })
    expect((await held()).map(({ id }) => id)).not.toContain(added?.id)
  } finally {
    await app.dispose()
  }
  const options = ['--memory', memory, '--data', join(folder, 'own')]
  return (await loamHere('proposals', 'trace', name, ...options)).out
}

it('says requests to a server of another dialect in its words, and tells what was lost', async () => {
  const { proxy, memory } = await served('translated', '--upstream-dialect', 'openai-chat')
  const post = async (input: object, path = '/v1/messages') => {
    const body = JSON.stringify({
      model: 'claude',
      max_tokens: 99,
      top_k: 5,
      messages: [user('Count the pots.')],
      ...input,
    })
    return send(
      originOf(proxy),
      { method: 'POST', path, body },
      { 'x-loam-key': proxy.key, 'x-api-key': PROVIDER_KEY },
    )
  }
  const whole = await post({})
  expect(JSON.parse(whole.text)).toMatchObject({
    ...{ type: 'message', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: REPLY.content }],
    usage: { input_tokens: 7, output_tokens: 6 },
  })
  expect(new Map(whole.headers as [string, string][]).get('x-loam-warning')).toBe(
    'lost in translation: top_k',
  )
  const arrival = upstream.arrivals.at(-1)
  expect(arrival).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${PROVIDER_KEY}` },
  })
  expect(arrival?.headers['x-api-key']).toBeUndefined()
  const tools = [{ name: 'look', input_schema: { type: 'object' } }]
  const stream = await post({ stream: true, tools })
  expect(stream.text).toContain('"input_json_delta","partial_json":"{\\"at\\":"')
  expect(stream.text.trim().split('\n').at(-1)).toBe('data: {"type":"message_stop"}')
  const responses = await post({ input: 'Count the pots again.', stream: true }, '/v1/responses')
  expect(responses.text).toContain('event: response.completed')
  const refused = await post({ model: 'status-429' })
  expect([refused.status, JSON.parse(refused.text)]).toEqual([
    429,
    { type: 'error', error: { type: 'x', message: 'made up' } },
  ])
  const gemini = await post({ contents: [] }, '/v1beta/models/g:generateContent')
  expect([gemini.status, gemini.text]).toEqual([
    400,
    expect.stringContaining('cannot be translated') as string,
  ])
  await proxy.close()
  expect((await attemptsIn(memory)).map(({ task }) => task.instruction)).toContain('Count the pots.')
})

/** How often the proxy is killed; in full by `npm run torture`. */
const KILLS = TORTURE ? 100 : 2

it('loses no attempt to a kill', { timeout: TORTURE ? 3_600_000 : 400_000 }, async () => {
  const { memory, proxy: first } = await served('kills')
  let proxy = first
  const told: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const asked: Promise<unknown>[] = []
    const warm = `Kill ${kill}: paint the hull of the trawler.`
    await ask(proxy, [user(warm)])
    told.push(warm)
    for (let i = 0; i < 5; i++) {
      const text = `Kill ${kill}: mend the net number ${i} of the trawler.`
      asked.push(
        ask(proxy, [user(text)]).then(
          () => told.push(text),
          () => undefined,
        ),
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + ((kill * 37) % 60)))
    await proxy.kill()
    await Promise.all(asked)
    proxy = await restarted('kills')
  }
  await proxy.close()
  const kept = new Set((await attemptsIn(memory)).map(({ task }) => task.instruction))
  process.stdout.write(
    `gateway kills: ${JSON.stringify({ kills: KILLS, answered: told.length, kept: kept.size })}\n`,
  )
  expect(told.length).toBeGreaterThanOrEqual(KILLS)
  expect(told.filter((text) => !kept.has(text))).toEqual([])
})
