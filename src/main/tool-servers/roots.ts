import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'

/** A file within the folders a server may read. */
export interface AllowedFile {
  /** Where it really is, with every link followed. */
  readonly path: string
  readonly bytes: number
  readonly modifiedMs: number
}

const within = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Finds a file by an absolute path, or by one relative to any of the roots. Links are followed first, so none
 * leads outside.
 * @throws Error with words for the one who asked
 */
export async function findAllowed(roots: readonly string[], question: string): Promise<AllowedFile> {
  const tries = isAbsolute(question) ? [question] : roots.map((root) => join(root, question))
  const real = (await Promise.all(roots.map((root) => realpath(root).catch(() => null)))).filter(
    (root) => root !== null,
  )
  for (const candidate of tries) {
    const path = await realpath(resolve(candidate)).catch(() => null)
    if (path === null || !real.some((root) => within(root, path))) continue
    const info = await stat(path)
    if (!info.isFile()) throw new Error(`${question} is not a file.`)
    return { path, bytes: info.size, modifiedMs: info.mtimeMs }
  }
  // The same words for what is missing and for what is out of bounds: neither is anyone's business.
  throw new Error(`There is no file ${question} in the folders this tool may read.`)
}
