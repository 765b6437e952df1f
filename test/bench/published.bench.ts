import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { lexicalEmbedder } from '../../src/core/retrieval/lexical-embedder'
import { openPublishedTable } from '../../src/main/adapters/lancedb/published-table'
import { folderBytes } from '../../src/main/memory-store/memory-folder'
import { openMemory } from '../../src/main/memory-store/memory'
import { publishMemory } from '../../src/main/share/publish'
import { attempt } from '../main/memory-store/fixtures'

// Publishing a memory to an object store on this machine (s3rver), and searching there, one and eight readers at a time.
const SIZE = Number(process.env['LOAM_PUBLISHED_SIZE'] ?? 10_000)
const SEARCHES = 100
const folder = await mkdtemp(join(tmpdir(), 'loam-published-'))
const store = join(folder, 'store')
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: store,
  configureBuckets: [{ name: 'loam', configs: [] }],
})
const seconds = (since: number): number => Number(((performance.now() - since) / 1000).toFixed(2))
try {
  const { port } = (await server.run()) as AddressInfo
  const storage = {
    aws_access_key_id: 'S3RVER',
    aws_secret_access_key: 'S3RVER',
    aws_region: 'us-east-1',
    aws_endpoint: `http://127.0.0.1:${port}`,
    allow_http: 'true',
  }
  const memory = await openMemory({ folder: join(folder, 'space'), embedder: lexicalEmbedder })
  for (let n = 0; n < SIZE; n += 200)
    await memory.commit(
      Array.from({ length: 200 }, (_, i) =>
        attempt(n + i, `count the boats of harbor ${n + i} in the fog`),
      ).flat(),
    )
  const first = performance.now()
  await publishMemory(memory, 's3://loam/bench', { storage, batch: 1000 })
  const publishSeconds = seconds(first)
  await memory.commit(attempt(SIZE + 1, 'one more'))
  const again = performance.now()
  await publishMemory(memory, 's3://loam/bench', { storage })
  const againSeconds = seconds(again)
  await memory.close()
  const [vector = new Float32Array()] = await lexicalEmbedder.embed(['boats of the harbor'])
  const measure = async (readers: number): Promise<{ p50: number; p95: number }> => {
    const samples: number[] = []
    await Promise.all(
      Array.from({ length: readers }, async () => {
        const table = await openPublishedTable('s3://loam/bench', lexicalEmbedder, { storage })
        await table.search(vector, 4)
        for (let i = 0; i < SEARCHES; i++) {
          const begun = performance.now()
          await table.search(vector, 4)
          samples.push(performance.now() - begun)
        }
        table.close()
      }),
    )
    const sorted = samples.sort((a, b) => a - b)
    const at = (share: number): number =>
      Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1))
    return { p50: at(0.5), p95: at(0.95) }
  }
  const figures = {
    unit: 'ms',
    cases: SIZE,
    publishSeconds,
    againSeconds,
    bytes: await folderBytes(store),
    oneReader: await measure(1),
    eightReaders: await measure(8),
  }
  process.stdout.write(JSON.stringify(figures) + '\n')
} finally {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
