import { open, type FileHandle } from 'node:fs/promises'
import { LoamError } from '../../shared/errors'
import { refuseSpecialFile } from '../ground/plain-file'
import { isInBlocks, tensorBytes } from './ggml-types'

export type GgufScalar = string | number | boolean

/** What a GGUF says about itself before its weights. */
export interface GgufHeader {
  readonly version: number
  readonly sizeBytes: number
  readonly tensorCount: number
  /** Scalars and strings; arrays are left out (vocabularies are large). */
  readonly metadata: ReadonlyMap<string, GgufScalar>
  /** The arrays that were asked for, as far as the file has them. */
  readonly arrays: ReadonlyMap<string, readonly GgufScalar[]>
  readonly tensors: readonly GgufTensor[]
  /** Where the tensors' data begins in the file. */
  readonly dataOffset: number
  /** Bytes to which each tensor's data is aligned. */
  readonly alignment: number
  /** Number of metadata entries, and where they begin and end in the file. */
  readonly entries: number
  readonly metadataRange: readonly [from: number, to: number]
}

export interface GgufTensor {
  readonly name: string
  /** ggml's type number. */
  readonly type: number
  /** ne, fastest axis first. */
  readonly shape: readonly number[]
  /** Bytes from `dataOffset`. */
  readonly offset: number
}

const MAGIC = 'GGUF'
const WINDOW = 1 << 20
const MOST_ENTRIES = 1_000_000
const LONGEST_STRING = 1 << 26
/** Characters of all that is kept of the metadata; models have some ten thousand. */
const MOST_TEXT = 1 << 24
/** As many as ggml has. */
const MOST_AXES = 4
const STRING = 8
const ARRAY = 9
/** Bytes of each scalar type; 8 and 9 have no fixed size. */
const SCALAR_BYTES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}

/** A file that is read piece by piece, wherever it is. */
export interface GgufBytes {
  /** For words about it. */
  readonly path: string
  readonly sizeBytes: number
  /** Bytes from `at` on: as many as are asked for, or what there is. */
  read(at: number, length: number): Promise<Uint8Array>
}

/**
 * Reads a GGUF's header in this process, which has to be one that can be lost (the engine's, the trainer's); the host uses `readGgufHeader`. Checks that every tensor lies inside the file, over no other, and has a shape that can be. `arrays` names the arrays to keep.
 * Throws `MODEL_NOT_FOUND`, `MODEL_NOT_GGUF` or `MODEL_TRUNCATED`; never touches the weights.
 */
export const readGgufHere = (path: string, arrays: readonly string[] = []): Promise<GgufHeader> =>
  withGguf(path, (bytes) => parseGguf(bytes, arrays))

/** Opens a GGUF for as long as `work` reads it. @throws LoamError `MODEL_NOT_FOUND` */
export async function withGguf<T>(path: string, work: (bytes: GgufBytes) => Promise<T>): Promise<T> {
  await refuseSpecialFile(path, 'MODEL_NOT_FOUND')
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    throw notFound(path, error)
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw notFound(path)
    return await work({
      path,
      sizeBytes: stat.size,
      async read(at, length) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
        return buffer.subarray(0, bytesRead)
      },
    })
  } finally {
    await file.close()
  }
}

