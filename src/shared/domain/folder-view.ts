import { z } from 'zod'
import { bytes, count } from './units'

/** A folder as a person looks into it to find a model: folders, GGUF and ONNX files, nothing else. */
export const folderViewSchema = z.object({
  /** Absolute path. */
  path: z.string(),
  /** The folder above; null at the top. */
  parent: z.string().nullable(),
  /** The model whose path was asked for, one of the entries; null where a folder was. */
  file: z.string().nullable(),
  /** Where people begin to look. */
  starts: z.array(z.object({ title: z.string(), path: z.string() })),
  /** Folders first, each by name. */
  entries: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      kind: z.enum(['folder', 'model']),
      /** Null for folders. */
      sizeBytes: bytes.nullable(),
    }),
  ),
  /** Whether there is more than is listed. */
  more: z.boolean(),
})
export type FolderView = z.infer<typeof folderViewSchema>

/** What became of a file or folder that a person added. */
export const addedModelsSchema = z.object({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'encoder']),
  /** Models in it. */
  models: count,
  /** In words. */
  words: z.string(),
})
export type AddedModels = z.infer<typeof addedModelsSchema>
