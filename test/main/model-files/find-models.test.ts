import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRegistry } from '../../../src/main/model-files/registry'
import { loadPrompts } from '../../../src/main/ground/prompts'
import { changedPromptsText } from '../../../src/shared/domain/model'
import { buildGguf } from '../adapters/llama/gguf-fixture'
import { pathOfNamed } from '../../../src/main/model-files/find-models'
import { readModels } from './places'

const tensors = [{ name: 'w', shape: [8], type: 0 }]
const model = buildGguf({
  metadata: {
    'general.architecture': 'qwen2',
    'general.name': 'Tiny',
    'general.license': 'mit',
    'qwen2.context_length': 2048,
    'tokenizer.chat_template': '{{ messages }}',
  },
  tensors,
})
const entry = {
  id: 'tiny',
  name: 'Tiny (known)',
  description: 'A test model.',
  source: 'https://example.org/tiny.gguf',
  file: 'tiny.gguf',
  sizeBytes: model.length,
  sha256: 'a'.repeat(64),
  license: 'MIT',
  bundled: false,
  demo: true,
}

describe('the search for models', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-scan-'))
    await mkdir(join(folder, 'deep/er'), { recursive: true })
    await writeFile(join(folder, 'deep/er/tiny.gguf'), model)
    await writeFile(
      join(folder, 'other.GGUF'),
      buildGguf({ metadata: { 'general.architecture': 'llama' }, tensors }),
    )
    await writeFile(join(folder, 'cut.gguf'), model.subarray(0, 100))
    await writeFile(join(folder, 'fake.gguf'), 'not a model')
    await writeFile(join(folder, 'big-00001-of-00002.gguf'), model)
    await writeFile(join(folder, 'big-00002-of-00002.gguf'), model)
    await writeFile(join(folder, 'notes.txt'), 'x')
    await symlink(join(folder, 'nowhere.gguf'), join(folder, 'broken.gguf'))
    await symlink(folder, join(folder, 'deep/loop'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('lists what is there, with what each file says about itself', async () => {
    const { models, places } = await readModels([folder, join(folder, 'deep'), join(folder, 'absent')], {
      registry: [entry],
      bundledFolder: folder,
    })
    const names = models.map(({ path }) => path.slice(folder.length + 1)).sort()
    expect(names).toEqual([
      'big-00001-of-00002.gguf',
      'cut.gguf',
      'deep/er/tiny.gguf',
      'fake.gguf',
      'other.GGUF',
    ])
    expect(models.find(({ path }) => path.endsWith('tiny.gguf'))).toMatchObject({
      name: 'Tiny (known)',
      architecture: 'qwen2',
      trainContext: 2048,
      license: 'MIT',
      registryId: 'tiny',
      demo: true,
      bundled: false,
      chatTemplate: true,
      problem: null,
    })
    expect(models.find(({ path }) => path.endsWith('other.GGUF'))).toMatchObject({
      name: 'other',
      trainContext: null,
      license: null,
      registryId: null,
      bundled: true,
      chatTemplate: false,
    })
    expect(models.find(({ name }) => name === 'cut')?.problem).toMatch(/incomplete/)
    expect(models.find(({ name }) => name === 'fake')?.problem).toMatch(/not a GGUF/)
    expect(models.find(({ path }) => path.endsWith('tiny.gguf'))).toMatchObject({
      id: 'tiny',
      foundIn: 'Your folder',
    })
    const own = places.filter(({ title }) => title === 'Your folder')
    expect(own.map(({ there }) => there)).toEqual([true, true, false])
    expect(own[0]?.left).toEqual([
      { path: join(folder, 'broken.gguf'), why: 'It is a link that leads to nothing.' },
    ])
  })

  it('says which prompts have changed since a model was trained on them', async () => {
    const own = await mkdtemp(join(tmpdir(), 'loam-scan-prompts-'))
    await writeFile(
      join(own, 'demo.gguf'),
      buildGguf({
        metadata: {
          'general.architecture': 'llama',
          'loam.prompt.task': 'same',
          'loam.prompt.note': 'before',
        },
        tensors,
      }),
    )
    const today = new Map([
      ['task', 'same'],
      ['note', 'after'],
    ])
    const {
      models: [found],
    } = await readModels([own], { promptSha256: (id) => today.get(id) ?? null })
    await rm(own, { recursive: true, force: true })
    expect(found?.changedPrompts).toEqual(['note'])
    expect(found && changedPromptsText(found)).toMatch(/prompt note/)
    expect(found && changedPromptsText({ ...found, changedPrompts: [] })).toBeNull()
  })

  it('the bundled model was trained on the wording that is asked with today, as it reads where all play in one place', async () => {
    const { sha256 } = await loadPrompts('resources/prompts')
    const { models } = await readModels([resolve('models')], { promptSha256: sha256 })
    expect(models.map(({ changedPrompts }) => changedPrompts)).toEqual([[]])
  })

  it('names one by its short name, or says which it may be', async () => {
    const { models } = await readModels([folder, join(folder, 'deep/er')], {})
    expect(pathOfNamed('TINY', models)).toBe(join(folder, 'deep/er/tiny.gguf'))
    expect(pathOfNamed('nothing', models)).toBeNull()
    // What lists show is a name too.
    const titled = models.map((one, i) => ({ ...one, name: `Model ${i} Instruct` }))
    expect(pathOfNamed('model 0 instruct', titled)).toBe(models[0]?.path)
    // So are its first words, where one alone begins so.
    expect(pathOfNamed('Model 0', titled)).toBe(models[0]?.path)
    expect(pathOfNamed('mod', titled)).toBeNull()
    expect(() => pathOfNamed('model', titled)).toThrow(/"model" may be any of/)
    const twice = models
      .filter(({ id }) => id === 'tiny')
      .flatMap((one) => [one, { ...one, path: '/other/tiny.gguf' }])
    expect(() => pathOfNamed('tiny', twice)).toThrow(
      /may be any of .*deep\/er\/tiny.gguf, \/other\/tiny.gguf/,
    )
  })

  it('stops when asked', async () => {
    await expect(readModels([folder], { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})

describe('the registry', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-registry-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const load = async (models: unknown) => {
    const file = join(folder, 'registry.json')
    await writeFile(file, JSON.stringify({ format: 1, models }))
    return await loadRegistry(file)
  }

  it('that ships is in order', async () => {
    const models = await loadRegistry(resolve(import.meta.dirname, '../../../models/registry.json'))
    for (const { id, license } of models) expect([id, license].every((text) => text !== '')).toBe(true)
  })

  it('is checked entry by entry', async () => {
    expect(await load([entry])).toEqual([entry])
    const bad = [
      [entry, entry],
      [{ ...entry, sha256: 'x' }],
      [{ ...entry, source: null }],
      [{ ...entry, source: 'http://example.org/tiny.gguf' }],
      'nothing',
    ]
    for (const models of bad) await expect(load(models)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
  })
})
