import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHub } from '../../../src/main/model-files/hub/hub'
import { damageIn } from '../../../src/main/ground/record-file'
import { JobRegistry } from '../../../src/main/ground/jobs'
import {
  openDownloadQueue,
  type DownloadQueue,
  type DownloadQueueDeps,
} from '../../../src/main/models/download-queue'
import { openHubDownloads, type HubDownloads } from '../../../src/main/models/hub-downloads'
import type { DownloadInfo } from '../../../src/shared/domain/download'
import { startHubServer, type HubServer } from '../../fixtures/hub-server'

const content = (size: number, salt: number) =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * salt + (i >> 8)) & 255))
const BIG = content(400_000, 31)
const PARTS = [content(120_000, 3), content(90_000, 5)]
const ENCODER = {
  'config.json': Buffer.from('{"hidden_size":64}'),
  'tokenizer.json': content(50_000, 7),
  'tokenizer_config.json': Buffer.from('{}'),
  'onnx/model.onnx': content(80_000, 9),
  'onnx/model_quantized.onnx': content(40_000, 11),
}

describe('downloads from the hub', () => {
  let folder: string
  let server: HubServer
  let network: boolean
  let jobs: JobRegistry
  let queue: DownloadQueue
  let hub: HubDownloads
  let done: DownloadInfo[]
  let atOnce: number
  const open = async (change: Partial<DownloadQueueDeps> & { token?: string } = {}) => {
    const { token = null, ...deps } = change
    const source = openHub({ address: server.url, networkAllowed: () => network, token })
    jobs = new JobRegistry({ throttleMs: 1 })
    queue = await openDownloadQueue({
      ...{ file: join(folder, 'downloads.json'), jobs, networkAllowed: () => network, atOnce: () => atOnce },
      keyFor: (url) => (url.startsWith(server.url) ? token : null),
      onDone: async (download) => void done.push(download),
      retryMs: [1],
      ...deps,
    })
    hub = openHubDownloads({
      ...{ hub: source, queue, registry: () => Promise.resolve([]), folder: join(folder, 'models') },
      freeBytes: () => Promise.resolve(8e9),
    })
  }
  const ended = async (id: string): Promise<DownloadInfo | null> => {
    await expect
      .poll(() => queue.list().find((one) => one.id === id)?.status ?? 'gone')
      .toMatch(/gone|failed/)
    return queue.list().find((one) => one.id === id) ?? null
  }
  const status = (id: string) => queue.list().find((one) => one.id === id)?.status
  const part = (path: string) =>
    stat(`${join(folder, 'models', 'hub', path)}.part`).then(
      ({ size }) => size,
      () => 0,
    )
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-queue-'))
    ;[network, done, atOnce] = [true, [], 1]
    server = await startHubServer({
      'a/Big-GGUF': {
        license: 'mit',
        files: { 'big-Q4_K_M.gguf': BIG, 'small-Q2_K.gguf': content(60_000, 13) },
      },
      'a/Parts-GGUF': {
        files: {
          'p-Q8_0-00001-of-00002.gguf': PARTS[0] ?? BIG,
          'p-Q8_0-00002-of-00002.gguf': PARTS[1] ?? BIG,
        },
      },
      'a/Closed-GGUF': { gated: 'auto', files: { 'c-Q8_0.gguf': BIG } },
      'Xenova/all-MiniLM-L6-v2': { license: 'apache-2.0', files: ENCODER },
    })
    await open()
  })
  afterEach(async () => {
    await queue.close()
    await jobs.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('arrive checked, in a folder of their repository, through a redirect', async () => {
    const { id, license, source } = await hub.add('a/Big-GGUF', 'q4_k_m')
    expect([license, source]).toEqual(['mit', `${new URL(server.url).host}/a/Big-GGUF`])
    expect(await ended(id)).toBeNull()
    const path = join(folder, 'models', 'hub', 'a', 'Big-GGUF', 'big-Q4_K_M.gguf')
    expect((await readFile(path)).equals(BIG)).toBe(true)
    expect(done.map(({ target }) => target)).toEqual([path])
    expect(server.asked.some((one) => one.startsWith('GET /cdn/'))).toBe(true)
    await expect
      .poll(() => jobs.list()[0])
      .toMatchObject({
        kind: 'download',
        status: 'done',
        done: BIG.length,
        activity: 'Checked, and ready to use',
      })
  })

  it('of several parts are one, with the progress of all of them', async () => {
    const { id, sizeBytes } = await hub.add('a/Parts-GGUF', 'Q8_0')
    expect(sizeBytes).toBe(210_000)
    expect(await ended(id)).toBeNull()
    for (const [index, data] of PARTS.entries()) {
      const name = `p-Q8_0-0000${index + 1}-of-00002.gguf`
      expect((await readFile(join(folder, 'models/hub/a/Parts-GGUF', name))).equals(data)).toBe(true)
    }
    await expect.poll(() => jobs.list()[0]).toMatchObject({ total: 210_000, done: 210_000 })
  })

  it('of an encoder bring its folder, small files checked by git’s own sum', async () => {
    const { id, asEmbedder, target } = await hub.addEmbedder('all-minilm-l6-v2')
    expect(asEmbedder).toBe(true)
    expect(await ended(id)).toBeNull()
    expect(await readFile(join(target, 'config.json'), 'utf8')).toBe('{"hidden_size":64}')
    expect(existsSync(join(target, 'onnx/model_quantized.onnx'))).toBe(true)
    expect(existsSync(join(target, 'onnx/model.onnx'))).toBe(false)
    expect(done[0]?.asEmbedder).toBe(true)
  })

  it('go on after cuts, and after being asked to wait', async () => {
    server.mishap = { cutAfter: 150_000 }
    const { id } = await hub.add('a/Big-GGUF', 'Q4_K_M')
    expect(await ended(id)).toBeNull()
    expect(server.asked.filter((one) => /cdn.* bytes=\d+-$/.test(one)).length).toBeGreaterThan(1)
    server.mishap = { status: 429, retryAfter: 0, times: 1 }
    const { id: second } = await hub.add('a/Big-GGUF', 'Q2_K')
    expect(await ended(second)).toBeNull()
    expect(done).toHaveLength(2)
  })

  it('that bring other bytes fail, keep nothing, and are tried anew when asked', async () => {
    server.mishap = { wrong: true, times: 1 }
    const { id } = await hub.add('a/Big-GGUF', 'Q4_K_M')
    expect(await ended(id)).toMatchObject({ status: 'failed', problem: { code: 'CHECKSUM' } })
    expect(await part('a/Big-GGUF/big-Q4_K_M.gguf')).toBe(0)
    queue.resume(id)
    expect(await ended(id)).toBeNull()
  })

  it('whose part is longer than the file begin anew (416)', async () => {
    const target = join(folder, 'models/hub/a/Big-GGUF/big-Q4_K_M.gguf')
    server.mishap = { slowMs: 200 }
    const { id } = await hub.add('a/Big-GGUF', 'Q4_K_M')
    await expect.poll(() => part('a/Big-GGUF/big-Q4_K_M.gguf')).toBeGreaterThan(0)
    queue.pause(id)
    await expect.poll(() => server.sending).toBe(0)
    // As much as there should be, but the source has become shorter meanwhile.
    await writeFile(`${target}.part`, Buffer.alloc(399_999))
    server.mishap = { status: 416, times: 1 }
    queue.resume(id)
    expect(await ended(id)).toBeNull()
    expect((await readFile(target)).equals(BIG)).toBe(true)
  })

  it('that are closed say what to do, and come with a token that no redirect gets', async () => {
    const { id } = await hub.add('a/Closed-GGUF', 'Q8_0')
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      problem: { code: 'DOWNLOAD', suggestion: expect.stringMatching(/terms.*HF_TOKEN/) },
    })
    await queue.cancel(id)
    await open({ token: 'hf_made_up' })
    const { id: again } = await hub.add('a/Closed-GGUF', 'Q8_0')
    expect(await ended(again)).toBeNull()
    const resolved = [...server.keys].find(([path]) => path.includes('/resolve/'))
    expect(resolved?.[1]).toBe('Bearer hf_made_up')
  })

  it('give the token to no other host', async () => {
    const other = await startHubServer({ 'x/y': { files: { 'c-Q8_0.gguf': BIG } } })
    server.mishap = { location: `${other.url}/cdn/${createHash('sha256').update(BIG).digest('hex')}` }
    await open({ token: 'hf_made_up' })
    const { id } = await hub.add('a/Closed-GGUF', 'Q8_0')
    expect(await ended(id)).toBeNull()
    expect([...other.keys.values()]).toEqual([undefined])
    await other.close()
  })

  it('pause, let the next one go, resume and are cancelled', async () => {
    // Slow enough that the first is still at work whenever it is looked at.
    server.mishap = { slowMs: 200 }
    const first = await hub.add('a/Big-GGUF', 'Q4_K_M')
    const second = await hub.add('a/Big-GGUF', 'Q2_K')
    expect([status(first.id), status(second.id)]).toEqual(['running', 'waiting'])
    await expect.poll(() => part('a/Big-GGUF/big-Q4_K_M.gguf')).toBeGreaterThan(0)
    queue.pause(first.id)
    expect([status(first.id), status(second.id)]).toEqual(['paused', 'running'])
    queue.resume(first.id)
    expect(status(first.id)).toBe('waiting')
    expect(await ended(second.id)).toBeNull()
    await expect.poll(() => status(first.id)).toBe('running')
    await queue.cancel(first.id)
    expect(queue.list()).toEqual([])
    expect(await part('a/Big-GGUF/big-Q4_K_M.gguf')).toBe(0)
    await expect.poll(() => jobs.list().map((job) => job.status)).toEqual(['done', 'cancelled'])
  })

  it('work on as many at a time as is wanted', async () => {
    atOnce = 2
    // So slow that neither ends before the other begins.
    server.mishap = { slowMs: 60_000 }
    const first = await hub.add('a/Big-GGUF', 'Q4_K_M')
    const second = await hub.add('a/Big-GGUF', 'Q2_K')
    const third = await hub.add('a/Parts-GGUF', 'Q8_0')
    await expect.poll(() => server.sending).toBe(2)
    expect([first, second, third].map(({ id }) => status(id))).toEqual(['running', 'running', 'waiting'])
  })

  it('survive the end of the program and go on where they were', async () => {
    server.mishap = { slowMs: 200 }
    await hub.add('a/Big-GGUF', 'Q4_K_M')
    const paused = await hub.add('a/Parts-GGUF', 'Q8_0')
    queue.pause(paused.id)
    await expect.poll(() => part('a/Big-GGUF/big-Q4_K_M.gguf')).toBeGreaterThan(50_000)
    await queue.close()
    await jobs.close()
    const had = await part('a/Big-GGUF/big-Q4_K_M.gguf')
    expect(had).toBeGreaterThan(50_000)
    server.mishap = {}
    await open()
    expect(queue.list().map(({ title, status: state }) => [title, state])).toEqual([
      ['a/Big-GGUF Q4_K_M', 'waiting'],
      ['a/Parts-GGUF Q8_0', 'paused'],
    ])
    queue.go()
    expect(await ended(queue.list()[0]?.id ?? '')).toBeNull()
    const resumed = server.asked.filter((one) => one.includes('/cdn/') && one.includes('bytes=')).at(-1)
    expect(Number(/bytes=(\d+)/.exec(resumed ?? '')?.[1])).toBeGreaterThanOrEqual(had)
    expect(queue.list().map(({ status: state }) => state)).toEqual(['paused'])
  })

  it('connect to nothing while the network is off, and wait when it is turned off', async () => {
    const before = server.asked.length
    network = false
    await expect(hub.add('a/Big-GGUF', 'Q4_K_M')).rejects.toMatchObject({ code: 'NETWORK_OFF' })
    expect(server.asked).toHaveLength(before)
    network = true
    server.mishap = { slowMs: 200 }
    const { id } = await hub.add('a/Big-GGUF', 'Q4_K_M')
    await expect.poll(() => part('a/Big-GGUF/big-Q4_K_M.gguf')).toBeGreaterThan(0)
    network = false
    await expect.poll(() => status(id)).toBe('waiting')
    expect(queue.list()[0]?.problem?.code).toBe('NETWORK_OFF')
    network = true
    server.mishap = {}
    queue.go()
    expect(await ended(id)).toBeNull()
  })

  it('refuse what is not there and what is there twice, and begin anew with a queue that is damaged', async () => {
    await expect(hub.add('a/Big-GGUF', 'Q6_K')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      suggestion: 'It has Q2_K, Q4_K_M.',
    })
    server.mishap = { slowMs: 200 }
    await hub.add('a/Big-GGUF', 'Q4_K_M')
    await expect(hub.add('a/Big-GGUF', 'Q4_K_M')).rejects.toMatchObject({ code: 'CONFLICT' })
    await writeFile(join(folder, 'broken.json'), '{"format":1,"downloads":[{}]}')
    await queue.close()
    await jobs.close()
    await open({ file: join(folder, 'broken.json') })
    expect(queue.list()).toEqual([])
    expect(damageIn(join(folder, 'broken.json'))).toHaveLength(1)
  })
})
