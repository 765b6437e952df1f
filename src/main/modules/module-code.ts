import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ModuleManifest } from '../../shared/domain/module'
import { LoamError } from '../../shared/errors'
import * as spi from './spi'

const SYMBOL = 'loam-spi'

/**
 * What modules import as `loam-spi` beside them: the very parts of this Loam, so that its errors, schemas and lists are theirs too.
 */
async function provideSpi(modules: string): Promise<void> {
  const folder = join(modules, 'node_modules', 'loam-spi')
  const names = Object.keys(spi).sort()
  const files = {
    'package.json': `${JSON.stringify({ name: 'loam-spi', version: `${spi.SPI_VERSION}.0`, type: 'module', main: 'index.js' })}\n`,
    'index.js': `export const { ${names.join(', ')} } = globalThis[Symbol.for('${SYMBOL}')]\n`,
  }
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    if ((await readFile(path, 'utf8').catch(() => null)) !== content) await writeFile(path, content)
  }
}

/** Checksums that this process has imported a folder with: code that was imported once stays. */
const imported = new Map<string, string>()

/**
 * Imports the code of a module. Nothing of it has run before. `provided`: another process has written down what it imports as `loam-spi`.
 * @throws LoamError `MODULE` naming the module and what is wrong with it
 */
export async function importModule(
  folder: string,
  { title, entry }: Pick<ModuleManifest, 'title' | 'entry'>,
  checksum: string,
  { provided = false } = {},
): Promise<object> {
  if ((imported.get(folder) ?? checksum) !== checksum)
    throw new LoamError('MODULE', `"${title}" has other code than Loam has loaded.`, {
      suggestion: 'Start Loam again.',
    })
  Object.assign(globalThis, { [Symbol.for(SYMBOL)]: spi })
  if (!provided) await provideSpi(dirname(folder))
  let exports: { readonly module?: unknown }
  try {
    exports = (await import(
      /* @vite-ignore */ `${pathToFileURL(join(folder, entry)).href}?code=${checksum}`
    )) as typeof exports
    imported.set(folder, checksum)
  } catch (error) {
    throw unusable(title, error)
  }
  if (typeof exports.module === 'object' && exports.module !== null) return exports.module
  throw unusable(title, new Error(`${entry} exports no "module"`))
}

/** The failure of a module, in words. */
export const unusable = (title: string, error: unknown): LoamError =>
  new LoamError('MODULE', `"${title}" failed: ${error instanceof Error ? error.message : String(error)}`, {
    suggestion: 'The module is off, and Loam works without it. Tell its author, or allow it again.',
    underlying: error,
  })
