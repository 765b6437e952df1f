/** Builds small GGUF files byte by byte, for tests of what reads them. */
export interface GgufFixture {
  readonly version?: number
  readonly metadata?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly tensors?: readonly {
    readonly name: string
    readonly shape: readonly number[]
    readonly type: number
  }[]
  /** Bytes of tensor data. Default: what the tensors need as F32. */
  readonly dataBytes?: number
}

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])

export function buildGguf({ version = 3, metadata = {}, tensors = [], dataBytes }: GgufFixture): Buffer {
  const parts = [Buffer.from('GGUF'), u32(version), u64(tensors.length), u64(Object.keys(metadata).length)]
  for (const [key, value] of Object.entries(metadata)) {
    parts.push(text(key))
    if (typeof value === 'string') parts.push(u32(8), text(value))
    else if (typeof value === 'boolean') parts.push(u32(7), Buffer.from([value ? 1 : 0]))
    else if (typeof value === 'number') parts.push(u32(4), u32(value))
    else parts.push(u32(9), u32(8), u64(value.length), ...value.map(text))
  }
  let offset = 0
  for (const { name, shape, type } of tensors) {
    parts.push(text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset))
    offset += shape.reduce((product, size) => product * size, 1) * 4
  }
  const header = Buffer.concat(parts)
  const padding = tensors.length === 0 ? 0 : (32 - (header.length % 32)) % 32
  return Buffer.concat([header, Buffer.alloc(padding + (dataBytes ?? offset))])
}
