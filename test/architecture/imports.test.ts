import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOf, importsIn, type Import } from './read-imports'

const root = resolve(import.meta.dirname, '../..')
const sources = join(root, 'src')

/** What each layer may import of the others. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  shared: ['shared'],
  core: ['shared', 'core'],
  main: ['shared', 'core', 'main'],
  preload: ['shared', 'preload'],
  renderer: ['shared', 'renderer'],
}

/** Packages that load native code or WebAssembly engines, or hold their memory. */
const NATIVES = [
  'node-llama-cpp',
  '@lancedb/lancedb',
  '@huggingface/transformers',
  'apache-arrow',
  'onnxruntime-node',
  'sql.js',
  'oxigraph',
  'koffi',
  'pyodide',
  'quickjs-emscripten',
  'just-bash',
]
const CONTRACT = ['zod', '@orpc/contract', '@orpc/client']
/** Pure computation: no I/O, no clock, no native code. */
const PURE = [
  '@e965/xlsx',
  '@formulajs/formulajs',
  '@huggingface/jinja',
  'hyparquet',
  'hyparquet-writer',
  'ml-hclust',
  'minisearch',
  '@orama/stemmers',
  '@orama/stopwords',
  'papaparse',
  'diff',
  're2js',
  'yaml',
]
const NODE_ONLY = [...NATIVES, '@orpc/server', 'hono', '@hono/node-server', 'ws']

const imports = importsIn(sources)

const layerOf = (path: string) => path.split('/')[0] ?? ''
const isNode = (module: string) => module.startsWith('node:') || builtinModules.includes(module)
const named = (wrong: readonly Import[]) => wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)
const of = (layer: string) => imports.filter(({ file }) => layerOf(file) === layer)

describe('imports', () => {
  it('are found at all', () => {
    expect(imports.length).toBeGreaterThan(100)
    expect(new Set(imports.map(({ file }) => layerOf(file)))).toEqual(new Set(Object.keys(LAYERS)))
  })

  it.each(Object.entries(LAYERS))('of %s lead only to %j', (layer, allowed) => {
    const wrong = of(layer).filter(({ target }) => target !== null && !allowed.includes(layerOf(target)))
    expect(named(wrong)).toEqual([])
  })

  it('leave out a file extension', () => {
    const wrong = imports.filter(({ target }) => target !== null && /\.(ts|tsx|js|jsx)$/.test(target))
    expect(named(wrong)).toEqual([])
  })

  it('of shared name no package but zod and the contract’s', () => {
    expect(named(of('shared').filter(({ module }) => module !== null && !CONTRACT.includes(module)))).toEqual(
      [],
    )
  })

  it('of core name no package but zod and pure computation', () => {
    const wrong = of('core').filter(({ module }) => module !== null && !['zod', ...PURE].includes(module))
    expect(named(wrong)).toEqual([])
  })

  it('of preload name no package but electron', () => {
    expect(named(of('preload').filter(({ module }) => module !== null && module !== 'electron'))).toEqual([])
  })

  it('of renderer name nothing that needs Node', () => {
    const wrong = of('renderer').filter(
      ({ module }) =>
        module !== null && (isNode(module) || module === 'electron' || NODE_ONLY.includes(module)),
    )
    expect(named(wrong)).toEqual([])
  })

  it('of native libraries are only in the adapters and the engine', () => {
    const wrong = imports.filter(
      ({ file, module }) =>
        module !== null && NATIVES.includes(module) && !/^main\/(adapters|engine)\//.test(file),
    )
    expect(named(wrong)).toEqual([])
  })

  it('of electron are only in the main entry, its window files and the preload script', () => {
    const wrong = imports.filter(
      ({ file, module }) =>
        module === 'electron' && !/^(main\/index\.ts|main\/desktop\/.*|preload\/.*)$/.test(file),
    )
    expect(named(wrong)).toEqual([])
  })
})

describe('source files', () => {
  const files = filesOf(sources)

  it('are named in kebab case', () => {
    const wrong = files.filter(
      (path) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/.test(path.split('/').at(-1) ?? ''),
    )
    expect(wrong).toEqual([])
  })

  it('have at most 400 lines', () => {
    const long = files.filter((path) => readFileSync(join(sources, path), 'utf8').split('\n').length > 401)
    expect(long).toEqual([])
  })

  const naming = (pattern: RegExp, layer = '') =>
    files.filter((path) => path.startsWith(layer) && pattern.test(readFileSync(join(sources, path), 'utf8')))

  it('put no text into the page as HTML and run none as code', () => {
    const html = /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write|srcDoc/
    expect(naming(html)).toEqual([])
    expect(naming(/\beval\(|new Function\(/)).toEqual([])
  })

  it('open an address in a browser in one place of the desktop window, where a person is asked first', () => {
    expect(naming(/openExternal/)).toEqual(['main/desktop/furnish.ts', 'main/desktop/outer-links.ts'])
  })

  it('load LanceDB in the one place that sets its threads first', () => {
    const loads = /^import (?!type\b).*'@lancedb\/lancedb'|\b(import|require)\('@lancedb\/lancedb'\)/m
    expect(naming(loads)).toEqual(['main/adapters/lancedb/load-lancedb.ts'])
  })

  it('fetch from the network in two places of the host only: downloads, and the guarded fetch of tools', () => {
    const asks = /(?<![\w.])fetch\(\s*(url|['"`]http)|\bhttps?\.(get|request)\b|\b(net|tls)\.connect\(/
    expect(naming(asks).sort()).toEqual(['main/model-files/fetch-following.ts', 'main/net/guarded-fetch.ts'])
  })
})
