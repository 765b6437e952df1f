import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** A value of a GGUF's metadata, with the type it is stored as. */
export type GgufValue =
  | { readonly kind: 'uint32' | 'int32' | 'float32'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'int32s' | 'float32s'; readonly value: readonly number[] }
  | { readonly kind: 'strings'; readonly value: readonly string[] }

export interface GgufTensorData {
  readonly name: string
  /** ggml's type number. */
  readonly type: number
  /** ne, fastest axis first. */
  readonly shape: readonly number[]
  readonly data: NodeJS.ArrayBufferView
}

const VERSION = 3
const ALIGNMENT = 32
const TYPES = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8 } as const
const ARRAY = 9

/** Writes a whole GGUF (version 3, alignment 32) and syncs it. An existing file is replaced. */
export function writeGguf(
  path: string,
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensorData[],
): void {
  const keys = ggufMetadata(metadata)
  const sizes = tensors.map(({ data }) => data.byteLength)
  const head = ggufHead(
    Object.keys(metadata).length,
    keys,
    tensors.map((tensor, index) => ({
      ...tensor,
      offset: sizes.slice(0, index).reduce((sum, size) => sum + aligned(size), 0),
    })),
  )
  const file = openSync(path, 'w')
  try {
    writeSync(file, head)
    for (const { data } of tensors) {
      writeSync(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
      writeSync(file, Buffer.alloc(aligned(data.byteLength) - data.byteLength))
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Metadata as it stands in a file, entry by entry. */
export const ggufMetadata = (metadata: Readonly<Record<string, GgufValue>>): Buffer =>
  Buffer.concat(Object.entries(metadata).map(([key, value]) => Buffer.concat([text(key), encode(value)])))

/** Everything before the data: mark, counts, metadata as bytes, tensor list, padding. */
export function ggufHead(
  entries: number,
  metadata: Buffer,
  tensors: readonly {
    readonly name: string
    readonly type: number
    readonly shape: readonly number[]
    readonly offset: number
  }[],
): Buffer {
  const list = tensors.map(({ name, type, shape, offset }) =>
    Buffer.concat([text(name), uint32(shape.length), ...shape.map(uint64), uint32(type), uint64(offset)]),
  )
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(VERSION),
    uint64(tensors.length),
    uint64(entries),
    metadata,
    ...list,
  ])
  return Buffer.concat([head, Buffer.alloc(aligned(head.length) - head.length)])
}

/** `size` rounded up to the alignment of tensors. */
export const aligned = (size: number): number => Math.ceil(size / ALIGNMENT) * ALIGNMENT

function encode(value: GgufValue): Buffer {
  switch (value.kind) {
    case 'int32s':
    case 'float32s': {
      const inner = value.kind === 'int32s' ? 'int32' : 'float32'
      return array(
        TYPES[inner],
        value.value.map((one) => number(inner, one)),
      )
    }
    case 'strings':
      return array(TYPES.string, value.value.map(text))
    case 'string':
      return Buffer.concat([uint32(TYPES.string), text(value.value)])
    case 'bool':
      return Buffer.concat([uint32(TYPES.bool), Buffer.from([value.value ? 1 : 0])])
    default:
      return Buffer.concat([uint32(TYPES[value.kind]), number(value.kind, value.value)])
  }
}

const array = (type: number, items: readonly Buffer[]): Buffer =>
  Buffer.concat([uint32(ARRAY), uint32(type), uint64(items.length), ...items])

function number(kind: 'uint32' | 'int32' | 'float32', value: number): Buffer {
  const bytes = Buffer.alloc(4)
  if (kind === 'uint32') bytes.writeUInt32LE(value)
  else if (kind === 'int32') bytes.writeInt32LE(value)
  else bytes.writeFloatLE(value)
  return bytes
}

const uint32 = (value: number): Buffer => number('uint32', value)

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}
