import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startHubServer, type HubServer } from '../../fixtures/hub-server'
import { DEMO } from '../model-files/furnished-home'
import { lastLine, loamHere, type Ended } from './loam-process'

const POTION = resolve(import.meta.dirname, '../../../../shared/models/potion-base-2M')
const hasPotion = existsSync(POTION)
if (!hasPotion) process.stderr.write(`Skipped: the small embedding model is not at ${POTION}\n`)

describe('models and encoders from the hub, by command', { timeout: 240_000 }, () => {
  let home: string
  let server: HubServer
  const run = (...args: string[]): Promise<Ended> => loamHere(...args, '--json', '--data', join(home, 'data'))
  const network = async (on: boolean) => {
    await mkdir(join(home, 'data'), { recursive: true })
    await rm(join(home, 'data', 'settings.json.copy'), { force: true })
    await writeFile(join(home, 'data', 'settings.json'), JSON.stringify({ network: on }))
  }
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'loam-home-'))
    const embedder = async (path: string) => readFile(join(POTION, path))
    server = await startHubServer({
      'someone/Demo-GGUF': {
        license: 'apache-2.0',
        files: { 'demo-Q8_0.gguf': await readFile(DEMO), 'demo-Q4_K_M.gguf': Buffer.alloc(20_000) },
      },
      ...(hasPotion && {
        'Xenova/all-MiniLM-L6-v2': {
          license: 'mit',
          files: {
            'config.json': await embedder('config.json'),
            'tokenizer.json': await embedder('tokenizer.json'),
            'tokenizer_config.json': await embedder('tokenizer_config.json'),
            'onnx/model_quantized.onnx': await embedder('onnx/model_quantized.onnx'),
          },
        },
      }),
    })
    vi.stubEnv('HOME', home)
    vi.stubEnv('HF_ENDPOINT', server.url)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await server.close()
    await rm(home, { recursive: true, force: true })
  })

  it('nothing is asked while the network is off', async () => {
    await network(false)
    const { code, out, err } = await run('models', 'search', 'demo')
    expect(err).not.toMatch(/goes to the hub/)
    expect([code, lastLine(out)]).toMatchObject([1, { error: { code: 'NETWORK_OFF' } }])
    expect(server.asked).toEqual([])
  })

  it('a model is searched, downloaded, listed, and runs by its name', async () => {
    await network(true)
    const searched = await run('models', 'search', 'demo')
    expect(searched.err).toMatch(/"demo" goes to the hub/)
    expect(lastLine(searched.out)).toMatchObject({
      found: [{ repo: 'someone/Demo-GGUF', license: 'apache-2.0' }],
    })

    const downloaded = await run('models', 'download', 'someone/Demo-GGUF:Q8_0')
    expect(downloaded.err).toMatch(/licence apache-2.0/)
    const { target } = lastLine(downloaded.out) as { target: string }
    expect((await readFile(target)).equals(await readFile(DEMO))).toBe(true)
    expect(lastLine((await run('models', 'queue')).out)).toEqual({ downloads: [] })

    const ran = await run(
      'run',
      '--stream',
      'house-rules-a',
      '--method',
      'none',
      '--tasks',
      '2',
      '--model',
      'demo-Q8_0',
    )
    expect(ran.code).toBe(0)
    expect(lastLine(ran.out)).toMatchObject({ rewards: [expect.any(Number), expect.any(Number)] })
  })

  it('what a repository does not have is named, with what it has', async () => {
    await network(true)
    const { code, out } = await run('models', 'download', 'someone/Demo-GGUF:Q2_K')
    expect([code, lastLine(out)]).toMatchObject([
      2,
      { error: { code: 'NOT_FOUND', suggestion: 'It has Q4_K_M, Q8_0.' } },
    ])
  })

  it.skipIf(!hasPotion)('an embedding model is offered, downloaded and chosen', async () => {
    await network(true)
    const listed = await run('embedders')
    expect(listed.err).toMatch(/loam embedders download all-minilm-l6-v2 .*licence Apache-2.0/)
    const downloaded = await run('embedders', 'download', 'all-minilm-l6-v2')
    expect(lastLine(downloaded.out)).toMatchObject({ status: 'done', embedder: 'all-MiniLM-L6-v2' })
    expect(lastLine((await run('embedders')).out)).toMatchObject({
      embedder: 'all-MiniLM-L6-v2',
      embedders: expect.arrayContaining([
        expect.objectContaining({ id: 'all-MiniLM-L6-v2', available: true, dimension: 64 }),
      ]),
    })
  })
})
