import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LoamClient } from '../../../src/renderer/client-type'
import { startProxy } from '../../fixtures/proxy-agent'
import { connectTo, isBuilt, startHeadless, type HeadlessProcess } from '../headless-process'
import { lastLine, LOAM_CLI, loam, loamHere } from './loam-process'

const model = resolve(import.meta.dirname, '../../../models/loam-demo.gguf')
const ATTEMPT = {
  task: 'rename the wharf of the southern harbor',
  outcome: 'success',
  domain: 'database',
  steps: [{ action: "UPDATE wharf SET name = 'x'", observation: 'ok' }],
}

describe.skipIf(!isBuilt || !existsSync(model))('servers while Loam is open', () => {
  let data: string
  let host: HeadlessProcess
  let client: LoamClient
  let memoryId: string
  beforeEach(async () => {
    data = mkdtempSync(join(tmpdir(), 'loam-join-'))
    host = startHeadless(data)
    client = (await connectTo(await host.url)).client
    memoryId = (await client.memories.create({ name: 'harbor' })).id
  })
  afterEach(async () => {
    host.child.kill('SIGKILL')
    await host.ended
    rmSync(data, { recursive: true, force: true })
  })

  const agent = async (...options: string[]): Promise<Client> => {
    const mcp = new Client({ name: 'some agent', version: '1.0.0' })
    const args = [...LOAM_CLI, 'mcp', 'memory', '--memory', memoryId, '--data', data]
    await mcp.connect(
      new StdioClientTransport({ command: process.execPath, args: [...args, ...options], stderr: 'ignore' }),
    )
    return mcp
  }
  const writes = async (...args: string[]) =>
    lastLine((await loamHere('writes', ...args, '--memory', memoryId, '--data', data, '--json')).out)

  it(
    'a memory server on standard input writes into the memory that is open, and a person has a word on it',
    { timeout: 120_000 },
    async () => {
      const mcp = await agent('--write', '--hold')
      try {
        const recorded = await mcp.callTool({ name: 'memory_report', arguments: ATTEMPT })
        expect(recorded.structuredContent).toMatchObject({ state: 'held' })
        const { writes: listed } = (await writes('list')) as { writes: { id: string; client: string }[] }
        expect(listed).toMatchObject([{ client: 'some agent', state: 'held' }])
        expect(await client.items.list({ memoryId, kinds: ['experience'] })).toMatchObject({ total: 0 })
        expect(await writes('keep', listed[0]?.id ?? '')).toMatchObject({ write: { state: 'kept' } })
        expect(await client.items.list({ memoryId, kinds: ['experience'] })).toMatchObject({ total: 1 })
        const found = await mcp.callTool({ name: 'memory_search', arguments: { query: 'wharf' } })
        expect(JSON.stringify(found.content)).toContain('southern harbor')
        expect(await writes('undo', listed[0]?.id ?? '')).toMatchObject({ write: { state: 'undone' } })
        expect(await client.items.list({ memoryId, kinds: ['experience'] })).toMatchObject({ total: 0 })
      } finally {
        await mcp.close()
      }
    },
  )

  it(
    'a bundle of the open memory is written, goes into a memory that is open too, and is taken back',
    { timeout: 120_000 },
    async () => {
      const bundle = join(data, 'harbor.loam.zip')
      const bundles = async (...args: string[]) => {
        const { code, out } = await loamHere(...args, '--data', data, '--json')
        return { code, json: lastLine(out) as Record<string, unknown> }
      }
      // What a program claims, and what nobody signed, waits for a person's word.
      const totalIn = async (id: string, state: 'live' | 'waiting') =>
        (await client.items.list({ memoryId: id, state })).total
      const items = async (id: string) => (await totalIn(id, 'live')) + (await totalIn(id, 'waiting'))
      const mcp = await agent('--write')
      await mcp.callTool({ name: 'memory_report', arguments: ATTEMPT })
      await mcp.close()
      const had = await items(memoryId)
      expect(had).toBeGreaterThan(0)
      const written = await bundles('export', '--format', 'bundle', '--memory', memoryId, '--out', bundle)
      expect(written).toMatchObject({ code: 0, json: { path: bundle, format: 'bundle' } })
      const { id, path } = await client.memories.create({ name: 'other' })
      expect(await items(id)).toBe(0)
      const read = await bundles('import', bundle, '--memory', path)
      expect(read).toMatchObject({ code: 0, json: { left: [] } })
      expect(await items(id)).toBe(had)
      expect(await bundles('imports', 'undo', '--memory', id)).toMatchObject({ code: 0 })
      expect(await items(id)).toBe(0)
    },
  )

  it('ends with the Loam that serves, and says so', { timeout: 60_000 }, async () => {
    const server = loam('mcp', 'memory', '--memory', memoryId, '--data', data, '--port', '0')
    await new Promise((done) => server.child.stdout?.once('data', done))
    host.child.kill('SIGTERM')
    const { code, err } = await server.ended
    expect([code, err]).toEqual([1, expect.stringContaining('was closed')])
    expect((await host.ended).code).toBe(0)
  })

  it(
    'a proxy answers on the engine that is open, learns into the open memory, and lets a run go between two requests',
    { timeout: 180_000 },
    async () => {
      const proxy = await startProxy('--memory', memoryId, '--data', data)
      const openai = new OpenAI({ baseURL: proxy.baseUrl, apiKey: proxy.key, maxRetries: 0 })
      const ask = async (content: string) => {
        const reply = await openai.chat.completions.create({
          ...{ model: 'loam', max_tokens: 16, temperature: 0 },
          messages: [{ role: 'user', content }],
        })
        await openai.post(`/loam/attempts/${reply.id}/outcome`, { body: { outcome: 'success' } })
      }
      try {
        await ask('count the boats')
        const { id } = await client.runs.start({ stream: 'house-rules-a', method: 'none', tasks: 2 })
        await expect
          .poll(async () => (await client.runs.get({ runId: id })).status, { timeout: 60_000 })
          .toBe('done')
        await ask('count the wharfs')
      } finally {
        await proxy.close()
      }
      expect(await client.items.list({ memoryId, kinds: ['case'] })).toMatchObject({ total: 2 })
    },
  )
})
