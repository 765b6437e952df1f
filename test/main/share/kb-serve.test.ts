import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { loam } from '../cli/loam-process'

let folder: string
let child: ChildProcess | null = null
const memory = () => join(folder, 'space')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-kb-serve-'))
  const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
  const opened = await app.memories.open(memory())
  await opened.commit(
    ['count the bookings of a harbor', 'fix the parser'].map((question, n) => ({
      kind: 'experience-added' as const,
      experience: experienceOf(`e${n}`, question, {
        agentExperience: ['Look first.'],
        searchAgentPlan: 'Search it.',
      }),
    })),
  )
  await app.dispose()
})
afterEach(async () => {
  const running = child
  child = null
  if (!running || running.exitCode !== null) return
  const ended = new Promise((resolve) => running.once('close', resolve))
  running.kill('SIGTERM')
  await ended
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

async function serve(...options: string[]): Promise<{ url: string; key: string }> {
  const started = loam(
    'kb',
    'serve',
    '--memory',
    memory(),
    '--data',
    join(folder, 'data'),
    '--port',
    '0',
    '--json',
    ...options,
  )
  child = started.child
  const line = await new Promise<string>((resolve, reject) => {
    if (started.child.stdout) createInterface({ input: started.child.stdout }).once('line', resolve)
    void started.ended.then(({ err }) => reject(new Error(err)))
  })
  return JSON.parse(line) as { url: string; key: string }
}

/** As Python's requests sends it; the released client adds no header but the type of its content. */
const AS_REQUESTS = {
  'User-Agent': 'python-requests/2.32.3',
  'Accept-Encoding': 'gzip, deflate',
  Accept: '*/*',
  ModelServer: 'keep-alive',
  'Content-Type': 'application/json',
}

const post = (
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> =>
  new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', agent: false, headers: { ...AS_REQUESTS, ...headers, ModelServer: 'close' } },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as unknown }))
      },
    )
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })

/** The three requests of the released client, with its own defaults. */
const HYBRID = { query: 'how many bookings has the harbor', top_k: 5, weights: { text: 0.5, semantic: 0.5 } }
const PLAIN = { query: 'parser', top_k: 5 }

it('answers the released client unmodified where a person allows it without a key, for one memory', async () => {
  const { url } = await serve('--tokenless')
  const base = url.replace('127.0.0.1', 'localhost')
  const hybrid = await post(`${base}/search/hybrid`, HYBRID)
  expect(hybrid).toMatchObject({
    status: 200,
    body: [
      {
        query: 'count the bookings of a harbor',
        agent_experience: '- Look first.',
        search_plan: 'Search it.',
        total_score: expect.any(Number) as number,
      },
      {},
    ],
  })
  expect(await post(`${base}/search/text`, PLAIN)).toMatchObject({
    status: 200,
    body: [{ content: { query: 'fix the parser' } }],
  })
  expect(await post(`${base}/search/semantic`, PLAIN)).toMatchObject({
    status: 200,
    body: [{ content: { query: 'fix the parser' } }, {}],
  })
  // Reading only, and this memory only.
  expect((await post(`${base}/submit`, { question: 'q', agent_plan: 'p' })).status).toBe(403)
  expect((await post(`${base}/search/hybrid`, { ...HYBRID, memory: 'another' })).status).toBe(400)
  // From a page elsewhere, or for another host's name, nothing is answered.
  expect((await post(`${base}/search/hybrid`, HYBRID, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(`${base}/search/hybrid`, HYBRID, { Host: 'evil.example' })).status).toBe(403)
  expect((await post(`${base}/search/hybrid`, HYBRID, { 'Content-Type': 'text/plain' })).status).toBe(400)
  // A key that does not count is no key at all.
  expect((await post(`${base}/search/hybrid`, HYBRID, { Authorization: 'Bearer wrong' })).status).toBe(401)
})

it('asks for a key by default, which the documented line gives the client', async () => {
  const { url, key } = await serve('--write', '--client', 'paper-agent')
  expect((await post(`${url}/search/hybrid`, HYBRID)).status).toBe(401)
  const headers = { Authorization: `Bearer ${key}` }
  expect((await post(`${url}/search/hybrid`, HYBRID, headers)).status).toBe(200)
  expect(
    await post(`${url}/submit`, { question: 'mooring lines of a quay', agent_plan: 'p' }, headers),
  ).toMatchObject({
    status: 200,
    body: { added: true },
  })
  expect(
    await post(`${url}/search/text`, { query: 'mooring lines of a quay', top_k: 1 }, headers),
  ).toMatchObject({
    body: [{ kb_source: 'paper-agent' }],
  })
})
