import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const BUILT = process.env['LOAM_BUILT']
const assets = BUILT === undefined ? '' : join(BUILT, '../renderer/assets')

/** A script with all that it imports before it runs, as names of files. */
async function withImports(name: string, names = new Set<string>()): Promise<Set<string>> {
  if (names.has(name)) return names
  names.add(name)
  const text = await readFile(join(assets, name), 'utf8')
  for (const [, next = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    await withImports(next, names)
  return names
}

/** What scripts weigh, in kB as they lie and compressed. */
async function weigh(names: Iterable<string>): Promise<{ raw: number; packed: number }> {
  const files = await Promise.all([...names].map((name) => readFile(join(assets, name))))
  const sum = (of: (file: Buffer) => number) => files.reduce((total, file) => total + of(file), 0) / 1000
  return { raw: sum(({ length }) => length), packed: sum((file) => gzipSync(file, { level: 9 }).length) }
}

const scriptLike = async (pattern: RegExp): Promise<string> =>
  (await readdir(assets)).find((name) => pattern.test(name)) ?? ''

// Looks at what was built, as `npm test` does before its tests.
describe.runIf(BUILT !== undefined)('the window’s scripts', () => {
  it('begin with at most 300 kB, 100 compressed, and the first page needs no library of other screens', async () => {
    const page = await readFile(join(assets, '../index.html'), 'utf8')
    const [, first = ''] = /src="\.\/assets\/([^"]+\.js)"/.exec(page) ?? []
    const names = await withImports(first)
    const { raw, packed } = await weigh(names)
    expect(raw).toBeGreaterThan(50)
    expect(raw).toBeLessThan(300)
    expect(packed).toBeLessThan(100)

    // The frame and the page that Loam opens with.
    for (const part of [/^workshop-/, /^ask-screen-/]) await withImports(await scriptLike(part), names)
    expect((await weigh(names)).packed).toBeLessThan(265)
    const text = (await Promise.all([...names].map((name) => readFile(join(assets, name), 'utf8')))).join(
      '\n',
    )
    for (const library of ['katex', 'hljs', 'micromark', 'uplot']) expect(text).not.toContain(library)
  })
})
