import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKey, findKey, readKeys, removeKey } from '../../../src/main/api/program-keys'
import { kbRest, type KbRestDeps } from '../../../src/main/api/kb-rest'
import { callersWith, createRestGuard, type RestLimits } from '../../../src/main/api/rest-guard'
import { startUiServer, type UiServer } from '../../../src/main/api/ui-server'
import { createExperienceBase } from '../../../src/main/kb/experience-base'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { loamErrorShape } from '../../../src/shared/domain/error-shape'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { wordEmbedder } from '../memory-store/fixtures'

let folder: string
let memory: StoredMemory
let server: UiServer
let token: string

async function start(change: Partial<KbRestDeps & RestLimits> = {}): Promise<void> {
  const embedder = wordEmbedder()
  const never = () => Promise.reject(new Error('not used'))
  const kb = createExperienceBase({
    memories: { open: () => Promise.resolve(memory) },
    clock: { now: () => new Date(0) },
    embedder: () => Promise.resolve(embedder),
    prompts: never,
    loadModel: never,
  })
  const caller = callersWith(() => readKeys(folder))
  const guard = createRestGuard({ caller, ...change })
  const rest = kbRest({ kb, guard, defaultMemory: () => 's', opens: () => true, ...change })
  server = await startUiServer({ root: folder, port: 0, serveSocket: () => undefined, rest })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loam-rest-'))
  writeFileSync(join(folder, 'format.json'), '{}')
  writeFileSync(join(folder, 'index.html'), '')
  token = await createKey(folder, { name: 'my-agent', scopes: ['read', 'write'] }, new Date(0))
  memory = await openMemory({ folder: join(folder, 'space'), embedder: wordEmbedder() })
  await memory.commit(
    ['count the bookings', 'fix the parser'].map((question, n) => ({
      kind: 'experience-added' as const,
      experience: experienceOf(`e${n}`, question, {
        agentExperience: ['Look first.', 'Then act.'],
        searchAgentPlan: 'Search it.',
      }),
    })),
  )
})
afterEach(async () => {
  await server.close()
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string | string[] | undefined>
}

/** A raw request: fetch would refuse to set Host. */
const ask = (
  path: string,
  body: unknown,
  { method = 'POST', headers = {} as Record<string, string>, raw = false } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path,
        method,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: text === '' ? null : JSON.parse(text),
            headers: response.headers,
          })
        })
      },
    )
    call.on('error', reject)
    call.end(method === 'GET' ? undefined : raw ? String(body) : JSON.stringify(body))
  })

test("answers the released client's searches in its fields", async () => {
  await start()
  const hybrid = await ask('/search/hybrid', {
    query: 'bookings',
    top_k: 1,
    weights: { text: 0.5, semantic: 0.5 },
  })
  expect(hybrid.status).toBe(200)
  expect(hybrid.body).toMatchObject([
    {
      workflow_id: 'e0',
      query: 'count the bookings',
      plan: '1. Plan of e0',
      search_plan: 'Search it.',
      agent_experience: '- Look first.\n- Then act.',
      search_agent_experience: '',
      // The share of what a row of average length with every asked word once would have.
      text_score: expect.closeTo(1, 1),
    },
  ])
  for (const mode of ['text', 'semantic']) {
    const answer = await ask(`/search/${mode}`, { query: 'parser', top_k: 1 })
    expect(answer.body).toMatchObject([{ workflow_id: 'e1', content: { query: 'fix the parser' } }])
  }
})

test('weights become alpha', async () => {
  await start()
  const byWords = await ask('/search/hybrid', {
    query: 'parser',
    top_k: 1,
    weights: { text: 1, semantic: 0 },
  })
  expect(byWords.body).toMatchObject([{ workflow_id: 'e1', total_score: 1 }])
})

test('takes experiences in, once, under the name of the token', async () => {
  await start()
  const entry = { query: 'Plan a trip', plan: '1. Book.', agent_experience: 'Book early.', is_success: true }
  const first = await ask('/submit', { content: entry })
  expect(first).toMatchObject({ status: 200, body: { added: true } })
  expect((await ask('/submit', { content: entry })).body).toMatchObject({ added: false })
  const id = (first.body as { workflow_id: string }).workflow_id
  expect((await memory.experiences.get(id))?.experience.meta).toMatchObject({
    client: 'my-agent',
    outcome: 'success',
  })
  const bare = await ask('/submit', { question: 'Plan a party', agent_plan: '1. Invite.' })
  expect(bare.body).toMatchObject({ added: true })
})

test('a right answer handed in with an experience is kept nowhere', async () => {
  await start()
  const metadata = { level: 2, true_answer: 'forty-two', runs: [{ 'Ground Truth': 'forty-two' }] }
  const content = { query: 'Plan a walk', plan: '1. Go.', true_answer: 'forty-two', metadata }
  const { body } = await ask('/submit', { content })
  const stored = await memory.experiences.get((body as { workflow_id: string }).workflow_id)
  expect(stored?.experience.meta.extra).toEqual({ level: 2, runs: [{}] })
  expect(JSON.stringify(stored)).not.toContain('forty-two')
})

test('counts what it answered', async () => {
  await start()
  await ask('/search/text', { query: 'x' })
  const { body } = await ask('/performance', null, { method: 'GET' })
  expect(body).toMatchObject({ total_requests: 1, cache_hit_rate: 0 })
})

