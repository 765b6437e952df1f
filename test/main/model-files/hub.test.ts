import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embedderFilesOf, modelChoices, quantOf } from '../../../src/main/model-files/hub/choices'
import { isSafePath, openHub, type HubOptions } from '../../../src/main/model-files/hub/hub'
import { roughFit } from '../../../src/shared/domain/download'
import { startHubServer, type HubServer } from '../../fixtures/hub-server'

const bytes = (size: number) => Buffer.alloc(size, 7)
const GB = 1e9

describe('the hub', () => {
  let server: HubServer
  const hub = (change: Partial<HubOptions> = {}) =>
    openHub({ address: server.url, networkAllowed: () => true, token: null, ...change })
  beforeAll(async () => {
    server = await startHubServer({
      'someone/Tiny-GGUF': {
        license: 'apache-2.0',
        downloads: 12,
        files: {
          'README.md': bytes(40),
          'tiny-Q8_0.gguf': bytes(30_000),
          'tiny-Q4_K_M.gguf': bytes(20_000),
          'mmproj-tiny-f16.gguf': bytes(15_000),
          'big/tiny-BF16-00001-of-00002.gguf': bytes(40_000),
          'big/tiny-BF16-00002-of-00002.gguf': bytes(41_000),
          'cut/tiny-F32-00001-of-00003.gguf': bytes(40_000),
        },
      },
      'closed/Tiny-GGUF': { gated: 'manual', files: {} },
    })
  })
  afterAll(() => server.close())

  it('is searched by name, and says licence and terms', async () => {
    expect(await hub().search('tiny')).toEqual([
      { repo: 'someone/Tiny-GGUF', downloads: 12, likes: 1, license: 'apache-2.0', gated: false },
      { repo: 'closed/Tiny-GGUF', downloads: 0, likes: 1, license: null, gated: true },
    ])
    expect(await hub().search('no such thing')).toEqual([])
  })

  it('lists what can be had, page by page: quantizations, sizes, checksums, parts together', async () => {
    const content = await hub().content('someone/Tiny-GGUF')
    expect(content).toMatchObject({ license: 'apache-2.0', gated: false })
    expect(content.files).toHaveLength(7)
    expect(content.files.find(({ path }) => path === 'README.md')).toMatchObject({
      sha256: null,
      gitSha1: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    const choices = modelChoices(content.files, 8 * GB)
    expect(choices.map(({ name, sizeBytes, files }) => [name, sizeBytes, files.length])).toEqual([
      ['Q4_K_M', 20_000, 1],
      ['Q8_0', 30_000, 1],
      ['BF16', 81_000, 2],
    ])
    expect(choices[0]?.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(embedderFilesOf(content.files, GB)).toBeNull()
  })

  it('is not asked while the network is off', async () => {
    const before = server.asked.length
    await expect(hub({ networkAllowed: () => false }).search('tiny')).rejects.toMatchObject({
      code: 'NETWORK_OFF',
    })
    expect(server.asked).toHaveLength(before)
  })

  it('that has no such repository, or is asked for what is no name, says so', async () => {
    await expect(hub().content('someone/none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const name of ['none', '../x', 'a/b/c', 'a/..'])
      await expect(hub().content(name)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('tells quantizations from names', () => {
    const names = {
      'Qwen3-4B-Q4_K_M.gguf': 'Q4_K_M',
      'model-UD-Q2_K_XL.gguf': 'UD-Q2_K_XL',
      'gemma-3-1b-it-IQ3_XXS.gguf': 'IQ3_XXS',
      'gpt-oss-20b-mxfp4.gguf': 'MXFP4',
      'llama.f16.gguf': 'F16',
      'Q8_0/llama-00001-of-00002.gguf': 'Q8_0',
      'ggml-model.gguf': null,
    }
    for (const [name, quant] of Object.entries(names)) expect([name, quantOf(name)]).toEqual([name, quant])
    // Two files of one quantization keep their names.
    const file = (path: string) => ({ path, sizeBytes: 9, sha256: 'a'.repeat(64), gitSha1: null })
    expect(modelChoices([file('a-Q4_0.gguf'), file('b-Q4_0.gguf')], GB).map(({ name }) => name)).toEqual([
      'a-Q4_0',
      'b-Q4_0',
    ])
  })

  it('lets no file out of its folder', () => {
    for (const bad of [
      '../x.gguf',
      'a/../../x',
      '/etc/x',
      'a\\b',
      'a//b',
      'C:/x',
      'con',
      'a/nul.gguf',
      'x.',
      'a\u0000b',
      '.',
    ])
      expect([bad, isSafePath(bad)]).toEqual([bad, false])
    for (const good of [
      'x.gguf',
      'onnx/model.onnx',
      '1_Pooling/config.json',
      '.gitattributes',
      'Modell ä.gguf',
    ])
      expect([good, isSafePath(good)]).toEqual([good, true])
  })

  it('says roughly what fits', () => {
    expect([roughFit(4 * GB, 16 * GB), roughFit(6 * GB, 8 * GB), roughFit(8 * GB, 8 * GB)]).toEqual([
      'fits',
      'tight',
      'too-large',
    ])
  })
})

describe('a hub that does not answer as one', () => {
  let server: Server
  let say: { status: number; body: string; headers?: Record<string, string>; never?: boolean }
  const search = (change: Partial<HubOptions> = {}) =>
    openHub({
      ...{
        address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        networkAllowed: () => true,
        token: null,
      },
      ...change,
    }).search('x')
  beforeAll(async () => {
    server = createServer((_, response) => {
      if (!say.never) response.writeHead(say.status, say.headers).end(say.body)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    ['HTML', { status: 200, body: '<html>' }, /did not answer as a hub/],
    ['other JSON', { status: 200, body: '{"error":"x"}' }, /did not answer as a hub/],
    ['too often', { status: 429, body: '', headers: { 'retry-after': '7' } }, /asked too often/],
    ['a failure', { status: 500, body: '' }, /answered 500/],
    [
      'an insecure place',
      { status: 302, body: '', headers: { location: 'http://example.org/' } },
      /not an https address/,
    ],
    ['itself again', { status: 302, body: '', headers: { location: '/again' } }, /without end/],
  ])('%s', async (_name, answer, why) => {
    say = answer
    await expect(search()).rejects.toMatchObject({ code: 'DOWNLOAD', why: expect.stringMatching(why) })
  })

  it('nothing at all', async () => {
    say = { status: 200, body: '', never: true }
    await expect(search({ withinMs: 100 })).rejects.toMatchObject({ code: 'DOWNLOAD', retryable: true })
    const gone = openHub({ address: 'http://127.0.0.1:9', networkAllowed: () => true, token: null })
    await expect(gone.search('x')).rejects.toMatchObject({ code: 'DOWNLOAD', retryable: true })
  })
})
