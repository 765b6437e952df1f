import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { PARSERS, ROWS_IN_HOST } from './foreign-parsers'
import { filesOf } from './read-imports'

const sources = resolve(import.meta.dirname, '../../src')
const WORK = 'main/adapters/isolate/work/'

/** How a file looks that makes values of text or bytes: by the language, by Node, or by a library. */
const SIGNS = [
  /\bJSON\.parse\(|\.json\(\)|\bdeserialize\(/,
  /\bparse\b[^\n]*from '(yaml|smol-toml)'|\bPapa\.parse\(/,
  /\bparquetRead\w*\(|\bparquetMetadata\(|\bread\b[^\n]*from '@e965\/xlsx'/,
  /\b(un(zip|gz)\w*|(gun|in|brotliDec|zstdDec)(zip|flate|ompress)\w*)\(|\bcreate(Gunzip|Inflate)/,
  /from '(linkedom|fast-xml-parser|mammoth|pdfjs-dist[^']*|node:v8)'/,
]
const files = filesOf(sources).filter((path) => /^(main|core|shared)\//.test(path) && !path.startsWith(WORK))
const code = (path: string): string =>
  readFileSync(join(sources, path), 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*\*).*$/gm, '')

it('names every file beside the isolates that makes values of text or bytes, and no other', () => {
  const parsers = files.filter((path) => SIGNS.some((sign) => sign.test(code(path))))
  const names = Object.values(PARSERS).flat()
  expect(new Set(names).size).toBe(names.length)
  expect(parsers.filter((path) => !names.includes(path))).toEqual([])
  expect(names.filter((path) => !parsers.includes(path))).toEqual([])
})

/** Files that a file loads, with the names as they stand in the tree, without ending; types load nothing. */
const loadedBy = (path: string): string[] =>
  [...code(path).matchAll(/^(?:import|export) (type )?[^']*from '([^']+)'$|import\('([^']+)'\)/gm)]
    .filter(([, type]) => type === undefined)
    .map(([, , specifier, lazy]) => join(dirname(path), specifier ?? lazy ?? '').replaceAll('\\', '/'))

it('rows of tasks and recorded attempts are parsed in isolates; the host reads what Loam brings and makes', () => {
  const isParser = (target: string): boolean => /^core\/(streams\/|ground\/(entries|recording)$)/.test(target)
  const loads = files
    .filter((path) => path.startsWith('main/') && path !== 'main/modules/spi.ts')
    .flatMap((path) =>
      loadedBy(path)
        .filter(isParser)
        .map((target) => `${path}: ${target}`),
    )
  const listed = Object.entries(ROWS_IN_HOST).flatMap(([target, paths]) =>
    paths.map((path) => `${path}: ${target}`),
  )
  expect(loads.sort()).toEqual(listed.sort())
})

it('the work of isolates is loaded by nothing that runs in the host', () => {
  // The entries of isolates. What decides whether bytes are text reads no format.
  const entries = ['main/adapters/isolate/entry.ts', 'main/modules/serve-format.ts']
  const plain = `${WORK}formats/plain`
  const loads = files
    .filter((path) => !entries.includes(path))
    .flatMap((path) =>
      loadedBy(path)
        .filter((target) => target.startsWith(WORK) && target !== plain)
        .map((target) => `${path}: ${target}`),
    )
  expect(loads).toEqual([])
})

it('a format reads where isolates call it, and where its author checks it', () => {
  const calls = files.filter((path) => /\.read(Bytes)?\?\.\(/.test(code(path)))
  expect(calls).toEqual(['main/conform/format-checks.ts', 'main/memories/read-format.ts'])
})
