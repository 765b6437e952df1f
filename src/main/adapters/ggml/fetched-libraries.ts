import { existsSync, readFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { dirname, join } from 'node:path'

/** Where libraries that were fetched later lie, for this process and those that it starts. */
const FOLDER = 'LOAM_LIBRARIES'

/** Says where libraries that are fetched later lie: `folder/<release of node-llama-cpp>/<package>`. What the environment says goes first. */
export function nameFetchedLibraries(folder: string): void {
  process.env[FOLDER] ??= folder
}

const fromLlama = () => createRequire(createRequire(import.meta.url).resolve('node-llama-cpp'))

/** The version of node-llama-cpp that is installed: its packages of libraries have the same. */
export function llamaRelease(): string {
  for (
    let folder = dirname(createRequire(import.meta.url).resolve('node-llama-cpp'));
    ;
    folder = dirname(folder)
  ) {
    const path = join(folder, 'package.json')
    const manifest = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string })
      : {}
    if (manifest.name === 'node-llama-cpp') return manifest.version ?? ''
    if (dirname(folder) === folder) throw new Error('node-llama-cpp has no package.json.')
  }
}

/**
 * The main module of a package of llama.cpp's libraries, as `linux-x64-cuda`: of those in `folder` (default: the one that was named), else of
 * the installed ones. Null where it is in neither: what stands in its place when it is left out holds no libraries.
 */
export function findLibraries(name: string, folder = process.env[FOLDER]): string | null {
  if (folder !== undefined) {
    const main = join(folder, llamaRelease(), name, 'dist', 'index.js')
    if (existsSync(main)) return main
  }
  try {
    // The packages are dependencies of node-llama-cpp, so they are looked for from there.
    const main = fromLlama().resolve(`@node-llama-cpp/${name}`)
    return existsSync(join(dirname(main), '..', 'bins')) ? main : null
  } catch {
    return null
  }
}

/** What Node asks where a package is: one of llama.cpp's that was fetched is taken from the folder. */
const HOOK = `
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
const SCOPE = '@node-llama-cpp/'
let folder
export const initialize = (data) => { folder = data.folder }
export async function resolve(specifier, context, next) {
  if (!specifier.startsWith(SCOPE)) return next(specifier, context)
  const main = join(folder, specifier.slice(SCOPE.length), 'dist', 'index.js')
  return existsSync(main) ? { url: pathToFileURL(main).href, shortCircuit: true } : next(specifier, context)
}`

let registered = false

/** From now on node-llama-cpp finds libraries that were fetched later. Where there are none nothing is hooked: it takes a thread, and a third of an engine's start. */
export function useFetchedLibraries(): void {
  const libraries = process.env[FOLDER]
  const folder = libraries === undefined ? null : join(libraries, llamaRelease())
  if (registered || folder === null || !existsSync(folder)) return
  registered = true
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`, {
    parentURL: import.meta.url,
    data: { folder },
  })
}
