import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { MODEL_STORES } from '../../../src/main/model-files/stores'
import { llamaCpp } from '../../../src/main/providers/llama-cpp'
import { toErrorShape } from '../../../src/shared/errors'
import { modelsNamed, type ModelInfo, type ModelPlace } from '../../../src/shared/domain/model'
import { furnish } from '../model-files/furnished-home'
import { readModels } from '../model-files/places'
import { testWorld } from '../providers/world'
import { lastLine, loamHere } from './loam-process'
import { longTest } from '../../torture'

const CHAT = {
  messages: [{ role: 'user' as const, content: 'How many orders?' }],
  maxTokens: 8,
  temperature: 0,
}

describe('models of other programs', { timeout: 240_000 }, () => {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'loam-home-'))
    await furnish(home)
    const ofOthers = Object.keys(process.env).filter((name) =>
      /^(?:OLLAMA|HF|HUGGINGFACE|LLAMA|XDG)_/.test(name),
    )
    for (const name of ofOthers) vi.stubEnv(name, undefined)
    vi.stubEnv('HOME', home)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(home, { recursive: true, force: true })
  })

  longTest(
    'are loaded by llama.cpp from where they lie: a blob without an ending, and three parts as one',
    async () => {
      const world = { home, env: {}, platform: 'linux', root: join(home, 'root') } as const
      const { models } = await readModels([], { stores: MODEL_STORES, world })
      const engine = new EngineSupervisor()
      try {
        const texts: string[] = []
        const weights: number[] = []
        for (const name of ['ollama/loam:latest', 'lm-studio/someone/Big-GGUF/Big-Q8_0']) {
          const [{ path } = { path: '' }] = modelsNamed(name, models)
          const fit = await engine.fit({ path, contextSize: 512 })
          expect(fit).toMatchObject({ contextSize: 512, fits: true })
          weights.push(fit.weightsBytes)
          const model = await engine.loadModel({ path, gpuLayers: 'cpu', contextSize: 512 })
          texts.push((await model.generate(CHAT)).text)
        }
        // The same weights, so the same words.
        expect(texts[0]).not.toBe('')
        expect(texts[1]).toBe(texts[0])
        expect(weights[0]).toBeGreaterThan(1e6)
        expect(weights[1]).toBe(weights[0])
        // A part that went meanwhile is named when the model is loaded.
        const [{ path } = { path: '' }] = modelsNamed('lm-studio/someone/Big-GGUF/Other', models)
        const failure = await engine
          .loadModel({ path, gpuLayers: 'cpu', contextSize: 512 })
          .catch((error: unknown) => error)
        expect(toErrorShape(failure)).toMatchObject({
          code: 'MODEL_NOT_FOUND',
          cause: expect.stringContaining('Other-00002-of-00002.gguf'),
        })
      } finally {
        await engine.dispose()
      }
    },
  )

  it('in parts are told apart by all of their parts', async () => {
    const world = await testWorld()
    const { models } = await readModels([], {
      stores: MODEL_STORES,
      world: { home, env: {}, platform: 'linux', root: join(home, 'root') },
    })
    const [big] = modelsNamed('Big-Q8_0', models)
    const identity = await llamaCpp.open(world).identify(big?.path ?? '')
    await world.close()
    expect(identity.sizeBytes).toBe(big?.sizeBytes)
    expect(identity.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are listed by `loam models` with where they were found and what was left out, and run by their short name', async () => {
    const data = join(home, 'data')
    const listed = await loamHere('models', '--json', '--data', data)
    const { models, places } = lastLine(listed.out) as { models: ModelInfo[]; places: ModelPlace[] }
    expect(models.find(({ id }) => id === 'ollama/loam:1m')).toMatchObject({
      foundIn: 'Ollama',
      problem: null,
    })
    const studio = places.find(({ store, there }) => store === 'lm-studio' && there)
    expect(studio).toMatchObject({ title: 'LM Studio', models: 2 })
    expect(studio?.left.map(({ why }) => why).join(' ')).toMatch(/projector/)

    const ran = await loamHere(
      ...['run', '--stream', 'house-rules-a', '--method', 'none', '--tasks', '2', '--model', 'loam:latest'],
      ...['--json', '--data', data],
    )
    expect(ran.err).not.toMatch(/not found/)
    expect(ran.code).toBe(0)
    expect(lastLine(ran.out)).toMatchObject({ rewards: [expect.any(Number), expect.any(Number)] })

    expect((await loamHere('embedders', 'use', 'lexical-384', '--data', data)).code).toBe(0)
    const decided = await loamHere(
      ...[
        'run',
        '--stream',
        'house-rules-a',
        '--method',
        'agent-kb',
        '--tasks',
        '1',
        '--json',
        '--data',
        data,
      ],
    )
    expect(decided.err).toMatch(/assumes an embedding model that compares meaning/)

    // What compares texts cannot be asked for words.
    const wrong = await loamHere(
      ...[
        'run',
        '--stream',
        'house-rules-a',
        '--method',
        'none',
        '--model',
        'bge-q8',
        '--json',
        '--data',
        data,
      ],
    )
    expect(lastLine(wrong.out)).toMatchObject({
      error: { code: 'BAD_INPUT', cause: expect.stringContaining('It compares texts and writes none.') },
    })

    const unclear = await loamHere(
      'run',
      '--stream',
      'house-rules-a',
      '--method',
      'none',
      '--model',
      'no-such-model',
      '--json',
      '--data',
      data,
    )
    expect(unclear.code).not.toBe(0)
    expect(lastLine(unclear.out)).toMatchObject({ error: { code: 'MODEL_NOT_FOUND' } })
  })
})
