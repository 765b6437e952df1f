import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unpacked } from './resources'

/** A program that a process of ours is started with. */
export interface BuiltEntry {
  readonly script: string
  readonly execArgv: readonly string[]
}

/**
 * Where a program of `src/main/engine` is, seen from this module: in a build beside it or above; in a source tree as TypeScript, or in
 * the build that LOAM_BUILT names (out/main), which starts in a tenth of the time.
 * @throws Error when nothing was built
 */
export function builtEntry(name: string): BuiltEntry {
  const here = import.meta.dirname
  if (import.meta.filename.endsWith('.ts')) {
    const build = process.env['LOAM_BUILT']
    if (build !== undefined) return { script: join(build, `engine/${name}.js`), execArgv: [] }
    const loader = createRequire(import.meta.url).resolve('tsx')
    return { script: join(here, `../engine/${name}.ts`), execArgv: ['--import', pathToFileURL(loader).href] }
  }
  let folder = unpacked(here)
  for (let up = 0; up < 4; up++) {
    const script = join(folder, `engine/${name}.js`)
    if (existsSync(script)) return { script, execArgv: [] }
    folder = dirname(folder)
  }
  throw new Error(`engine/${name}.js is not near ${here}; build the project first.`)
}
