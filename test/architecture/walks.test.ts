import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const text = readFileSync(join(root, 'docs', 'ARCHITECTURE.md'), 'utf8')

interface Station {
  readonly file: string
  /** What stands in the file. */
  readonly name: string
  readonly shape: string
}

/** The stations of a walk, in their order. */
const walk = (title: string): Station[] => {
  const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| (\d+) \|[^|]*\| `([^`]+)`: `([^`]+)` \| ([^|]*) \|$/gm)].map(
    ([, , file = '', name = '', shape = '']) => ({ file, name, shape }),
  )
}

test.each([
  ['An ask, from the text field to the answer', 18],
  ['An imported log, from the file to the memory', 5],
])('every station of a walk is where it is said to be: %s', (title, count) => {
  const stations = walk(title)
  expect(stations).toHaveLength(count)
  const astray = stations.filter(
    ({ file, name }) =>
      !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(name),
  )
  expect(astray).toEqual([])
})

test('an ask passes at most 20 stations and has at most 7 shapes', () => {
  const stations = walk('An ask, from the text field to the answer')
  expect(stations.length).toBeLessThanOrEqual(20)
  const shapes = stations.flatMap(({ shape }) => /`(\w+)/.exec(shape)?.[1] ?? [])
  expect(new Set(shapes).size).toBeLessThanOrEqual(7)
})

test('a reward is called so at every station to the curve', () => {
  const section = text.split('\n## One reward, from environment to curve\n')[1]?.split('\n## ')[0] ?? ''
  const files = [...section.matchAll(/^\| (?!station|---).*$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file = '']) => file),
  )
  expect(files.length).toBeGreaterThan(9)
  // These know of attempts, states and series, whatever is in them.
  const passing = [
    'src/core/ground/learn-from-attempt.ts',
    'src/shared/patch.ts',
    'src/shared/figures/seed-band.ts',
  ]
  const without = [...new Set(files)].filter(
    (file) => !passing.includes(file) && !/\brewards?\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(without).toEqual([])
})
