import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lexicalEmbedder } from '../../../src/core/retrieval/lexical-embedder'
import { loadLanceDb } from '../../../src/main/adapters/lancedb/load-lancedb'
import { openPublishedTable } from '../../../src/main/adapters/lancedb/published-table'
import { openMemory } from '../../../src/main/memory-store/memory'
import { publishMemory, searchPublished } from '../../../src/main/share/publish'
import { attempt } from '../memory-store/fixtures'
import { caseEdits } from '../memory-store/case-edits'

const CASES = 60
const BATCH = 5

let folder: string
let server: S3rver
let storage: Record<string, string>
const memory = (name: string): string => join(folder, `space-${name}`)
const uri = (name: string): string => `s3://loam/${name}`
const print = (line: string): string => createHash('sha256').update(line).digest('hex')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-s3-'))
  const where = { port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 'store') }
  server = new S3rver({ ...where, configureBuckets: [{ name: 'loam', configs: [] }] })
  const { port } = (await server.run()) as AddressInfo
  storage = {
    aws_access_key_id: 'S3RVER',
    aws_secret_access_key: 'S3RVER',
    aws_region: 'us-east-1',
    aws_endpoint: `http://127.0.0.1:${port}`,
    allow_http: 'true',
  }
  for (const name of ['one', 'two']) {
    const opened = await openMemory({ folder: memory(name), embedder: lexicalEmbedder })
    const events = Array.from({ length: CASES }, (_, i) =>
      attempt(i + 1, `count the boats of harbor ${i + 1} in the fog`),
    )
    await opened.commit(events.flat())
    await opened.close()
  }
}, 60_000)
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A writer in a process of its own. */
function writer(name: string): { ended: Promise<string>; kill(): void } {
  const args = [
    '--import',
    'tsx',
    'test/fixtures/publish-process.ts',
    memory(name),
    uri(name),
    JSON.stringify(storage),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  return {
    ended: new Promise((resolve) => child.once('close', () => resolve(out))),
    kill: () => child.kill('SIGKILL'),
  }
}

/** What a reader sees: how many rows, and whether each is whole. */
async function seen(name: string): Promise<{ rows: number; whole: boolean }> {
  const table = await openPublishedTable(uri(name), lexicalEmbedder, { storage })
  try {
    const hits = await table.search(new Float32Array(lexicalEmbedder.dimension).fill(0.05), 1000)
    return { rows: hits.length, whole: hits.every((hit) => print(hit.line) === hit.print) }
  } finally {
    table.close()
  }
}

describe('a memory on an object store', () => {
  it('is published once, kept up to date, and searched by others', { timeout: 120_000 }, async () => {
    const opened = await openMemory({ folder: memory('one'), embedder: lexicalEmbedder })
    try {
      expect(await publishMemory(opened, uri('one'), { storage })).toMatchObject({
        put: CASES,
        removed: 0,
        same: 0,
      })
      const hits = await searchPublished(uri('one'), 'boats of harbor 17', {
        embedder: lexicalEmbedder,
        k: 3,
        storage,
      })
      expect(hits[0]?.title).toContain('harbor 17')
      await caseEdits(opened).deleteCase('c00017')
      await caseEdits(opened).correctCase('c00018', { state: 'paint the lighthouse', plan: 'p', reward: 1 })
      expect(await publishMemory(opened, uri('one'), { storage })).toMatchObject({
        put: 1,
        removed: 1,
        same: CASES - 2,
      })
      expect(await publishMemory(opened, uri('one'), { storage })).toMatchObject({
        put: 0,
        removed: 0,
        same: CASES - 1,
      })
      await expect(
        searchPublished(uri('none'), 'x', { embedder: lexicalEmbedder, k: 1, storage }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' })
      const other = { ...lexicalEmbedder, id: 'another encoder' }
      await expect(
        searchPublished(uri('one'), 'x', { embedder: other, k: 1, storage }),
      ).rejects.toMatchObject({ code: 'VECTOR_DIMENSION' })
    } finally {
      await opened.close()
    }
  })

  it('has an index once comparing every vector costs too much', { timeout: 120_000 }, async () => {
    const opened = await openMemory({ folder: memory('one'), embedder: lexicalEmbedder })
    const at = join(folder, 'indexed')
    const { lancedb } = await loadLanceDb()
    const indexed = async (): Promise<number[]> => {
      const table = await (await lancedb.connect(at)).openTable('items')
      const stats = await Promise.all((await table.listIndices()).map(({ name }) => table.indexStats(name)))
      return stats.map((one) => one?.numIndexedRows ?? 0)
    }
    const find = () =>
      searchPublished(at, 'boats of harbor 33', { embedder: lexicalEmbedder, k: 3 }).then(
        (hits) => hits[0]?.title,
      )
    try {
      const { put } = await publishMemory(opened, at)
      expect(await indexed()).toEqual([])
      await publishMemory(opened, at, { exactRows: 10 })
      expect(await indexed()).toEqual([put])
      expect(await find()).toContain('harbor 33')
      // What comes later is taken into it.
      await opened.commit(attempt(CASES + 1, 'mend the nets of pier 5'))
      await publishMemory(opened, at, { exactRows: 10 })
      expect(await indexed()).toEqual([put + 1])
    } finally {
      await opened.close()
    }
  })

  it(
    'shows every reader whole batches while a writer works, is killed, and another goes on',
    { timeout: 240_000 },
    async () => {
      const first = writer('two')
      const counts: number[] = []
      const look = async (): Promise<number> => {
        const { rows, whole } = await seen('two').catch(() => ({ rows: 0, whole: true }))
        expect(whole).toBe(true)
        counts.push(rows)
        return rows
      }
      // Readers beside the writer, until it has written some and not all.
      while (Math.max(...(await Promise.all([look(), look(), look()]))) < 2 * BATCH);
      first.kill()
      await first.ended
      const left = await look()
      expect(left).toBeLessThan(CASES)
      // It stays as the killed one left it, and the next one writes the rest alone.
      expect(await look()).toBe(left)
      const done = JSON.parse(await writer('two').ended) as { put: number; same: number }
      expect(done.put + done.same).toBe(CASES)
      expect(done.same).toBe(left)
      expect(await look()).toBe(CASES)
      expect(counts.every((rows) => rows % BATCH === 0 || rows === CASES)).toBe(true)
    },
  )
})
