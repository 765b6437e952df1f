import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..', '..')

/**
 * Bundles the host with a scripted model once for all tests: from source each of its starts would take five seconds of a processor more.
 * LOAM_SCRIPTED_HOST names it to them. It stands in the repository, above which a host looks for what comes with Loam.
 */
// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export of a file
export default async function buildPrograms(): Promise<() => Promise<void>> {
  const outDir = join(root, '.cache', `scripted-host-${process.pid}`)
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: join(import.meta.dirname, 'scripted-host.ts'),
      outDir,
      rollupOptions: { output: { entryFileNames: 'scripted-host.mjs' } },
    },
  })
  process.env['LOAM_SCRIPTED_HOST'] = join(outDir, 'scripted-host.mjs')
  return () => rm(outDir, { recursive: true, force: true })
}
