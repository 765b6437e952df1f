import { readFileSync, writeFileSync } from 'node:fs'
import { readGgufHere } from '../../../src/main/gguf/gguf-header'
import { tensorBytes } from '../../../src/main/gguf/ggml-types'
import { aligned, ggufHead } from '../../../src/main/gguf/gguf-writer'

const u16 = 2
const i32 = 5

function entry(key: string, type: number, value: number): Buffer {
  const bytes = Buffer.from(key)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(bytes.length))
  const kind = Buffer.alloc(4)
  kind.writeUInt32LE(type)
  const data = Buffer.alloc(type === u16 ? 2 : 4)
  if (type === u16) data.writeUInt16LE(value)
  else data.writeInt32LE(value)
  return Buffer.concat([length, bytes, kind, data])
}

/** Splits a GGUF as llama.cpp's gguf-split does, into `count` files `BASE-0000N-of-0000M.gguf`; answers their paths. */
export async function splitGguf(path: string, base: string, count: number): Promise<string[]> {
  const file = readFileSync(path)
  const header = await readGgufHere(path)
  const own = file.subarray(...header.metadataRange)
  const each = Math.ceil(header.tensors.length / count)
  return Array.from({ length: count }, (_, part) => {
    const tensors = header.tensors.slice(part * each, (part + 1) * each)
    const said = [
      entry('split.no', u16, part),
      entry('split.count', u16, count),
      entry('split.tensors.count', i32, header.tensors.length),
    ]
    let offset = 0
    const placed = tensors.map((tensor) => {
      const at = offset
      offset += aligned(tensorBytes(tensor.type, tensor.shape))
      return { ...tensor, offset: at }
    })
    const entries = part === 0 ? header.entries + said.length : said.length
    const head = ggufHead(entries, Buffer.concat(part === 0 ? [own, ...said] : said), placed)
    const data = tensors.map(({ type, shape, offset: from }) => {
      const bytes = tensorBytes(type, shape)
      const start = header.dataOffset + from
      return Buffer.concat([file.subarray(start, start + bytes), Buffer.alloc(aligned(bytes) - bytes)])
    })
    const name = `${base}-${String(part + 1).padStart(5, '0')}-of-${String(count).padStart(5, '0')}.gguf`
    writeFileSync(name, Buffer.concat([head, ...data]))
    return name
  })
}
