import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { AddedModels } from '../../shared/domain/folder-view'
import type { ModelInfo } from '../../shared/domain/model'
import type { Settings } from '../../shared/domain/memory-info'
import { LoamError } from '../../shared/errors'
import { readEmbedderFolder } from '../embedders/embedder-folder'
import { readGgufHeader } from '../gguf/read-gguf'
import { notAModel } from '../gguf/gguf-kind'
import { partsOf } from '../gguf/gguf-parts'
import { findGgufFiles } from '../model-files/gguf-files'

/** Models and folders that a person adds where they lie. Nothing is copied. */
export type AddedModelsArea = ReturnType<typeof openAddedModels>

export interface AddedModelsDeps {
  readonly settings: () => Settings
  readonly saveSettings: (change: Partial<Settings>) => Promise<unknown>
  readonly found: () => Promise<readonly ModelInfo[]>
}

/** Opens it. */
export function openAddedModels({ settings, saveSettings, found }: AddedModelsDeps) {
  const keepFolder = async (path: string): Promise<void> => {
    const { modelFolders } = settings()
    if (!modelFolders.includes(path)) await saveSettings({ modelFolders: [...modelFolders, path] })
  }

  const addFolder = async (path: string): Promise<AddedModels> => {
    const embedder = await readEmbedderFolder(path)
    if (embedder) {
      await keepFolder(path)
      return {
        path,
        kind: 'encoder',
        models: 0,
        words: `${embedder.name} is among the embedding models now.`,
      }
    }
    const { files } = await findGgufFiles(path)
    if (files.length === 0)
      throw new LoamError('BAD_INPUT', `${path} and the folders below it hold no GGUF files.`, {
        suggestion: 'Choose the folder that holds them, or a file.',
      })
    await keepFolder(path)
    const words = files.length === 1 ? 'One model in it' : `${files.length} models in it`
    return {
      path,
      kind: 'folder',
      models: files.length,
      words: `${words}; its folders are looked through from now on.`,
    }
  }

  const addFile = async (inputText: string): Promise<AddedModels> => {
    if (/\.onnx$/i.test(inputText)) {
      for (const folder of [dirname(dirname(inputText)), dirname(inputText)])
        if (await readEmbedderFolder(folder).catch(() => null)) return addFolder(folder)
      throw new LoamError('EMBEDDER_MISSING', `${inputText} is no embedding model as Loam reads it.`, {
        suggestion:
          'It needs config.json and tokenizer.json, and its weights as onnx/model.onnx or onnx/model_quantized.onnx.',
      })
    }
    const [path = inputText] = partsOf(inputText)
    // Every part is looked at: a model of which one is cut would only fail when it is loaded.
    for (const part of partsOf(inputText)) {
      const why = notAModel(await readGgufHeader(part))
      if (why !== null)
        throw new LoamError('BAD_INPUT', `${part} cannot be added. ${why}`, {
          suggestion: 'Choose the model itself.',
        })
    }
    const real = await realpath(path)
    const records = await Promise.all(
      (await found()).map((model) => realpath(model.path).catch(() => model.path)),
    )
    if (records.includes(real))
      return { path, kind: 'file', models: 1, words: 'It is among the models already.' }
    await saveSettings({ modelFiles: [...settings().modelFiles, path] })
    return { path, kind: 'file', models: 1, words: 'It is read where it lies.' }
  }

  return {
    /** @throws LoamError `BAD_INPUT`, `MODEL_NOT_FOUND`, `MODEL_NOT_GGUF`, `MODEL_TRUNCATED`, `EMBEDDER_MISSING` */
    async add(inputText: string): Promise<AddedModels> {
      if (!isAbsolute(inputText))
        throw new LoamError('BAD_INPUT', `"${inputText}" is not a full path.`, {
          suggestion: 'Choose the file itself.',
        })
      const path = resolve(inputText)
      const there = await stat(path).catch(() => null)
      return there?.isDirectory() ? addFolder(path) : addFile(path)
    },
    /** Takes a file or folder out of the person's own; it stays on disk. */
    async forget(path: string) {
      const { modelFiles, modelFolders } = settings()
      await saveSettings({
        modelFiles: modelFiles.filter((one) => one !== path),
        modelFolders: modelFolders.filter((one) => one !== path),
      })
    },
  }
}
