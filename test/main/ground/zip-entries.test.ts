import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  archivedFiles,
  listArchive,
  readMember,
  unpackedArchive,
} from '../../../src/main/adapters/isolate/work/formats/zip'
import { readZip } from '../../../src/main/bundle/read-zip'

/** A file of an archive, and what is told of it where that is not what is so. */
interface Member {
  readonly name: string
  readonly text?: string
  readonly localName?: string
  readonly mode?: number
  readonly method?: number
  readonly flags?: number
  readonly size?: number
  readonly packed?: number
  readonly crc?: number
  readonly begins?: number
  readonly extra?: Buffer
  /** Whether the list alone has it. */
  readonly isListedOnly?: boolean
}
interface Ending {
  readonly count?: number
  readonly listAt?: number
  readonly comment?: Buffer
  readonly before?: Buffer
  /** Between the list and the end. */
  readonly beforeEnd?: (listAt: number) => Buffer
}

const record = (bytes: number, fields: readonly (readonly [number, 2 | 4 | 8, number])[]): Buffer => {
  const buffer = Buffer.alloc(bytes)
  for (const [at, length, value] of fields)
    if (length === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, length)
  return buffer
}
const TEXT = '{"a":1}\n'
/** A signature behind the list that says it has so many bytes. */
const signature = (says: number, has: number): Buffer =>
  record(6 + has, [
    [0, 4, 0x05054b50],
    [4, 2, says],
  ])

function zip(members: readonly Member[], ending: Ending = {}): Buffer {
  const parts = [ending.before ?? Buffer.alloc(0)]
  const list: Buffer[] = []
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0)
  for (const { name, text = TEXT, method = 8, flags = 0x800, extra = Buffer.alloc(0), ...told } of members) {
    const raw = Buffer.from(text)
    const packed = method === 8 ? deflateRawSync(raw) : raw
    const localName = Buffer.from(told.localName ?? name)
    list.push(
      record(46, [
        ...([
          [0, 4, 0x02014b50],
          [8, 2, flags],
          [10, 2, method],
          [16, 4, told.crc ?? crc32(raw)],
        ] as const),
        ...([
          [20, 4, told.packed ?? packed.length],
          [24, 4, told.size ?? raw.length],
        ] as const),
        ...([
          [28, 2, Buffer.byteLength(name)],
          [30, 2, extra.length],
        ] as const),
        ...([
          [40, 2, told.mode ?? 0o100644],
          [42, 4, told.begins ?? length()],
        ] as const),
      ]),
      ...[Buffer.from(name), extra],
    )
    if (told.isListedOnly === true) continue
    parts.push(
      record(30, [
        ...([
          [0, 4, 0x04034b50],
          [6, 2, flags],
          [8, 2, method],
          [14, 4, crc32(raw)],
        ] as const),
        ...([
          [18, 4, packed.length],
          [22, 4, raw.length],
          [26, 2, localName.length],
        ] as const),
      ]),
      ...[localName, packed],
    )
  }
  const [at, count] = [length(), ending.count ?? members.length]
  const comment = ending.comment ?? Buffer.alloc(0)
  return Buffer.concat([
    ...[...parts, ...list, ending.beforeEnd?.(at) ?? Buffer.alloc(0)],
    record(22, [
      ...([
        [0, 4, 0x06054b50],
        [8, 2, count],
        [10, 2, count],
      ] as const),
      ...([
        [16, 4, ending.listAt ?? at],
        [20, 2, comment.length],
      ] as const),
    ]),
    comment,
  ])
}

const ELSEWHERE = 0xffffffff
const PACKED = deflateRawSync(TEXT).length
const large = (begins: number): Member => ({
  ...{ name: 'a.jsonl', size: ELSEWHERE, packed: ELSEWHERE, begins: ELSEWHERE },
  extra: record(28, [
    ...([
      [0, 2, 1],
      [2, 2, 24],
    ] as const),
    ...([
      [4, 8, TEXT.length],
      [12, 8, PACKED],
      [20, 8, begins],
    ] as const),
  ]),
})
const largeEnd = (listAt: number, at = listAt): Buffer =>
  Buffer.concat([
    record(56, [
      ...([
        [0, 4, 0x06064b50],
        [24, 8, 1],
        [32, 8, 1],
        [48, 8, listAt],
      ] as const),
    ]),
    record(20, [
      [0, 4, 0x07064b50],
      [8, 8, at],
    ]),
  ])
