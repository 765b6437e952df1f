import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FoundModels } from '../../../src/main/model-files/find-models'
import { MODEL_STORES } from '../../../src/main/model-files/stores'
import type { StoreWorld } from '../../../src/main/model-files/stores/store'
import { modelsNamed } from '../../../src/shared/domain/model'
import { DEMO, furnish } from './furnished-home'
import { readModels } from './places'
import { splitGguf } from './split-gguf'

/** Every file below, with its size and time, to see that nothing was touched. */
async function stateOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return Promise.all(
    names.sort().map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null)
      return `${name} ${found?.size ?? 'broken'} ${found?.mtimeMs ?? ''}`
    }),
  )
}

describe('models that other programs keep', () => {
  let home: string
  let found: FoundModels
  let before: string[]
  const world = (change: Partial<StoreWorld> = {}): StoreWorld => ({
    ...{ home, env: {}, platform: 'linux', root: join(home, 'root') },
    ...change,
  })
  const leftOf = (store: string) =>
    found.places
      .filter((place) => place.store === store)
      .flatMap(({ left }) => left)
      .map(({ path, why }) => `${path.slice(home.length + 1)}: ${why}`)
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'loam-stores-'))
    await furnish(home)
    before = await stateOf(home)
    found = await readModels([], { stores: MODEL_STORES, world: world() })
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  it('are found under the names those programs give them', () => {
    const usable = found.models.filter(({ problem }) => problem === null)
    expect(usable.map(({ id, foundIn }) => [id, foundIn])).toEqual(
      expect.arrayContaining([
        ['ollama/loam:1m', 'Ollama'],
        ['ollama/hf.co/someone/Tiny-GGUF:Q4_K_M', 'Ollama'],
        ['lm-studio/someone/Big-GGUF/Big-Q8_0', 'LM Studio'],
        ['llama-cpp-cache/ggml-org/tiny-GGUF:latest', 'llama.cpp'],
        ['hugging-face/someone/Small-GGUF/small-q4_k_m', 'Hugging Face'],
        ['hugging-face/someone/bge-small-gguf/bge-q8', 'Hugging Face'],
        ['gpt4all/Four.Q4_0', 'GPT4All'],
        ['jan/someone/Jan-v1', 'Jan'],
        ['jan/imported', 'Jan'],
      ]),
    )
    expect(usable).toHaveLength(9)
  })

  it('say what they are: architecture, quantization, trained context, template, embedding', () => {
    const [small] = modelsNamed('hugging-face/someone/Small-GGUF/small-q4_k_m', found.models)
    expect(small).toMatchObject({
      ...{ architecture: 'llama', quantization: 'Q4_K_M', trainContext: 4096, chatTemplate: true },
    })
    expect(small?.embedding).toBeUndefined()
    expect(modelsNamed('bge-q8', found.models)[0]).toMatchObject({ architecture: 'bert', embedding: 384 })
    expect(modelsNamed('loam:latest', found.models)[0]).toMatchObject({ demo: true, license: 'apache-2.0' })
    expect(modelsNamed('ollama/hf.co/someone/tiny-gguf:q4_k_m', found.models)[0]).toMatchObject({
      chatTemplate: false,
      license: 'Apache License',
    })
  })

  it('with two names are one model that either name finds', () => {
    const named = modelsNamed('ollama/loam:latest', found.models)
    expect(named).toHaveLength(1)
    expect(modelsNamed('ollama/loam:1m', found.models)).toEqual(named)
    expect(named[0]).toMatchObject({ id: 'ollama/loam:1m', aliases: ['ollama/loam:latest'] })
  })

  it('in parts are one, with the size of all parts', async () => {
    const [big] = modelsNamed('lm-studio/someone/Big-GGUF/Big-Q8_0', found.models)
    const folder = join(home, 'elsewhere/lms/models/someone/Big-GGUF')
    const sizes = await Promise.all(
      [1, 2, 3].map((n) => stat(join(folder, `Big-Q8_0-0000${n}-of-00003.gguf`))),
    )
    expect(big).toMatchObject({
      parts: 3,
      sizeBytes: sizes.reduce((sum, { size }) => sum + size, 0),
      problem: null,
    })
  })

  it('that are damaged are listed with what is wrong', () => {
    const problems = found.models
      .filter(({ problem }) => problem !== null)
      .map(({ id, problem }) => [id, problem])
    expect(problems).toEqual([
      ['ollama/cut:latest', expect.stringMatching(/should have 999999/)],
      [
        'lm-studio/someone/Big-GGUF/Other',
        expect.stringMatching(/one is missing: Other-00002-of-00002.gguf/),
      ],
    ])
  })

  it('leave out what is no model, and say why', () => {
    expect(leftOf('ollama')).toEqual([
      '.ollama/models/manifests/registry.ollama.ai/library/broken/latest: It is not a manifest as Ollama writes it.',
      '.ollama/models/manifests/registry.ollama.ai/library/cloudy/latest: cloudy:latest holds no weights: it is worked on elsewhere, or stands on another model.',
      `.ollama/models/manifests/registry.ollama.ai/library/gone/1b: The weights of gone:1b are missing: there is no blob sha256:${'0'.repeat(64)}.`,
    ])
    expect(leftOf('lm-studio')).toEqual([
      expect.stringMatching(/downloading_Third.gguf.part: It is a download that was not finished/),
      expect.stringMatching(/mmproj-Big-f16.gguf: It is the part of a model that reads pictures/),
    ])
    expect(leftOf('llama-cpp-cache')).toEqual([
      expect.stringMatching(/downloadInProgress: .*not finished/),
      expect.stringMatching(
        /manifest=ggml-org=away-GGUF=Q8_0.json: It names ggml-org_away-GGUF_away.gguf, which is not here/,
      ),
    ])
    expect(leftOf('hugging-face')).toEqual([
      expect.stringMatching(/small-q8_0.gguf: It is a link that leads to nothing/),
      expect.stringMatching(/bbbb.incomplete: It is a download of someone\/Small-GGUF that was not finished/),
    ])
    expect(leftOf('gpt4all')).toEqual([expect.stringMatching(/incomplete-Five.gguf: .*not finished/)])
    expect(leftOf('jan')).toEqual([expect.stringMatching(/lost\/model.yml: It names .*, which is not there/)])
  })

  it.each(MODEL_STORES)('$id: no home, no folder and no time are no failure', async (store) => {
    const nowhere = world({ home: join(home, 'nobody'), root: join(home, 'nowhere') })
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const folder of await store.folders({ ...nowhere, platform }))
        expect(await store.read(folder)).toEqual({ models: [], left: [] })
    const [there = home] = await store.folders(world())
    const looking = Promise.resolve(store.read(there, AbortSignal.abort()))
    await expect(
      looking.then(
        ({ models }) => models.length,
        () => 0,
      ),
    ).resolves.toBe(0)
  })

  it('are not touched', async () => {
    expect(await stateOf(home)).toEqual(before)
  })

  it('are looked for where the environment says, and where each system keeps them', async () => {
    const folders = async (id: string, change: Partial<StoreWorld>) =>
      (await MODEL_STORES.find((store) => store.id === id)?.folders({
        ...world(change),
        home: '/h',
        root: '/',
      })) ?? []
    expect(await folders('ollama', { env: { OLLAMA_MODELS: '/data/ollama' } })).toEqual([
      '/data/ollama',
      '/h/.ollama/models',
      '/usr/share/ollama/.ollama/models',
      '/var/lib/ollama',
    ])
    expect(await folders('ollama', { platform: 'darwin' })).toEqual(['/h/.ollama/models'])
    expect(await folders('hugging-face', { env: { HF_HOME: '/x' } })).toEqual([
      '/x/hub',
      '/h/.cache/huggingface/hub',
    ])
    expect(
      (await folders('hugging-face', { env: { HF_HUB_CACHE: '/y', HUGGINGFACE_HUB_CACHE: '/z' } })).slice(
        0,
        2,
      ),
    ).toEqual(['/y', '/z'])
    expect(await folders('llama-cpp-cache', { env: { LLAMA_CACHE: '/l' } })).toEqual([
      '/l',
      '/h/.cache/llama.cpp',
    ])
    expect(await folders('llama-cpp-cache', { platform: 'darwin' })).toEqual(['/h/Library/Caches/llama.cpp'])
    const windows = { platform: 'win32', env: { LOCALAPPDATA: '/h/AL', APPDATA: '/h/AR' } } as const
    expect(await folders('llama-cpp-cache', windows)).toEqual([join('/h/AL', 'llama.cpp')])
    expect(await folders('gpt4all', windows)).toContain(join('/h/AL', 'nomic.ai', 'GPT4All'))
    expect(await folders('gpt4all', { platform: 'darwin' })).toContain(
      '/h/Library/Application Support/nomic.ai/GPT4All',
    )
    expect(await folders('jan', windows)).toContain(join('/h/AR', 'Jan', 'data'))
    expect(await folders('lm-studio', {})).toEqual(['/h/.lmstudio/models', '/h/.cache/lm-studio/models'])
  })

  it('name a damaged part, and a folder that may not be read', async () => {
    const own = await mkdtemp(join(tmpdir(), 'loam-stores-'))
    const models = join(own, '.lmstudio/models/p/m')
    await mkdir(models, { recursive: true })
    const [, second = ''] = await splitGguf(DEMO, join(models, 'cut'), 2)
    await truncate(second, 4096)
    await copyFile(DEMO, join(models, 'odd-00001-of-00001.gguf'))
    const closed = join(own, '.lmstudio/models/closed')
    await mkdir(closed)
    await chmod(closed, 0)
    const { models: read, places } = await readModels([], {
      stores: MODEL_STORES,
      world: { ...world(), home: own },
    })
    await chmod(closed, 0o700)
    await rm(own, { recursive: true })
    expect(read.find(({ path }) => path.includes('cut'))?.problem).toMatch(
      /^Part 2 of 2 is damaged. .* has 4096 bytes/,
    )
    // The system lets its administrator read everything.
    if (process.getuid?.() !== 0)
      expect(places.flatMap(({ left }) => left)).toContainEqual({
        path: closed,
        why: 'It may not be read: the system says permission denied.',
      })
  })
})