test('without a valid key nothing is answered; scopes hold; a removed key stops at once', async () => {
  await start()
  expect(await ask('/search/text', { query: 'x' }, { headers: { authorization: '' } })).toMatchObject({
    status: 401,
  })
  expect(await ask('/search/text', { query: 'x' }, { headers: { authorization: 'Bearer x' } })).toMatchObject(
    {
      status: 401,
    },
  )
  // An address stands in logs and histories, so a key in it opens nothing.
  const inAddress = ['token', 'key', 'api_key', 'access_token'].map((name) => `${name}=${token}`).join('&')
  const without = { headers: { authorization: '' } }
  expect((await ask(`/search/text?${inAddress}`, { query: 'x' }, without)).status).toBe(401)
  const reader = await createKey(folder, { name: 'reader', scopes: ['read'] }, new Date(0))
  const headers = { authorization: `Bearer ${reader}` }
  const refused = await ask('/submit', { question: 'q' }, { headers })
  expect(refused.status).toBe(403)
  expect(loamErrorShape.parse(refused.body).code).toBe('UNAUTHORIZED')
  expect((await ask('/search/text', { query: 'x' }, { headers })).status).toBe(200)
  await removeKey(folder, 'reader')
  expect((await ask('/search/text', { query: 'x' }, { headers })).status).toBe(401)
})

test.each([[{ host: 'evil.example' }], [{ origin: 'https://evil.example' }]])(
  'foreign hosts and origins are refused: %j',
  async (headers) => {
    await start()
    expect((await ask('/search/text', { query: 'x' }, { headers })).status).toBe(403)
  },
)

test('refuses what is not a search, in the one error shape', async () => {
  await start()
  const cases: [string, unknown, Parameters<typeof ask>[2], number][] = [
    ['/search/other', { query: 'x' }, {}, 400],
    ['/search/text', { query: '' }, {}, 400],
    ['/search/text', { query: 'x', top_k: 1000 }, {}, 400],
    ['/search/text', { query: 'x', memory: '/etc' }, {}, 400],
    ['/search/text', '{', { raw: true }, 400],
    ['/search/text', { query: 'x' }, { headers: { 'content-type': 'text/plain' } }, 400],
    ['/search/text', { query: 'x'.repeat(70_000) }, {}, 413],
  ]
  for (const [path, body, options, status] of cases) {
    const answer = await ask(path, body, options)
    expect([path, answer.status]).toEqual([path, status])
    expect(loamErrorShape.safeParse(answer.body).success).toBe(true)
  }
})

test('limits how often and how long', async () => {
  await start({ perMinute: 1 })
  expect((await ask('/search/text', { query: 'x' })).status).toBe(200)
  expect(await ask('/search/text', { query: 'x' })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '10' },
  })
  await server.close()
  let begin = (): void => undefined
  const atWork = new Promise<void>((resolve) => (begin = resolve))
  const slow = {
    search: () => {
      begin()
      return new Promise<never>(() => undefined)
    },
    submit: () => Promise.reject(new Error('x')),
    report: () => Promise.reject(new Error('x')),
  }
  await start({ kb: slow, timeoutMs: 2000, inFlight: 1 })
  const first = ask('/search/text', { query: 'x' })
  await atWork
  expect((await ask('/search/text', { query: 'x' })).status).toBe(429)
  expect((await first).status).toBe(408)
})

test('a key that keeps Loam busy keeps no other from being served, and what is refused counts for nothing', async () => {
  const releases: (() => void)[] = []
  const slow = {
    ...{ submit: () => Promise.reject(new Error('x')), report: () => Promise.reject(new Error('x')) },
    search: (_memory: string, query: { text: string }) =>
      query.text === 'busy'
        ? new Promise((resolve) => releases.push(() => resolve({ hits: [] })))
        : Promise.resolve({ hits: [] }),
  }
  await start({ kb: slow as never, perMinute: 4, inFlight: 1 })
  const other = await createKey(folder, { name: 'other', scopes: ['read'] }, new Date(0))
  const first = ask('/search/text', { query: 'busy' })
  await vi.waitFor(() => expect(releases).toHaveLength(1))
  for (let i = 0; i < 9; i++) expect((await ask('/search/text', { query: 'x' })).status).toBe(429)
  expect(
    (await ask('/search/text', { query: 'x' }, { headers: { authorization: `Bearer ${other}` } })).status,
  ).toBe(200)
  releases[0]?.()
  expect((await first).status).toBe(200)
  const more = []
  for (let i = 0; i < 4; i++) more.push((await ask('/search/text', { query: 'x' })).status)
  expect(more).toEqual([200, 200, 200, 429])
})

test('keeps hashes of tokens only, by name', async () => {
  await start()
  const tokens = await readKeys(folder)
  expect(JSON.stringify(tokens)).not.toContain(token)
  expect(findKey(tokens, token)?.name).toBe('my-agent')
  await expect(createKey(folder, { name: 'my-agent', scopes: ['read'] }, new Date(0))).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await expect(removeKey(folder, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(
    createKey(join(folder, 'none'), { name: 'x', scopes: ['read'] }, new Date(0)),
  ).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a reward that another framework reports moves the utility, once for each attempt', async () => {
  await start()
  const feedback = (change: Record<string, unknown> = {}) =>
    ask('/feedback', { workflow_id: 'e0', reward: 1, attempt: 'a-1', framework: 'owl', ...change })
  expect((await feedback()).body).toMatchObject({ counted: true, workflow_id: 'e0', utility: 0.6, uses: 1 })
  expect((await feedback()).body).toMatchObject({ counted: false, utility: 0.6, uses: 1 })
  expect((await feedback({ attempt: 'a-2', reward: 0 })).body).toMatchObject({ counted: true, uses: 2 })
  const standing = (await memory.experiences.get('e0'))?.standing
  expect(standing?.utility).toBeCloseTo(0.48, 12)
  expect(standing?.transfers).toEqual(['owl'])

  expect((await feedback({ workflow_id: 'nobody' })).status).toBe(404)
  expect((await feedback({ reward: 2 })).status).toBe(400)
})