/** Where the list of `zip([large(0)])` ends. */
const LARGE_LIST = 30 + 7 + PACKED
const LARGE_END = LARGE_LIST + 46 + 7 + 28

/** Each reader's text of the first file. */
const READERS: Record<string, (bytes: Buffer) => Promise<string> | string> = {
  log: (bytes) => Buffer.from(archivedFiles(bytes)[0]?.read() ?? []).toString(),
  document: (bytes) => {
    const name = /^- (.*) \(\d+ bytes\)$/m.exec(listArchive(bytes))?.[1] ?? ''
    return Buffer.from(readMember(bytes, name)).toString()
  },
  whole: (bytes) => Buffer.from(archivedFiles(unpackedArchive(bytes))[0]?.read() ?? []).toString(),
  bundle: async (bytes) => {
    const files = readZip({ size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) })
    const pieces: Buffer[] = []
    for await (const piece of [...files.values()][0]?.pieces() ?? []) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  },
}

const BROKEN = /list of the archive is broken/
const NOT_THERE = /is not where the archive says/
const OTHER = /lists other files than it counts/
const OVERLAP = /overlap/
const REFUSED: Record<string, readonly [Buffer, RegExp]> = {
  'a signature that is cut off': [
    zip([{ name: 'a.jsonl' }], { beforeEnd: () => signature(9, 8) }),
    /lists other files/,
  ],
  'two files of one name': [zip([{ name: 'a.jsonl' }, { name: 'a.jsonl', text: 'other' }]), /a file twice/],
  'bytes of two files': [
    zip([{ name: 'a.jsonl' }, { name: 'b.jsonl', begins: 0, isListedOnly: true }], {
      comment: Buffer.alloc(99),
    }),
    OVERLAP,
  ],
  'a file within another': [
    zip([
      { name: 'a.zip', method: 0, text: zip([{ name: 'b' }]).toString('latin1') },
      { name: 'b', begins: 35, isListedOnly: true },
    ]),
    OVERLAP,
  ],
  'more in a file than is said': [zip([{ name: 'a.jsonl', size: 2 }]), /does not unpack to/],
  'less in a file than is said': [zip([{ name: 'a.jsonl', size: 200 }]), /does not unpack to/],
  'a file that goes on into the list': [zip([{ name: 'a.jsonl', packed: 60 }]), /cut off/],
  'a link': [zip([{ name: 'a.jsonl', text: '/etc/passwd', mode: 0o120777 }]), /is a link/],
  'an encrypted file': [zip([{ name: 'a.jsonl', flags: 0x801 }]), /is encrypted/],
  'another way of packing': [zip([{ name: 'a.jsonl', method: 14 }]), /in a way that is not read/],
  'a list that is elsewhere': [zip([{ name: 'a.jsonl' }], { listAt: 0x7fffffff }), BROKEN],
  'a list that begins before': [zip([{ name: 'a.jsonl' }], { listAt: 3 }), BROKEN],
  'a list of fewer files than are counted': [zip([{ name: 'a.jsonl' }], { count: 5 }), BROKEN],
  'a list of more files than are counted': [
    zip([{ name: 'a.jsonl' }, { name: 'b.jsonl' }], { count: 1 }),
    OTHER,
  ],
  'two archives behind each other': [
    Buffer.concat([zip([{ name: 'a.jsonl' }]), zip([{ name: 'b.jsonl' }])]),
    OTHER,
  ],
  'an archive in its comment': [zip([{ name: 'a.jsonl' }], { comment: zip([{ name: 'b.jsonl' }]) }), OTHER],
  'a large list that is not there': [zip([{ name: 'a.jsonl' }], { listAt: ELSEWHERE }), BROKEN],
  'a large list that is elsewhere': [
    zip([{ name: 'a.jsonl' }], { listAt: ELSEWHERE, beforeEnd: (at) => largeEnd(at, 2 ** 52) }),
    BROKEN,
  ],
  'more files than are read': [zip([{ name: 'a.jsonl' }], { count: 0xffff }), /more than 10000 files/],
  'a large file that is elsewhere': [zip([large(2 ** 40)]), NOT_THERE],
  'a large file without its place': [zip([{ ...large(0), extra: Buffer.alloc(0) }]), NOT_THERE],
  'a place that goes on behind the list': [
    zip([{ ...large(0), extra: Buffer.from([9, 9, 255, 255]) }]),
    NOT_THERE,
  ],
  nothing: [Buffer.alloc(0), /no whole zip archive/],
  'half an end': [zip([{ name: 'a.jsonl' }]).subarray(0, -9), /no whole zip archive/],
}
const READ: Record<string, Buffer> = {
  'a signature of its list': zip([{ name: 'a.jsonl' }], { beforeEnd: () => signature(8, 8) }),
  'a large file': zip([large(0)]),
  'a large file in a large list': zip([large(0)], {
    listAt: ELSEWHERE,
    count: 0xffff,
    beforeEnd: () => largeEnd(LARGE_LIST, LARGE_END),
  }),
  'a file of another name where it lies': zip([{ name: 'a.jsonl', localName: 'b.jsonl' }]),
  'something before the archive': zip([{ name: 'a.jsonl' }], { before: Buffer.from('#!/bin/sh\nexit\n') }),
  'a comment': zip([{ name: 'a.jsonl' }], { comment: Buffer.from('of the one who packed it') }),
}

