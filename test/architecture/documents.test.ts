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
