import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const at = (path: string) => resolve(import.meta.dirname, path)

const { dependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}

/**
 * Packages that stay outside the bundles: native libraries, what brings files it looks for beside itself, and large libraries that only a
 * tool's own process loads. Everything else is pure JavaScript and is bundled, since reading a thousand small files is most of a start.
 */
const OUTSIDE: ReadonlySet<string> = new Set([
  '@huggingface/transformers',
  '@lancedb/lancedb',
  'apache-arrow',
  'electron-updater',
  'just-bash',
  'koffi',
  'linkedom',
  'mammoth',
  'mathjs',
  'mysql2',
  'node-llama-cpp',
  'oxigraph',
  'pdfjs-dist',
  'pyodide',
  'quickjs-emscripten',
  'sql.js',
])

/** Names in `packages.json` of a bundle which packages are in it, by their folders, so that an installer can say so with their licences. */
const namePackages = {
  name: 'name-packages',
  generateBundle(
    this: { emitFile: (file: object) => string },
    _options: object,
    bundle: Record<string, object>,
  ) {
    const modules = Object.values(bundle).flatMap((file) =>
      Object.keys('modules' in file ? (file.modules as object) : {}),
    )
    // One inside another is named with its place, since there may be a second one of its name.
    const names = modules.map(
      (path) => /node_modules\/((?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '',
    )
    const source = `${JSON.stringify([...new Set(names)].filter((name) => name !== '').sort(), null, 2)}\n`
    this.emitFile({ type: 'asset', fileName: 'packages.json', source })
  },
}

export default defineConfig({
  main: {
    plugins: [namePackages],
    build: {
      externalizeDeps: { exclude: Object.keys(dependencies).filter((name) => !OUTSIDE.has(name)) },
      outDir: 'out/main',
      minify: false,
      sourcemap: true,
      rollupOptions: {
        input: {
          index: at('src/main/index.ts'),
          headless: at('src/main/headless.ts'),
          'desktop/watch-start': at('src/main/desktop/watch-start.ts'),
          'cli/index': at('src/main/cli/index.ts'),
          'engine/index': at('src/main/engine/index.ts'),
          'engine/trainer': at('src/main/engine/trainer.ts'),
          'mcp/index': at('src/main/tool-servers/entry.ts'),
          'mcp/module': at('src/main/modules/serve-module.ts'),
          'mcp/isolate': at('src/main/adapters/isolate/entry.ts'),
          'mcp/module-isolate': at('src/main/modules/serve-format.ts'),
          watchdog: at('src/main/watchdog/thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload may only be one CommonJS file.
      rollupOptions: {
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [react(), tailwindcss(), namePackages],
    build: {
      outDir: at('out/renderer'),
      minify: true,
      // One window on one machine: everything is loaded from disk, so one larger file is fine.
      chunkSizeWarningLimit: 2000,
      // Inlined assets would be data: URLs, which the content security policy refuses.
      assetsInlineLimit: 0,
      // Vite's preload polyfill is an inline script; every browser we run in has modulepreload.
      modulePreload: { polyfill: false },
      rollupOptions: { input: { index: at('src/renderer/index.html') } },
    },
  },
})
