import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { FLOORS } from './floors'
import { filesOf, importsIn } from './read-imports'

const root = resolve(import.meta.dirname, '../..')
const sources = filesOf(join(root, 'src'))

/** Folders that a path in the document may begin in. */
const BEGINNINGS = ['.', 'src', 'src/core', 'src/main', 'src/shared', 'src/main/adapters', 'src/core/methods']

const isThere = (path: string): boolean =>
  BEGINNINGS.some((folder) => existsSync(join(root, folder, path))) ||
  // A file named in passing, next to one that was named with its folder.
  (!path.includes('/') && sources.some((file) => file.endsWith(`/${path}`)))

it('the picture of the house names only files and folders there are', () => {
  const text = readFileSync(join(root, 'docs', 'ARCHITECTURE.md'), 'utf8').replace(/```[\s\S]*?```/g, '')
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path)
  const paths = quoted.filter(
    (path) => /^[\w./-]+\.tsx?$/.test(path) || /^(src|core|main)\/[\w/-]+$/.test(path),
  )
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

const architecture = readFileSync(join(root, 'docs', 'ARCHITECTURE.md'), 'utf8')

it('the picture of the house names the packages that the domain uses, and no others', () => {
  const [, named = ''] = /Of packages, `src\/core` names only ([^:]+): /.exec(architecture) ?? []
  const used = importsIn(join(root, 'src', 'core'))
  const packages = new Set(used.flatMap(({ module }) => (module === null ? [] : [module])))
  expect(named.split(/, | and /).sort()).toEqual([...packages].sort())
})

it('the picture of the house names every factory that opens an area', () => {
  const [, areas = ''] = readFileSync(join(root, 'src', 'main', 'app.ts'), 'utf8').split(
    'async function openAreas',
  )
  const factories = new Set(
    [...areas.matchAll(/\b((?:open|create)[A-Z]\w+)\(/g)].map(([, name = '']) => name),
  )
  expect(factories.size).toBeGreaterThan(15)
  expect([...factories].filter((name) => !architecture.includes(`\`${name}\``))).toEqual([])
})

it.each(['core', 'main', 'renderer'])(
  'the picture of the house draws every room of %s on its floor',
  (layer) => {
    const [, picture = ''] = /```\n([\s\S]*?)```/.exec(architecture) ?? []
    const floors = picture.split('\n').map((line) => line.split(/[\s|]+/))
    const drawn = (rooms: readonly string[]): boolean =>
      // A floor with few words beside it may take several lines.
      rooms.every((room) => floors.some((words) => words.includes(room)))
    expect((FLOORS[layer] ?? []).filter((rooms) => !drawn(rooms))).toEqual([])
  },
)

it('every test that holds a promise of safety is there', () => {
  const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8')
  const names = [...text.matchAll(/`([\w./-]+\.(?:test|e2e)\.tsx?)`/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(80)
  let folder = ''
  const isHere = (name: string): boolean => {
    if (name.includes('/')) folder = name.slice(0, name.lastIndexOf('/'))
    return existsSync(join(root, 'test', name.includes('/') ? name : `${folder}/${name}`))
  }
  expect(names.filter((name) => !isHere(name))).toEqual([])
})

/** What GitHub calls a heading in an address. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
const anchorsIn = (markdown: string): ReadonlySet<string> =>
  new Set([...markdown.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

it('the table of what the papers show counts its rows rightly, and its links lead somewhere', () => {
  const folder = join(root, 'docs', 'results')
  const results = readFileSync(join(folder, 'README.md'), 'utf8')
  const [, part = ''] = results.split("\n## The papers' tables and figures\n")
  const [table = ''] = part.split('\n## ')
  const rows = table.split('\n').filter((line) => /^\| (Memento|Agent KB|EvoSC|BREW), /.test(line))
  // 31, and of one figure three parts.
  expect(rows).toHaveLength(33)
  const states = rows.map((line) => line.split(' | ')[2])
  const counts = ['in shape', 'in part', 'not in shape', 'not run'].map(
    (state) => states.filter((one) => one === state).length,
  )
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
  expect(table).toContain(
    `In shape are ${counts[0]}, in part ${counts[1]}, not in shape ${counts[2]}, not run ${counts[3]}.`,
  )
  const shaped = rows.filter((line) => line.split(' | ')[2] === 'in shape')
  expect(shaped.filter((line) => !line.includes('](two-families/README.md'))).toEqual([])
  const targets = [...table.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target)
  expect(targets.length).toBeGreaterThan(15)
  const lost = targets.filter((target) => {
    const [path = '', anchor] = target.split('#')
    if (path.includes('methods/')) return false
    const file = path === '' ? results : readFileSync(join(folder, path), 'utf8')
    return anchor !== undefined && !anchorsIn(file).has(anchor)
  })
  expect(lost).toEqual([])
})