describe.each(Object.entries(READERS))('an archive that is read as a %s', (reader, read) => {
  it.each(Object.entries(REFUSED))('and has %s is refused in words', async (_what, [bytes, words]) => {
    await expect(Promise.resolve().then(() => read(bytes))).rejects.toThrow(words)
  })

  it.each(Object.entries(READ))('and has %s is read', async (_what, bytes) => {
    expect(await read(bytes)).toBe(TEXT)
  })

  it('and was damaged on its way is refused in words', async () => {
    // A bundle has sums of its own.
    if (reader === 'bundle') return
    const bytes = zip([{ name: 'a.jsonl', method: 0 }])
    bytes.writeUInt8(65, bytes.indexOf(TEXT) + 3)
    await expect(Promise.resolve().then(() => read(bytes))).rejects.toThrow(/is damaged/)
  })
})

describe('names that lead elsewhere', () => {
  const NAMES = [
    '/etc/a.jsonl',
    '../../a.jsonl',
    '..\\a.jsonl',
    'C:\\a.jsonl',
    'a\0.jsonl',
    '\u001b[2Ja.jsonl',
    '',
  ]
  it.each(NAMES)('%j is a name and no place: nothing is written, and a bundle has none', async (name) => {
    const bytes = zip([{ name }])
    const [file] = archivedFiles(bytes)
    expect([file?.name, Buffer.from(file?.read() ?? []).toString()]).toEqual([name, TEXT])
    await expect(Promise.resolve().then(() => READERS['bundle']?.(bytes))).rejects.toThrow(/does not have/)
  })

  it("that are an object's own come in as files, and never as what documents are made of", () => {
    const bytes = zip([{ name: '__proto__', text: 'x'.repeat(3000) }, { name: 'a.jsonl' }])
    expect(archivedFiles(bytes).map(({ name }) => name)).toEqual(['__proto__', 'a.jsonl'])
    expect(archivedFiles(unpackedArchive(bytes)).map(({ name }) => name)).toEqual(['a.jsonl'])
  })

  it('within an archive in it are not looked at', () => {
    const inner = zip([{ name: '../b.jsonl' }]).toString('latin1')
    expect(listArchive(zip([{ name: 'a.zip', text: inner }]))).toMatch(/^- a\.zip \(\d+ bytes\)$/m)
  })
})
