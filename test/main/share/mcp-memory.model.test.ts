import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { attempt, timeOf } from '../memory-store/fixtures'
import { documentOf } from '../../core/formats/memories'
import { lastLine, LOAM_CLI, loamHere } from '../cli/loam-process'

const TASK = 'count the boats of the northern harbor'

let folder: string
let memory: string
const data = (): string => join(folder, 'data')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-mcp-'))
  memory = join(folder, 'space')
  const app = await createApp({ dataPath: data(), host: 'memory' })
  const opened = await app.memories.open(memory)
  await opened.commit(attempt(1, TASK, { reward: 1 }))
  await opened.commit(attempt(2, 'paint the lighthouse', { reward: 0 }))
  await opened.commit([
    {
      kind: 'memory-added',
      memory: {
        kind: 'lesson',
        id: 'lesson-1',
        runId: 'r1',
        environment: 'lab-db',
        trajectoryIds: ['t-c00001'],
        createdAt: timeOf(3),
        queue: 'error',
        text: 'Harbor names are stored in capitals.',
      },
    },
    { kind: 'document-written', version: documentOf('doc-1') },
    {
      kind: 'document-decided',
      conceptId: 'orders',
      versionId: 'doc-1',
      by: 'person',
      accepted: true,
      at: timeOf(5),
    },
  ])
  await app.dispose()
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

type Called = { text: string; failed: boolean; data: Record<string, unknown> }
const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<Called> => {
  const result = await client.callTool({ name, arguments: args })
  const [first] = result.content as { text: string }[]
  return {
    text: first?.text ?? '',
    failed: result.isError === true,
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
  }
}

/** The server as a process of its own, and the official client connected to it. */
async function connected(...options: string[]): Promise<Client> {
  const client = new Client({ name: 'some agent', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...LOAM_CLI, 'mcp', 'memory', '--memory', memory, '--data', data(), ...options],
      stderr: 'ignore',
    }),
  )
  return client
}

const ATTEMPT = {
  task: 'rename the wharf of the southern harbor',
  outcome: 'success',
  domain: 'database',
  steps: [{ tool: 'sql', action: "UPDATE wharf SET name = 'x'", observation: 'ok; password=hunter2secret' }],
  advice: 'Rename before counting.',
}

