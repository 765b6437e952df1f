import { copyFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAddedModels, type AddedModelsArea } from '../../../src/main/models/added-models'
import { settingsSchema, type Settings } from '../../../src/shared/domain/memory-info'
import { DEMO } from '../model-files/furnished-home'
import { readModels } from '../model-files/places'
import { splitGguf } from '../model-files/split-gguf'

describe('models that a person adds', () => {
  let folder: string
  let settings: Settings
  let added: AddedModelsArea
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-add-'))
    await mkdir(join(folder, 'empty'))
    await mkdir(join(folder, 'many'))
    await mkdir(join(folder, 'minilm', 'onnx'), { recursive: true })
    await copyFile(DEMO, join(folder, 'one.gguf'))
    await copyFile(DEMO, join(folder, 'many', 'two.gguf'))
    await splitGguf(DEMO, join(folder, 'parts'), 2)
    const [, cut = ''] = await splitGguf(DEMO, join(folder, 'cut'), 2)
    await truncate(cut, 1000)
    await writeFile(join(folder, 'minilm', 'config.json'), '{"hidden_size":8}')
    await writeFile(join(folder, 'minilm', 'tokenizer.json'), '{}')
    await writeFile(join(folder, 'minilm', 'onnx', 'model.onnx'), 'x')
    await writeFile(join(folder, 'text.gguf'), 'not a model')
    await writeFile(join(folder, 'lone.onnx'), 'x')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  beforeEach(() => {
    settings = settingsSchema.parse({})
    added = openAddedModels({
      settings: () => settings,
      saveSettings: (change) => Promise.resolve((settings = { ...settings, ...change })),
      found: async () => (await readModels(settings.modelFolders, { files: settings.modelFiles })).models,
    })
  })

  it('are read where they lie, once, and forgotten again', async () => {
    const path = join(folder, 'one.gguf')
    expect(await added.add(path)).toMatchObject({ kind: 'file', path })
    expect(await added.add(path)).toMatchObject({ words: 'It is among the models already.' })
    expect(settings.modelFiles).toEqual([path])
    await added.forget(path)
    expect(settings.modelFiles).toEqual([])
  })

  it('in parts are one, whichever part was chosen', async () => {
    await added.add(join(folder, 'parts-00002-of-00002.gguf'))
    expect(settings.modelFiles).toEqual([join(folder, 'parts-00001-of-00002.gguf')])
    const { models } = await readModels([], { files: settings.modelFiles })
    expect(models).toMatchObject([{ parts: 2, problem: null, foundIn: 'Your file' }])
    await expect(added.add(join(folder, 'cut-00001-of-00002.gguf'))).rejects.toMatchObject({
      code: 'MODEL_TRUNCATED',
    })
  })

  it('in folders, and encoders by their folder or their weights', async () => {
    expect(await added.add(join(folder, 'many'))).toMatchObject({ kind: 'folder', models: 1 })
    expect(await added.add(join(folder, 'minilm', 'onnx', 'model.onnx'))).toMatchObject({
      kind: 'encoder',
      path: join(folder, 'minilm'),
    })
    expect(settings.modelFolders).toEqual([join(folder, 'many'), join(folder, 'minilm')])
    await added.forget(join(folder, 'many'))
    expect(settings.modelFolders).toEqual([join(folder, 'minilm')])
  })

  it.each([
    ['text.gguf', 'MODEL_NOT_GGUF'],
    ['none.gguf', 'MODEL_NOT_FOUND'],
    ['empty', 'BAD_INPUT'],
    ['lone.onnx', 'EMBEDDER_MISSING'],
  ])('%s is refused with its reason, and nothing is saved', async (name, code) => {
    await expect(added.add(join(folder, name))).rejects.toMatchObject({ code })
    await expect(added.add(name)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect([settings.modelFiles, settings.modelFolders]).toEqual([[], []])
  })
})
