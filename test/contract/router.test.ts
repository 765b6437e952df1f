import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServedApp } from '../../src/main/serve-app'
import { serveApp } from '../../src/main/serve-app'
import type { Contract } from '../../src/shared/contract'
import { caseLandscapeSchema, caseWorthSchema } from '../../src/shared/domain/case'
import type { Peer } from './hosts'
import { HOSTS } from './hosts'

// The real router over every transport, as far as it goes without a model; runs have tests of their own.
describe('Loam’s own router', () => {
  let data: string
  let host: ServedApp

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'loam-router-'))
    host = await serveApp({ dataPath: data, host: 'memory' })
  })
  afterAll(async () => {
    await host.app.dispose()
    rmSync(data, { recursive: true, force: true })
  })

  describe.each(HOSTS)('%s', (_name, connect) => {
    let peer: Peer<Contract>
    beforeAll(async () => {
      peer = await connect(host.transports)
    })
    afterAll(() => peer.close())

    it('introduces itself', async () => {
      expect(await peer.client.app.info()).toMatchObject({
        dataPath: data,
        host: 'memory',
        outgoingConnections: 0,
      })
    })

    it('saves settings', async () => {
      const before = await peer.client.app.settings()
      const theme = before.theme === 'dark' ? 'light' : 'dark'
      expect(await peer.client.app.saveSettings({ theme })).toEqual({ ...before, theme })
      expect((await peer.client.app.settings()).theme).toBe(theme)
    })

    it('lists what it comes with', async () => {
      const [streams, methods, models, registry, embedders] = await Promise.all([
        peer.client.streams.list(),
        peer.client.methods.list(),
        peer.client.models.list(),
        peer.client.models.registry(),
        peer.client.engine.embedders(),
      ])
      expect(streams.map((stream) => stream.id)).toContain('house-rules-a')
      expect(methods.map((method) => method.id)).toEqual(
        expect.arrayContaining(['none', 'replay', 'case-bank']),
      )
      expect(embedders.map((embedder) => embedder.id)).toContain('lexical-384')
      expect(Array.isArray(models) && Array.isArray(registry)).toBe(true)
    })

    it('makes a memory and searches it', async () => {
      const memory = await peer.client.memories.create({ name: 'Empty' })
      expect((await peer.client.memories.list()).map(({ id }) => id)).toContain(memory.id)
      const found = await peer.client.items.list({ memoryId: memory.id, text: 'anything' })
      expect(found).toMatchObject({ rows: [], total: 0 })
    })

    it('marks and corrects cases, weighs them and follows their worth', async () => {
      const { client } = peer
      const memory = await client.memories.create({ name: 'Curated' })
      const memoryId = memory.id
      const row = (question: string, plan: string) => JSON.stringify({ question, plan, reward: 1 })
      const text = [row('Count the lanterns', 'one'), row('Paint the harbour', 'two')].join('\n')
      const source = { from: 'text' as const, text }
      const { jobId } = await client.items.import({ memoryId, source })
      await expect
        .poll(async () => client.jobs.report({ jobId }))
        .toMatchObject({
          format: 'dummy',
          imported: 2,
        })
      const { rows: found } = await client.items.list({ memoryId, kinds: ['case'], text: 'lanterns' })
      const id = found[0]?.id ?? ''
      expect(found[0]?.match).toMatchObject({ terms: ['lanterns'], semanticScore: null })
      const ref = { memoryId, kind: 'case', id }
      expect(await client.items.mark({ ...ref, mark: 'muted' })).toMatchObject({ item: { mark: 'muted' } })
      const values = { state: 'Count the lamps', plan: 'three', reward: 0 as const }
      expect(await client.items.edit({ ...ref, values })).toMatchObject({ item: { values } })
      const versions = await client.items.history(ref)
      expect(versions.map(({ title, current }) => [title, current])).toEqual([
        ['Count the lanterns', false],
        ['Count the lamps', true],
      ])
      const view = (ability: string, input = {}) =>
        client.items.view({ memoryId, kind: 'case', ability, input })
      const worth = caseWorthSchema.parse(await view('worth', { text: 'Count the lamps' }))
      expect(worth.learner).toMatchObject({ method: 'case-bank-q', runId: null, writes: 2 })
      // Nothing was learned yet: the most alike stands first, and is muted.
      expect(worth.cases.map((each) => [each.case.id === id, each.recalled, each.weight])).toEqual([
        [true, false, 0],
        [false, true, 0],
      ])
      const { moments, rows, trust } = caseLandscapeSchema.parse(await view('landscape'))
      expect([moments, trust]).toEqual([
        [1, 2],
        [0, 0],
      ])
      expect(rows).toHaveLength(2)
      await expect(view('worth', { text: 7 })).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await expect(view('weather')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(client.items.mark({ ...ref, id: 'nobody', mark: null })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    })

    it('says what is wrong in the one error shape', async () => {
      await expect(peer.client.runs.get({ runId: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(peer.client.memories.create({ name: '' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await expect(peer.client.jobs.cancel({ jobId: 'nope' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    it('feeds the jobs and the engine’s state', async () => {
      const abort = new AbortController()
      const jobs = await peer.client.jobs.watch({}, { signal: abort.signal })
      expect((await jobs.next()).value).toMatchObject({ kind: 'snapshot' })
      const engine = await peer.client.engine.watch({}, { signal: abort.signal })
      expect((await engine.next()).value).toMatchObject({ kind: 'snapshot', state: { model: null } })
      abort.abort()
    })
  })
})