describe('over standard input and output', () => {
  it('reads only, unless told otherwise', async () => {
    const client = await connected()
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual(['memory_search', 'memory_list', 'memory_guidance'])
      const found = await call(client, 'memory_search', { query: 'boats of the harbor', limit: 3 })
      expect(found.text).toContain(`Solved: ${TASK}`)
      const guidance = await call(client, 'memory_guidance', { task: TASK })
      expect(guidance.text).toContain(TASK)
      expect(guidance.data['useId']).toMatch(/^use-/)
      const feedback = await call(client, 'memory_guidance', {
        task: 'paint it',
        error: 'lighthouse not found',
      })
      expect(feedback.text.indexOf('Failed: paint the lighthouse')).toBeGreaterThan(0)
      const small = await call(client, 'memory_guidance', { task: TASK, tokens: 100 })
      expect(small.text.length).toBeLessThan(700)
      expect((await call(client, 'memory_search', { query: '' })).failed).toBe(true)

      const { resources } = await client.listResources()
      expect(resources.map(({ uri }) => uri)).toEqual(['loam://documents/orders', 'loam://lessons/lesson-1'])
      const read = await client.readResource({ uri: 'loam://lessons/lesson-1' })
      expect(read.contents[0]).toMatchObject({ text: 'Harbor names are stored in capitals.' })
      await expect(client.readResource({ uri: 'loam://lessons/nothing' })).rejects.toThrow(
        /no lesson nothing/,
      )
      const { prompts } = await client.listPrompts()
      expect(prompts.map(({ name }) => name)).toEqual(['plan-with-memory', 'after-an-error'])
      const plan = await client.getPrompt({ name: 'plan-with-memory', arguments: { task: TASK } })
      expect(JSON.stringify(plan.messages)).toContain('From earlier work')
    } finally {
      await client.close()
    }
  })

  it('takes in attempts and reports under the name of the program, each once, and undoes them', async () => {
    const client = await connected('--write')
    try {
      const first = await call(client, 'memory_report', ATTEMPT)
      expect(first).toMatchObject({ failed: false, data: { state: 'kept', redactions: { credential: 1 } } })
      const adds = first.data['adds'] as { kind: string; id: string }[]
      expect(adds.map(({ kind }) => kind)).toEqual(['experience', 'case'])
      const again = await call(client, 'memory_report', ATTEMPT)
      expect(again.data['adds']).toEqual([])
      const found = await call(client, 'memory_search', { query: 'rename the wharf' })
      // That it succeeded is the agent's claim: it waits for a person, and saying it again does not take it out.
      expect(found.text).not.toContain('rename the wharf')

      const report = { use_id: 'u1', items: [adds[1]], helped: true }
      expect((await call(client, 'memory_report', report)).data['state']).toBe('kept')
      expect((await call(client, 'memory_report', report)).failed).toBe(false)
      const none = { use_id: 'u2', items: [{ kind: 'case', id: 'nothing' }], helped: true }
      expect((await call(client, 'memory_report', none)).failed).toBe(true)

      const undone = await call(client, 'memory_undo', { write_id: first.data['proposalId'] })
      expect(undone.data['state']).toBe('undone')
      expect((await call(client, 'memory_search', { query: 'rename the wharf' })).text).not.toContain(
        'by some agent',
      )
    } finally {
      await client.close()
    }
    const app = await createApp({ dataPath: data(), host: 'memory' })
    const { rows } = await app.memory.list({
      memoryId: memory,
      kinds: ['case'],
      text: 'wharf',
      environment: null,
      mark: null,
      state: 'gone',
      sort: 'newest',
      offset: 0,
      limit: 5,
    })
    await app.dispose()
    expect(rows.map(({ recalls: { recalled, helped } }) => ({ recalled, helped }))).toEqual([
      { recalled: 1, helped: 1 },
    ])
  })

  it('holds writes for a person, who keeps or refuses them', async () => {
    const client = await connected('--write', '--hold', '--client', 'careful')
    const held = { ...ATTEMPT, task: 'moor the ferry at night' }
    try {
      expect((await call(client, 'memory_report', held)).data['state']).toBe('held')
      expect((await call(client, 'memory_search', { query: 'moor the ferry' })).text).not.toContain(
        'moor the ferry',
      )
    } finally {
      await client.close()
    }
    const cli = async (...args: string[]) =>
      lastLine((await loamHere('writes', ...args, '--memory', memory, '--data', data(), '--json')).out)
    const { writes } = (await cli('list')) as { writes: { id: string; client: string; state: string }[] }
    expect(writes[0]).toMatchObject({ client: 'careful', state: 'held' })
    expect(await cli('keep', writes[0]?.id ?? '')).toMatchObject({ write: { state: 'kept' } })
    const after = await connected()
    try {
      expect((await call(after, 'memory_search', { query: 'moor the ferry' })).text).toContain(
        'by careful: moor the ferry',
      )
    } finally {
      await after.close()
    }
  })
})

describe('over HTTP', () => {
  let child: ChildProcess
  let served: { url: string; key: string }
  beforeEach(async () => {
    child = spawn(
      process.execPath,
      [...LOAM_CLI, 'mcp', 'memory', '--memory', memory, '--data', data(), '--port', '0', '--json'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [line] = await new Promise<string[]>((resolve) =>
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', (text: string) =>
        resolve([text]),
      ),
    )
    served = JSON.parse(line ?? '') as typeof served
  })
  afterEach(async () => {
    const gone = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await gone
  })

  it('answers the official client that has the key, and nobody else', async () => {
    const headers = { authorization: `Bearer ${served.key}` }
    const client = new Client({ name: 'web agent', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }))
    const found = await call(client, 'memory_guidance', { task: TASK })
    expect(found.text).toContain(TASK)
    await client.close()

    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    })
    const post = async (more: Record<string, string>): Promise<number> => {
      const accept = 'application/json, text/event-stream'
      const response = await fetch(served.url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', accept, ...more },
      })
      await response.body?.cancel()
      return response.status
    }
    expect(await post(headers)).toBe(200)
    expect(await post({})).toBe(401)
    expect(await post({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await post({ ...headers, origin: 'https://evil.example' })).toBe(403)
    expect(await post({ ...headers, 'mcp-session-id': 'guessed' })).toBe(404)
    const { request } = await import('node:http')
    const otherHost = await new Promise<number>((resolve) => {
      const asked = request(
        served.url,
        { method: 'POST', headers: { ...headers, host: 'evil.example' } },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        },
      )
      asked.end(body)
    })
    expect(otherHost).toBe(403)
  })
})
