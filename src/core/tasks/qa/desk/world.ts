import { createRng, type Rng } from '../../../ground/random'
import { PEOPLE } from '../../house-rules/vocabulary'

/** The seed text of a desk that a person asks for by number. */
export const openDeskSeed = (world: number): string => `open:${world}`

/** What is ordered at desks, as the price list names it. */
export const THINGS: readonly string[] = [
  'lamps',
  'chairs',
  'tables',
  'ropes',
  'pans',
  'brushes',
  'mirrors',
  'kettles',
  'baskets',
  'ladders',
  'blankets',
  'hammers',
]

/** What the files of a kind are called, one name each at a desk. */
export const FILE_NAMES = {
  orders: ['orders', 'sales', 'requests'],
  prices: ['prices', 'costs', 'tariff'],
  bills: ['bills', 'debts', 'accounts'],
  late: ['late', 'older', 'rest'],
  rooms: ['rooms', 'doors', 'floors'],
} as const

/** A room: the file that the list names for it, and the one that is there. */
export interface Room {
  readonly listed: string
  readonly file: string
  readonly key: string
}

/** A desk: what its files hold. */
export interface Desk {
  readonly seed: string
  readonly names: Readonly<Record<'orders' | 'prices' | 'bills' | 'late' | 'rooms', string>>
  readonly people: readonly string[]
  readonly orders: ReadonlyMap<string, { readonly count: number; readonly thing: string }>
  readonly prices: ReadonlyMap<string, number>
  readonly bills: ReadonlyMap<string, number>
  /** Whose bill stands in the second file. */
  readonly isLate: ReadonlySet<string>
  readonly rooms: ReadonlyMap<string, Room>
  /** Names and texts of its files. */
  readonly files: ReadonlyMap<string, string>
}

const lines = (pairs: Iterable<readonly [string, string | number]>): string =>
  [...pairs].map(([name, value]) => `${name}: ${value}\n`).join('')

const drawMap = <T>(people: readonly string[], draw: (name: string) => T): ReadonlyMap<string, T> =>
  new Map(people.map((name) => [name, draw(name)]))

/** Rooms of their own, one of three listed under an ending that its file does not have. */
function drawRooms(rng: Rng, people: readonly string[]): ReadonlyMap<string, Room> {
  const numbers = rng.sample(
    Array.from({ length: 90 }, (_, i) => i + 10),
    people.length,
  )
  return new Map(
    people.map((name, i): [string, Room] => {
      const listed = `room-${numbers[i]}.txt`
      const file = rng.chance(1 / 3) ? `room-${numbers[i]}.md` : listed
      return [name, { listed, file, key: rng.pick(people.filter((one) => one !== name)) }]
    }),
  )
}

/** The desk of a seed text; the same text always gives the same desk. */
export function createDesk(seed: string): Desk {
  const rng = createRng(`desk/${seed}`)
  const called = (kind: keyof typeof FILE_NAMES): string => rng.pick(FILE_NAMES[kind])
  const bill = called('bills')
  const names = {
    orders: `${called('orders')}.txt`,
    prices: `${called('prices')}.txt`,
    bills: `${bill}.txt`,
    late: `${bill}-${called('late')}.txt`,
    rooms: `${called('rooms')}.txt`,
  }
  const people = rng.sample(PEOPLE, 6)
  const things = rng.sample(THINGS, 6)
  const orders = drawMap(people, () => ({ count: 2 + rng.int(8), thing: rng.pick(things) }))
  const prices = drawMap(things, () => 11 + rng.int(88))
  const bills = drawMap(people, () => 31 + rng.int(68))
  const isLate = new Set(rng.sample(people, 2))
  const rooms = drawRooms(rng, people)
  const billsOf = (late: boolean): string => lines([...bills].filter(([name]) => isLate.has(name) === late))
  const files = new Map([
    [names.orders, lines([...orders].map(([name, { count, thing }]) => [name, `${count} ${thing}`]))],
    [names.prices, lines(prices)],
    [names.bills, billsOf(false)],
    [names.late, billsOf(true)],
    [names.rooms, lines([...rooms].map(([name, { listed }]) => [name, listed]))],
    ...[...rooms.values()].map(({ file, key }): [string, string] => [file, lines([['Key', key]])]),
  ])
  return { seed, names, people, orders, prices, bills, isLate, rooms, files }
}
