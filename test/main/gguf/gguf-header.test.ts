import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { tensorBytes } from '../../../src/main/gguf/ggml-types'
import { readGgufHere } from '../../../src/main/gguf/gguf-header'
import { buildGguf } from '../adapters/llama/gguf-fixture'

describe('the GGUF header', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-gguf-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const read = async (bytes: Buffer) => {
    const path = join(folder, 'model.gguf')
    await writeFile(path, bytes)
    return await readGgufHere(path)
  }
  const good = {
    metadata: {
      'general.architecture': 'llama',
      'llama.context_length': 512,
      'tokenizer.ggml.add_bos_token': true,
      'tokenizer.ggml.tokens': ['a', 'b'],
    },
    tensors: [
      { name: 'w', shape: [4, 8], type: 0 },
      { name: 'b', shape: [8], type: 0 },
    ],
  }

  it('reads what a file says about itself', async () => {
    const { version, tensorCount, metadata } = await read(buildGguf(good))
    expect({ version, tensorCount }).toEqual({ version: 3, tensorCount: 2 })
    expect(Object.fromEntries(metadata)).toEqual({
      'general.architecture': 'llama',
      'llama.context_length': 512,
      'tokenizer.ggml.add_bos_token': true,
    })
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'MODEL_NOT_GGUF'],
    ['another format', Buffer.from('PK\u0003\u0004'.padEnd(400)), 'MODEL_NOT_GGUF'],
    ['an old version', buildGguf({ ...good, version: 1 }), 'MODEL_NOT_GGUF'],
    ['a version from the future', buildGguf({ ...good, version: 99 }), 'MODEL_NOT_GGUF'],
    ['a header cut short', buildGguf(good).subarray(0, 60), 'MODEL_TRUNCATED'],
    ['tensors past the end', buildGguf({ ...good, dataBytes: 100 }), 'MODEL_TRUNCATED'],
    ['only the magic', Buffer.from('GGUF'), 'MODEL_TRUNCATED'],
  ])('refuses %s', async (_, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({ code })
  })

  it('refuses absurd counts without reading on', async () => {
    const bytes = buildGguf(good)
    bytes.writeBigUInt64LE(1n << 60n, 8)
    await expect(read(bytes)).rejects.toMatchObject({ code: 'MODEL_NOT_GGUF' })
  })

  /** The good file, with an axis of its first tensor, its type or its offset as said. */
  const withFirst = (at: 'width' | 'rows' | 'type' | 'offset', value: bigint | number): Buffer => {
    const bytes = buildGguf(good)
    const from = bytes.indexOf(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 'w'.charCodeAt(0)])) + 9 + 4
    if (at === 'type') bytes.writeUInt32LE(Number(value), from + 16)
    else bytes.writeBigUInt64LE(BigInt(value), from + { width: 0, rows: 8, offset: 20 }[at])
    return bytes
  }

  it.each([
    ['an axis of nothing', withFirst('rows', 0)],
    ['a number of values that overflows', withFirst('rows', 1n << 52n)],
    ['an axis below nothing', withFirst('rows', (1n << 64n) - 1n)],
    ['half a block of its type', withFirst('type', 8)],
    ['an offset between two places', withFirst('offset', 4)],
    ['a tensor over another', withFirst('offset', 128)],
    ['five axes', buildGguf({ tensors: [{ name: 'w', shape: [1, 1, 1, 1, 1], type: 0 }] })],
    ['a name twice', buildGguf({ tensors: [good.tensors, good.tensors].flat() })],
    ['an alignment that is no power of two', buildGguf({ ...good, metadata: { 'general.alignment': 96 } })],
  ])('refuses tensors with %s', async (_, bytes) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'MODEL_NOT_GGUF' })
  })

  it('refuses a tensor that ends behind the file, however its end is written', async () => {
    for (const offset of [1n << 20n, 1n << 52n, (1n << 53n) - 32n])
      await expect(read(withFirst('offset', offset))).rejects.toMatchObject({ code: 'MODEL_TRUNCATED' })
  })

  it('accepts, of files with numbers changed, only those whose tensors lie in the file and apart', async () => {
    const whole = buildGguf(good)
    const random = createRng('tensors')
    let accepted = 0
    for (let i = 0; i < 400; i++) {
      const bytes = Buffer.from(whole)
      const edges = [0, 1, 31, 32, 255, 2 ** 31 - 1, 2 ** 32 - 1]
      for (let n = 0; n <= i % 3; n++)
        bytes.writeUInt32LE(edges[random.int(edges.length)] ?? 0, 24 + random.int(whole.length - 320))
      const header = await read(bytes).catch((error: unknown) => {
        expect(error).toMatchObject({ code: expect.stringMatching(/^MODEL_(?:NOT_GGUF|TRUNCATED)$/) })
        return null
      })
      if (!header) continue
      accepted++
      const places = header.tensors
        .map(({ type, shape, offset }) => [offset, offset + tensorBytes(type, shape)] as const)
        .toSorted(([a], [b]) => a - b)
      for (const [n, [from, to]] of places.entries()) {
        expect(header.dataOffset + to).toBeLessThanOrEqual(bytes.length)
        expect(from).toBeGreaterThanOrEqual(places[n - 1]?.[1] ?? 0)
      }
    }
    expect(accepted).toBeGreaterThan(20)
    expect(accepted).toBeLessThan(380)
  })

  it('says when there is no file', async () => {
    await expect(readGgufHere(join(folder, 'none.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
    await expect(readGgufHere(folder)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
  })
})
