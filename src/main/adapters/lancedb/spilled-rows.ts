import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { VectorRows } from '../../../core/retrieval/vector-rows'
import type { RowsFile } from './core-file'

/** Rows that are written at once. */
const PER_CHUNK = 256

/** A new file without a name, so that a kill leaves nothing; null where the disk refuses one. */
function openNameless(path: string): number | null {
  try {
    const descriptor = openSync(path, 'w+', 0o600)
    try {
      rmSync(path, { force: true })
    } catch {
      // Where an open file keeps its name, it is cleared away with those of a kill.
    }
    return descriptor
  } catch {
    return null
  }
}

/**
 * Rows on a file that lasts as long as they are open: the vectors of a large core take no memory while it is made. Where the disk takes no more they
 * stay in memory; null where it takes no file at all.
 */
export function spilledRows(dimension: number, path: string): RowsFile | null {
  const descriptor = openNameless(path)
  return descriptor === null ? null : rowsOn(descriptor, dimension)
}

function rowsOn(descriptor: number, dimension: number): RowsFile {
  const chunks = new Map<number, Float32Array>()
  const length = PER_CHUNK * dimension
  const numbers = new Float32Array(dimension)
  let size = 0

  function spill(number: number, chunk: Float32Array): void {
    const bytes = new Uint8Array(chunk.buffer)
    try {
      if (writeSync(descriptor, bytes, 0, bytes.length, number * bytes.length) === bytes.length)
        chunks.delete(number)
    } catch {
      // It stays where it is.
    }
  }

  function read(row: number, target: Float32Array): Float32Array {
    const chunk = chunks.get(Math.floor(row / PER_CHUNK))
    const start = (row % PER_CHUNK) * dimension
    if (chunk) target.set(chunk.subarray(start, start + dimension))
    else if (readSync(descriptor, target, { position: row * target.byteLength }) < target.byteLength)
      throw new Error(`Row ${row} of a core that is made is cut.`)
    return target
  }

  const rows: VectorRows = {
    get size() {
      return size
    },
    push(vector) {
      const number = Math.floor(size / PER_CHUNK)
      const chunk = chunks.get(number) ?? new Float32Array(length)
      chunks.set(number, chunk)
      chunk.set(vector, (size++ % PER_CHUNK) * dimension)
      if (size % PER_CHUNK === 0) spill(number, chunk)
    },
    row: (row) => read(row, numbers),
    lasting: (row) => read(row, new Float32Array(dimension)),
  }
  let isOpen = true
  return {
    rows,
    close() {
      if (isOpen) closeSync(descriptor)
      isOpen = false
    },
  }
}
