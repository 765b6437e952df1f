import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { LoamError } from '../../shared/errors'

/** A file of an archive that lies packed on the disk. */
export interface SpooledFile {
  /** Its name in the archive. */
  readonly path: string
  /** Unpacked and packed. */
  readonly bytes: number
  readonly packed: number
  readonly sha256: string
  readonly crc: number
  /** Where it lies. */
  readonly place: string
}

/** Pieces shorter than this are put together before they are packed. */
const PIECE = 64 * 1024

/** One file of an archive as it is written, piece by piece; `end` answers what it came to. */
export interface Member {
  write(piece: string | Uint8Array): Promise<void>
  end(): Promise<SpooledFile>
}

/** Packs files into a folder one after the other, so that an archive of any size takes little memory. The folder is the caller's to remove. */
export function openSpool(folder: string) {
  let count = 0
  return {
    /** Begins a file. */
    member(path: string): Member {
      const place = join(folder, String(count++))
      const hash = createHash('sha256')
      const packer = createDeflateRaw({ level: 6 })
      const file = createWriteStream(place)
      const isWritten = finished(packer.pipe(file))
      // Told by whoever writes next.
      isWritten.catch(() => undefined)
      let [bytes, crc, pieceBytes] = [0, 0, 0]
      let pieces: Uint8Array[] = []
      const flush = async (): Promise<void> => {
        const data = Buffer.concat(pieces)
        ;[pieces, pieceBytes] = [[], 0]
        hash.update(data)
        crc = crc32(data, crc)
        bytes += data.length
        if (file.errored) throw file.errored
        if (!packer.write(data)) await Promise.race([once(packer, 'drain'), isWritten])
      }
      return {
        async write(piece) {
          const data = typeof piece === 'string' ? Buffer.from(piece) : piece
          pieces.push(data)
          pieceBytes += data.length
          if (pieceBytes >= PIECE) await flush()
        },
        async end() {
          if (pieceBytes > 0) await flush()
          packer.end()
          await isWritten
          return { path, place, bytes, crc, packed: file.bytesWritten, sha256: hash.digest('hex') }
        },
      }
    },
  }
}

/** Without zip64, as bundles are: no place in an archive lies beyond this. */
const MOST_ARCHIVE_BYTES = 0xffffffff
/** Version 2.0 of the format: packed by deflate. */
const VERSION = 20
const DEFLATE = 8
/** 1 January 1980, the earliest there is: equal memories are equal files. */
const LONG_AGO = 0x0021

/** What stands about a file both before its data and in the list at the end. */
function aboutFile({ path, bytes, packed, crc }: SpooledFile): Buffer {
  const about = Buffer.alloc(26)
  about.writeUInt16LE(VERSION, 0)
  about.writeUInt16LE(DEFLATE, 4)
  about.writeUInt16LE(LONG_AGO, 8)
  about.writeUInt32LE(crc, 10)
  about.writeUInt32LE(packed, 14)
  about.writeUInt32LE(bytes, 18)
  about.writeUInt16LE(Buffer.byteLength(path), 22)
  return about
}

const signature = (value: number): Buffer => {
  const four = Buffer.alloc(4)
  four.writeUInt32LE(value)
  return four
}

/** The files as one zip archive, piece by piece. @throws LoamError `BAD_INPUT` for an archive beyond 4 GiB */
export async function* zipOf(files: readonly SpooledFile[]): AsyncGenerator<Uint8Array> {
  const list: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const name = Buffer.from(file.path)
    const about = aboutFile(file)
    const head = Buffer.concat([signature(0x04034b50), about, name])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    list.push(Buffer.concat([signature(0x02014b50), Buffer.from([VERSION, 0]), about, tail, name]))
    offset += head.length + file.packed
    if (offset > MOST_ARCHIVE_BYTES)
      throw new LoamError('BAD_INPUT', 'The bundle would be larger than 4 GiB.', {
        suggestion: 'Export fewer kinds at a time, or use the format JSON lines.',
      })
    yield head
    for await (const piece of createReadStream(file.place)) yield piece as Buffer
  }
  const end = Buffer.alloc(22)
  const listBytes = list.reduce((sum, { length }) => sum + length, 0)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listBytes, 12)
  end.writeUInt32LE(offset, 16)
  yield* list
  yield end
}
