import { strToU8, unzipSync, zipSync, type Unzipped } from 'fflate'
import fc from 'fast-check'

/** One change to a file. Places are shares of its length, so that they fit files of any size. */
export type Change =
  | { readonly kind: 'byte'; readonly at: number; readonly value: number }
  | { readonly kind: 'number'; readonly at: number; readonly width: 2 | 4 | 8; readonly value: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'remove'; readonly at: number; readonly length: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }

/** `inside`: what an archive holds is changed and packed again, so that its sums are right. */
export interface Mutation {
  readonly inside: number | null
  readonly changes: readonly Change[]
}

const at = fc.double({ min: 0, max: 1, noNaN: true })
/** Numbers that readers of lengths, counts and places stumble over. */
const edge = fc.constantFrom(0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0x80000000)
/** Texts that parsers of markup, of data and of numbers stumble over. */
const hostile = fc.oneof(
  fc.constantFrom(
    '\0',
    '"',
    '{',
    '[[[[[[[[',
    '<a',
    '<!--',
    ']]>',
    '&#x0;',
    '\ud800',
    '1e999',
    '-0',
    '__proto__',
  ),
  fc.constantFrom('../', '=', '\r', '\u2028', '/FlateDecode', '<<', 'endstream', '\\u0000', 'true', 'null'),
  fc.string({ maxLength: 12, unit: 'binary' }),
  fc.json({ maxDepth: 3 }),
)

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  inside: fc.option(fc.nat(40), { freq: 2 }),
  changes: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('byte' as const), at, value: fc.nat(255) }),
      fc.record({
        ...{ kind: fc.constant('number' as const), at, value: edge },
        width: fc.constantFrom(2 as const, 4 as const, 8 as const),
      }),
      fc.record({ kind: fc.constant('cut' as const), at }),
      fc.record({ kind: fc.constant('remove' as const), at, length: fc.nat(64) }),
      fc.record({ kind: fc.constant('repeat' as const), at, length: fc.nat(64), times: fc.nat(40) }),
      fc.record({ kind: fc.constant('insert' as const), at, text: hostile }),
    ),
    { minLength: 1, maxLength: 6 },
  ),
})

function changed(bytes: Uint8Array, change: Change): Uint8Array {
  const place = Math.min(bytes.length, Math.floor(change.at * bytes.length))
  const [head, tail] = [bytes.subarray(0, place), bytes.subarray(place)]
  switch (change.kind) {
    case 'byte': {
      const copy = Uint8Array.from(bytes)
      if (place < copy.length) copy[place] = change.value
      return copy
    }
    case 'number': {
      const copy = Buffer.from(bytes)
      if (place + change.width > copy.length) return copy
      if (change.width === 2) copy.writeUInt16LE(change.value & 0xffff, place)
      else if (change.width === 4) copy.writeUInt32LE(change.value, place)
      else copy.writeBigUInt64LE(BigInt(change.value) << (change.value > 0xffff ? 32n : 0n), place)
      return Uint8Array.from(copy)
    }
    case 'cut':
      return head
    case 'remove':
      return Buffer.concat([head, tail.subarray(change.length)])
    case 'repeat': {
      const part = tail.subarray(0, change.length)
      return Buffer.concat([head, ...Array.from({ length: change.times }, () => part), tail])
    }
    case 'insert':
      return Buffer.concat([head, strToU8(change.text), tail])
  }
}

function openedArchive(bytes: Uint8Array): Unzipped | null {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return null
  return unzipSync(bytes)
}

/** A file after a mutation. */
export function mutated(bytes: Uint8Array, { inside, changes }: Mutation): Uint8Array {
  const files = inside === null ? null : openedArchive(bytes)
  const names = Object.keys(files ?? {})
  const name = names[(inside ?? 0) % Math.max(1, names.length)]
  if (!files || name === undefined) return changes.reduce(changed, bytes)
  return zipSync({ ...files, [name]: Uint8Array.from(changes.reduce(changed, files[name] ?? bytes)) })
}
