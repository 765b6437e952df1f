import { open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/atomic-file'

/** A file as text that is read piece by piece. */
export interface TextFile {
  readonly pieces: AsyncIterable<string>
  /** What was wrong with its bytes, once it is read. */
  problem(): string | null
  /**
   * The whole of it, for formats that are no text, with the file beside it whose name has `beside` more.
   * @throws LoamError `BAD_INPUT` for one that is too large, or that is written meanwhile
   */
  bytes(beside?: string): Promise<WholeFile>
  /** The file of that name in the same folder; null where there is none of at most a mebibyte. Default: it is in no folder. */
  readonly sibling?: (name: string) => Promise<Uint8Array | null>
}

/** A file as a whole, and the one that belongs to it; null where there is none. */
export interface WholeFile {
  readonly bytes: Uint8Array
  readonly beside: Uint8Array | null
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with the bytes read so far and in all. */
  readonly onProgress?: ((doneCount: number, total: number) => void) | undefined
}

const PIECE = 256 * 1024

/**
 * Opens a text file: UTF-8, or UTF-16 where it begins with that mark. Bytes that are no text are read as U+FFFD and told.
 * @throws LoamError `NOT_FOUND` when there is no such file
 */
export async function readTextFile(path: string, options: ReadOptions = {}): Promise<TextFile> {
  const about = await stat(path).catch(() => null)
  if (about?.isFile() !== true) {
    throw new LoamError('NOT_FOUND', `${path} is not a file that can be read.`, {
      suggestion: 'Name a file that is there.',
    })
  }
  let problem: string | null = null
  return {
    pieces: decode(bytesOf(path, about.size, options), (line) => {
      problem ??= `From line ${line} on there are bytes that are no text; they were read as \uFFFD.`
    }),
    problem: () => problem,
    async bytes(ending) {
      const whole = await wholeFile(path, ending === undefined ? null : path + ending)
      options.onProgress?.(about.size, about.size)
      return whole
    },
    async sibling(name) {
      const place = join(dirname(path), name)
      const own = await stat(place).catch(() => null)
      return own?.isFile() === true && own.size <= MOST_BESIDE ? readFile(place) : null
    },
  }
}

const MOST_BESIDE = 1024 * 1024

/** Most bytes of a file that is read as a whole. */
const MOST_BYTES = 1024 * 1024 * 1024

/** Two files as they stand at one moment. */
async function wholeFile(path: string, besidePath: string | null): Promise<WholeFile> {
  const paths = besidePath === null ? [path] : [path, besidePath]
  const stampOf = async () => {
    const stats = await Promise.all(paths.map((each) => stat(each).catch(() => null)))
    if (stats.reduce((sum, about) => sum + (about?.size ?? 0), 0) > MOST_BYTES)
      throw new LoamError('BAD_INPUT', `${path} is larger than ${MOST_BYTES} bytes.`, {
        suggestion: 'Split it into several files.',
      })
    return stats.map((about) => `${about?.size} ${about?.mtimeMs}`).join()
  }
  const stamp = await stampOf()
  const bytes = await readFile(path)
  const beside =
    besidePath === null
      ? null
      : await readFile(besidePath).catch((error: unknown) => {
          if (errnoOf(error) === 'ENOENT') return null
          throw error
        })
  if ((await stampOf()) === stamp) return { bytes, beside }
  throw new LoamError('BAD_INPUT', `${path} is being written.`, {
    suggestion: 'Close the program that writes it, or try again later.',
  })
}

async function* bytesOf(path: string, total: number, options: ReadOptions): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    let doneCount = 0
    for (;;) {
      options.signal?.throwIfAborted()
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(PIECE) })
      if (bytesRead === 0) {
        // A file that was cut while it was read is read to its end all the same.
        if (doneCount < total) options.onProgress?.(total, total)
        return
      }
      yield buffer.subarray(0, bytesRead)
      doneCount += bytesRead
      options.onProgress?.(doneCount, Math.max(doneCount, total))
    }
  } finally {
    await file.close()
  }
}

async function* decode(
  bytes: AsyncIterable<Uint8Array>,
  onBad: (line: number) => void,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let strict: InstanceType<typeof TextDecoder> | null = null
  let line = 1
  const check = (chunk: Uint8Array | undefined, text: string): void => {
    if (!strict) return
    try {
      strict.decode(chunk, { stream: chunk !== undefined })
    } catch {
      strict = null
      onBad(line + linesIn(text.slice(0, Math.max(0, text.indexOf('\uFFFD')))))
    }
  }
  for await (const chunk of bytes) {
    if (!decoder) {
      const encoding = encodingOf(chunk)
      decoder = new TextDecoder(encoding)
      strict = new TextDecoder(encoding, { fatal: true })
    }
    const text = decoder.decode(chunk, { stream: true })
    check(chunk, text)
    line += linesIn(text)
    yield text
  }
  const rest = decoder?.decode() ?? ''
  check(undefined, rest)
  if (rest !== '') yield rest
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** A text that is at hand, as if it were a file. */
export const textInMemory = (text: string): TextFile => ({
  pieces: (async function* () {
    for (let at = 0; at < text.length; at += PIECE) {
      yield text.slice(at, at + PIECE)
      // Others get their turn between two pieces.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })(),
  problem: () => null,
  bytes: () => Promise.resolve({ bytes: Buffer.from(text), beside: null }),
})
