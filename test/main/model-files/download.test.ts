import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discardPart, Download, type DownloadOptions } from '../../../src/main/model-files/download'

const CONTENT = Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 31 + (i >> 8)) & 255))
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')

/** Sends from the range asked for, `piece` bytes at a time with a turn between, at most `most` bytes. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: { most?: number; piece?: number; ranges?: boolean; cut?: boolean } = {},
): void {
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
  const from = asked && options.ranges !== false ? Number(asked[1]) : 0
  const end = Math.min(CONTENT.length, from + (options.most ?? CONTENT.length))
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': CONTENT.length - from,
    ...(from > 0 && { 'content-range': `bytes ${from}-${CONTENT.length - 1}/${CONTENT.length}` }),
  })
  const send = (at: number) => {
    if (response.destroyed) return
    if (at >= end) {
      if (options.cut) response.destroy()
      else if (end === CONTENT.length) response.end()
      return
    }
    const next = Math.min(end, at + (options.piece ?? 65_536))
    response.write(CONTENT.subarray(at, next), () => setTimeout(send, 1, next))
  }
  send(from)
}

describe('a model download', () => {
  let folder: string
  let target: string
  let server: Server
  let url: string
  let requests: (string | undefined)[]
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const make = (options: Partial<DownloadOptions> = {}, request = {}) =>
    new Download(
      {
        ...{ url, target, sizeBytes: CONTENT.length },
        checksum: { kind: 'sha256', hex: SHA256 },
        ...request,
      },
      { networkAllowed: () => true, retryMs: [1], ...options },
    )
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-download-'))
    target = join(folder, 'models', 'model.gguf')
    requests = []
    answer = serve
    server = createServer((request, response) => {
      requests.push(request.headers.range)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.gguf`
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })

  it('arrives whole, checked and without a part file', async () => {
    const phases = new Set<string>()
    let last = 0
    const path = await make({
      onProgress: ({ phase, doneBytes, totalBytes }) => {
        phases.add(phase)
        expect(doneBytes).toBeLessThanOrEqual(totalBytes)
        last = doneBytes
      },
    }).run()
    expect(path).toBe(target)
    expect((await readFile(target)).equals(CONTENT)).toBe(true)
    expect(existsSync(`${target}.part`)).toBe(false)
    expect([...phases]).toEqual(['connecting', 'downloading', 'checking'])
    expect(last).toBe(CONTENT.length)
    expect(await make().run()).toBe(target)
    expect(requests.length).toBe(1)
  })

  it('does not connect while the network is off, and stops when it is turned off', async () => {
    await expect(make({ networkAllowed: () => false }).run()).rejects.toMatchObject({ code: 'NETWORK_OFF' })
    expect(requests.length).toBe(0)
    let allowed = true
    const stopped = make({
      networkAllowed: () => allowed,
      onProgress: ({ doneBytes }) => {
        if (doneBytes > 100_000) allowed = false
      },
    })
    await expect(stopped.run()).rejects.toMatchObject({ code: 'NETWORK_OFF' })
    expect((await stat(`${target}.part`)).size).toBeGreaterThan(0)
  })

  it('goes on by itself after cut connections', async () => {
    answer = (request, response) => serve(request, response, { most: 150_000, cut: true })
    await make().run()
    expect((await readFile(target)).equals(CONTENT)).toBe(true)
    expect(requests.length).toBeGreaterThan(2)
    expect(requests[1]).toMatch(/^bytes=\d+-$/)
  })

  it('gives up when attempts bring nothing, and keeps what it has', async () => {
    let first = true
    answer = (request, response) => {
      if (first) serve(request, response, { most: 100_000, cut: true })
      else response.destroy()
      first = false
    }
    await expect(make().run()).rejects.toMatchObject({ code: 'DOWNLOAD', retryable: true })
    expect((await stat(`${target}.part`)).size).toBeGreaterThan(0)
    answer = serve
    await make().run()
    expect(requests.at(-1)).toMatch(/^bytes=\d+-$/)
    expect((await readFile(target)).equals(CONTENT)).toBe(true)
  })

  it('starts over with a server that ignores Range', async () => {
    let first = true
    answer = (request, response) => {
      serve(request, response, { ranges: false, ...(first && { most: 100_000, cut: true }) })
      first = false
    }
    await make().run()
    expect((await readFile(target)).equals(CONTENT)).toBe(true)
  })

  it('notices a connection that has gone silent', async () => {
    let first = true
    answer = (request, response) => {
      serve(request, response, first ? { most: 100_000 } : {})
      first = false
    }
    await make({ stallMs: 100 }).run()
    expect((await readFile(target)).equals(CONTENT)).toBe(true)
    expect(requests.length).toBe(2)
  })

  it('pauses, resumes and is cancelled, keeping its part file', async () => {
    answer = (request, response) => serve(request, response, { piece: 8_000 })
    const phases: string[] = []
    let paused = false
    const download = make({
      onProgress: ({ phase, doneBytes }) => {
        phases.push(phase)
        if (doneBytes > 60_000 && !paused) {
          paused = true
          download.pause()
        }
      },
    })
    const done = download.run()
    await expect.poll(() => paused).toBe(true)
    expect(download.paused).toBe(true)
    const held = requests.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(requests.length).toBe(held)
    expect((await stat(`${target}.part`)).size).toBeGreaterThan(0)
    download.resume()
    await done
    expect(phases).toContain('paused')
    expect((await readFile(target)).equals(CONTENT)).toBe(true)

    await rm(target)
    const controller = new AbortController()
    const cancelled = make({ onProgress: ({ doneBytes }) => doneBytes > 60_000 && controller.abort() })
    await expect(cancelled.run(controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(existsSync(`${target}.part`)).toBe(true)
    await discardPart(target)
    expect(existsSync(`${target}.part`)).toBe(false)
  })

  it('can be cancelled while paused', async () => {
    const controller = new AbortController()
    const download = make()
    download.pause()
    const done = download.run(controller.signal)
    controller.abort()
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests.length).toBe(0)
  })

  it('throws away what has a wrong checksum', async () => {
    const wrong = make({}, { checksum: { kind: 'sha256', hex: '0'.repeat(64) } })
    await expect(wrong.run()).rejects.toMatchObject({ code: 'CHECKSUM' })
    expect(existsSync(target)).toBe(false)
    expect(existsSync(`${target}.part`)).toBe(false)
  })

  it('refuses a missing file, a wrong size and an insecure address', async () => {
    answer = (_, response) => response.writeHead(404).end()
    await expect(make().run()).rejects.toMatchObject({ code: 'DOWNLOAD', retryable: false })
    expect(requests.length).toBe(1)
    answer = serve
    await expect(make({}, { sizeBytes: 5 }).run()).rejects.toMatchObject({ code: 'DOWNLOAD' })
    await expect(make({}, { url: 'http://example.org/m.gguf' }).run()).rejects.toMatchObject({
      code: 'DOWNLOAD',
    })
  })

  it('waits out a server error', async () => {
    let first = true
    answer = (request, response) => {
      if (first) response.writeHead(503).end()
      else serve(request, response)
      first = false
    }
    await make().run()
    expect(requests.length).toBe(2)
  })

  it('asks for enough memory before it begins', async () => {
    await expect(make({ freeBytes: async () => 1000 }).run()).rejects.toMatchObject({ code: 'DISK_FULL' })
    expect(requests.length).toBe(0)
  })

  it('leaves a different file alone and recovers from an oversized part', async () => {
    await make().run()
    await truncate(target, 10)
    await expect(make().run()).rejects.toMatchObject({ code: 'CONFLICT' })
    await rm(target)
    await writeFile(`${target}.part`, Buffer.alloc(CONTENT.length + 1))
    await make().run()
    expect((await readFile(target)).equals(CONTENT)).toBe(true)
  })
})
