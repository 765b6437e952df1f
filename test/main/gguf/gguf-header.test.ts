import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

  it('says when there is no file', async () => {
    await expect(readGgufHere(join(folder, 'none.gguf'))).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
    await expect(readGgufHere(folder)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
  })
})
