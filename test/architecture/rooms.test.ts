import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONTAINERS, FLOORS, LARGEST_SHARE, NESTED, UPWARDS } from './floors'
import { filesOf, importsIn } from './read-imports'
import { arrowsOf, circlesOf, roomArrows, roomIn, sharesOf } from './rooms'

const sources = join(resolve(import.meta.dirname, '../..'), 'src')
const files = filesOf(sources)
const arrows = arrowsOf(importsIn(sources), files)

const asNodes = (names: Iterable<string>) =>
  [...names].map((name) => {
    const [from = '', to = ''] = name.split(' -> ')
    return { from, to }
  })

describe('rooms', () => {
  it.each(Object.entries(FLOORS))('of %s are all on a floor, and every floor has rooms', (layer, floors) => {
    const declared = floors.flat()
    const there = new Set(files.map((file) => roomIn(layer, file)).filter((room) => room !== null))
    expect([...there].filter((room) => !declared.includes(room))).toEqual([])
    expect(declared.filter((room) => !there.has(room))).toEqual([])
    expect(new Set(declared).size).toBe(declared.length)
  })

  it.each(Object.entries(FLOORS))('of %s stand on lower floors only', (layer, floors) => {
    const floorOf = (room: string) => floors.findIndex((floor) => floor.includes(room))
    const upwards = [...roomArrows(layer, arrows)].filter(([name]) => {
      const [{ from, to } = { from: '', to: '' }] = asNodes([name])
      return floorOf(to) >= floorOf(from)
    })
    const unexpected = upwards.filter(([name]) => !UPWARDS[layer]?.includes(name))
    expect(unexpected.flatMap(([, drawn]) => drawn.map(({ from, to }) => `${from} imports ${to}`))).toEqual(
      [],
    )
    // An exception that is not needed any more goes.
    expect(UPWARDS[layer]?.filter((name) => !upwards.some(([found]) => found === name))).toEqual([])
  })

  it('have few arrows upwards: two in core at most, none elsewhere', () => {
    expect(UPWARDS['core']?.length).toBeLessThanOrEqual(2)
    expect(UPWARDS['main']).toEqual([])
    expect(UPWARDS['shared']).toEqual([])
    expect(UPWARDS['renderer']).toEqual([])
  })

  it.each(Object.keys(FLOORS))('of %s have no more than a fifth of its lines each', (layer) => {
    const linesOf = (file: string) => readFileSync(join(sources, file), 'utf8').split('\n').length - 1
    const shares = sharesOf(layer, CONTAINERS, files, linesOf)
    expect([...shares].filter(([, share]) => share > LARGEST_SHARE)).toEqual([])
  })

  it.each(NESTED)('inside %s form no circle', (folder) => {
    expect(circlesOf(asNodes(roomArrows(folder, arrows).keys()))).toEqual([])
  })
})

describe('files', () => {
  it('are found with what they import', () => {
    expect(arrows.length).toBeGreaterThan(1000)
  })

  it('form no circle, types included', () => {
    expect(circlesOf(arrows)).toEqual([])
  })
})

describe('circles', () => {
  const arrow = (text: string) => asNodes(text.split(', '))

  it('are found wherever they are', () => {
    expect(circlesOf(arrow('a -> b, b -> c, c -> a, c -> d, e -> d'))).toEqual([['a', 'b', 'c']])
    expect(circlesOf(arrow('a -> b, b -> a, b -> c, c -> d, d -> c'))).toEqual([
      ['c', 'd'],
      ['a', 'b'],
    ])
  })

  it('are not seen where there are none', () => {
    expect(circlesOf(arrow('a -> b, a -> c, b -> d, c -> d'))).toEqual([])
  })
})

describe('shares', () => {
  it('are of the whole layer, and those of a container are its entries’', () => {
    const lines: Readonly<Record<string, number>> = {
      'a/x/1': 4,
      'a/x/2': 2,
      'a/y/s/1': 1,
      'a/y/t.ts': 3,
      'b/z': 9,
    }
    const shares = sharesOf('a', ['a/y'], Object.keys(lines), (file) => lines[file] ?? 0)
    expect([...shares]).toEqual([
      ['x', 0.6],
      ['y/s', 0.1],
      ['y/t.ts', 0.3],
    ])
  })
})