/** What the bytes of a GGUF say. @throws LoamError `MODEL_NOT_GGUF`, `MODEL_TRUNCATED` */
export async function parseGguf(bytes: GgufBytes, targets: readonly string[]): Promise<GgufHeader> {
  const { path, sizeBytes } = bytes
  const cursor = new Cursor(bytes)
  if (sizeBytes < 4 || (await cursor.bytes(4)).toString('latin1') !== MAGIC)
    throw notGguf(path, 'it does not begin with the GGUF mark')
  const version = await cursor.uint32()
  if (version < 2 || version > 3)
    throw notGguf(path, `its format version ${version} is not one Loam reads (2 or 3)`)
  const tensorCount = await cursor.count('tensors')
  const entries = await cursor.count('metadata entries')
  const metadata = new Map<string, GgufScalar>()
  const arrays = new Map<string, GgufScalar[]>()
  const metadataFrom = cursor.at
  let length = 0
  for (let i = 0; i < entries; i++) {
    const key = await cursor.string()
    const value = await readValue(cursor, await cursor.uint32(), targets.includes(key))
    length += key.length + (typeof value === 'string' ? value.length : 0)
    if (length > MOST_TEXT) throw notGguf(path, `its metadata holds more than ${MOST_TEXT} characters`)
    if (arrays.has(key) || metadata.has(key)) throw notGguf(path, `it says ${quoted(key)} twice`)
    if (Array.isArray(value)) arrays.set(key, value)
    else if (value !== null) metadata.set(key, value)
  }
  const metadataRange = [metadataFrom, cursor.at] as const
  const tensors: GgufTensor[] = []
  for (let i = 0; i < tensorCount; i++) tensors.push(await readTensor(cursor, path))
  const alignment = Number(metadata.get('general.alignment') ?? 32)
  if (!isPowerOfTwo(alignment)) throw notGguf(path, `its alignment is ${alignment}`)
  const end = endOfTensors(tensors, alignment, path)
  const dataOffset = Math.ceil(cursor.at / alignment) * alignment
  const neededCount = tensorCount === 0 ? cursor.at : dataOffset + end
  if (neededCount > sizeBytes) throw truncated(path, sizeBytes, neededCount)
  return {
    version,
    sizeBytes,
    tensorCount,
    metadata,
    arrays,
    tensors,
    dataOffset,
    alignment,
    entries,
    metadataRange,
  }
}

/** A text of the file in words about it. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 64))

const isPowerOfTwo = (size: number): boolean =>
  size >= 1 && size <= 1 << 30 && Number.isInteger(Math.log2(size))

/** @throws LoamError `MODEL_NOT_GGUF` for a shape that cannot be: the engine divides and multiplies by it */
async function readTensor(cursor: Cursor, path: string): Promise<GgufTensor> {
  const name = await cursor.string()
  const rank = await cursor.uint32()
  if (rank > MOST_AXES) throw notGguf(path, `its tensor ${quoted(name)} has ${rank} dimensions`)
  const shape: number[] = []
  for (let axis = 0; axis < rank; axis++) shape.push(await cursor.uint64())
  const type = await cursor.uint32()
  const offset = await cursor.uint64()
  const values = shape.reduce((product, size) => product * size, 1)
  if (!(values >= 1 && values <= Number.MAX_SAFE_INTEGER))
    throw notGguf(path, `its tensor ${quoted(name)} has the shape ${shape.join(' × ')}`)
  if (!isInBlocks(type, shape))
    throw notGguf(path, `its tensor ${quoted(name)} is no whole number of blocks of its type`)
  return { name, type, shape, offset }
}

/** Bytes from the beginning of the data to the end of the last tensor. @throws LoamError `MODEL_NOT_GGUF` where two lie in the same place or have one name */
function endOfTensors(tensors: readonly GgufTensor[], alignment: number, path: string): number {
  const names = new Set<string>()
  let end = 0
  for (const { name, type, shape, offset } of tensors.toSorted((a, b) => a.offset - b.offset)) {
    if (names.has(name)) throw notGguf(path, `it has two tensors ${quoted(name)}`)
    names.add(name)
    if (offset % alignment !== 0)
      throw notGguf(path, `its tensor ${quoted(name)} does not begin at a multiple of ${alignment} bytes`)
    if (offset < end) throw notGguf(path, `its tensor ${quoted(name)} lies over another one`)
    end = offset + tensorBytes(type, shape)
  }
  return end
}

