import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..', '..')

/**
 * Bundles the host with a scripted model and the stand-in for Electron once for all tests: from source each of their starts would take some
 * seconds of a processor more. LOAM_SCRIPTED_HOST and LOAM_STAND_IN name them. They stand in the repository, above which a host looks for what
 * comes with Loam.
 */
// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export of a file
export default async function buildPrograms(): Promise<() => Promise<void>> {
  const outDir = join(root, '.cache', `test-programs-${process.pid}`)
  const standIn = join(root, 'test', 'electron-stand-in')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir,
      rollupOptions: {
        input: [
          join(import.meta.dirname, 'scripted-host.ts'),
          ...['boot.ts', 'electron.ts', 'utility.mjs'].map((name) => join(standIn, name)),
        ],
        // Side by side, as the sources that name each other are.
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
  process.env['LOAM_SCRIPTED_HOST'] = join(outDir, 'scripted-host.mjs')
  process.env['LOAM_STAND_IN'] = outDir
  return () => rm(outDir, { recursive: true, force: true })
}
