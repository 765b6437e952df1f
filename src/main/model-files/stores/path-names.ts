import { relative, sep } from 'node:path'
import { findGgufFiles, type GgufFile } from '../gguf-files'
import type { StoreContent } from './store'

/** A file's way from its folder, with slashes, without its ending and its part's number. */
export const nameBelow = (folder: string, { path }: Pick<GgufFile, 'path'>): string =>
  relative(folder, path)
    .split(sep)
    .join('/')
    .replace(/(?:-\d{5}-of-\d{5})?\.gguf$/i, '')

/** For stores whose models are called by where they lie. */
export async function readByPath(folder: string, signal?: AbortSignal): Promise<StoreContent> {
  const { files, left } = await findGgufFiles(folder, signal)
  return { models: files.map((file) => ({ ...file, name: nameBelow(folder, file) })), left }
}