async function readValue(
  cursor: Cursor,
  type: number,
  keepArray = false,
): Promise<GgufScalar | GgufScalar[] | null> {
  if (type === STRING) return await cursor.string()
  if (type === ARRAY) {
    const inner = await cursor.uint32()
    if (inner === ARRAY) throw notGguf(cursor.path, 'it holds lists of lists')
    const length = await cursor.uint64()
    const size = SCALAR_BYTES[inner]
    if (keepArray) {
      const values: GgufScalar[] = []
      for (let i = 0; i < length; i++)
        values.push(inner === STRING ? await cursor.string() : await cursor.scalar(inner))
      return values
    }
    if (size !== undefined) await cursor.skip(size * length)
    else for (let i = 0; i < length; i++) await readValue(cursor, inner)
    return null
  }
  return await cursor.scalar(type)
}

/** Reads forward through a file in large steps. */
class Cursor {
  at = 0
  readonly #file: GgufBytes
  readonly path: string
  readonly #size: number
  #window: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: GgufBytes) {
    this.#file = file
    this.path = file.path
    this.#size = file.sizeBytes
  }

  async bytes(length: number): Promise<Buffer> {
    if (this.at + length > this.#size) throw truncated(this.path, this.#size, this.at + length)
    if (this.at < this.#start || this.at + length > this.#start + this.#window.length) {
      const want = Math.min(Math.max(WINDOW, length), this.#size - this.at)
      const piece = await this.#file.read(this.at, want)
      if (piece.length < length) throw truncated(this.path, this.at + piece.length, this.at + length)
      this.#window = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
      this.#start = this.at
    }
    const from = this.at - this.#start
    this.at += length
    return this.#window.subarray(from, from + length)
  }

  async skip(length: number): Promise<void> {
    if (this.at + length > this.#size) throw truncated(this.path, this.#size, this.at + length)
    this.at += length
  }

  async uint32(): Promise<number> {
    return (await this.bytes(4)).readUInt32LE(0)
  }

  async uint64(): Promise<number> {
    const value = (await this.bytes(8)).readBigUInt64LE(0)
    if (value > BigInt(Number.MAX_SAFE_INTEGER))
      throw notGguf(this.path, `it names an impossible size ${value}`)
    return Number(value)
  }

  async count(what: string): Promise<number> {
    const value = await this.uint64()
    if (value > MOST_ENTRIES) throw notGguf(this.path, `it claims ${value} ${what}`)
    return value
  }

  async string(): Promise<string> {
    const length = await this.uint64()
    if (length > LONGEST_STRING) throw notGguf(this.path, `it claims a text of ${length} bytes`)
    return (await this.bytes(length)).toString('utf8')
  }

  async scalar(type: number): Promise<GgufScalar> {
    const size = SCALAR_BYTES[type]
    if (size === undefined) throw notGguf(this.path, `it holds a value of unknown type ${type}`)
    const bytes = await this.bytes(size)
    if (type === 7) return bytes[0] !== 0
    if (type === 6) return bytes.readFloatLE(0)
    if (type === 12) return bytes.readDoubleLE(0)
    if (type === 10) return Number(bytes.readBigUInt64LE(0))
    if (type === 11) return Number(bytes.readBigInt64LE(0))
    return type % 2 === 0 ? bytes.readUIntLE(0, size) : bytes.readIntLE(0, size)
  }
}

const notFound = (path: string, underlying?: unknown) =>
  new LoamError('MODEL_NOT_FOUND', `There is no readable file at ${path}.`, {
    suggestion: 'Pick the model again, or put the file back.',
    underlying,
  })

const notGguf = (path: string, why: string) =>
  new LoamError('MODEL_NOT_GGUF', `${path} cannot be used: ${why}.`, {
    suggestion: 'Pick a .gguf file; other formats have to be converted first.',
  })

const truncated = (path: string, has: number, needs: number) =>
  new LoamError('MODEL_TRUNCATED', `${path} has ${has} bytes but needs at least ${needs}.`, {
    suggestion: 'Download or copy the file again.',
  })
