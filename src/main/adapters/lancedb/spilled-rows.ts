import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import type { VectorRows } from '../../../core/retrieval/vector-rows'
import type { RowsFile } from './core-file'

/** Rows that are written at once. */
const PER_CHUNK = 256

/**
 * Rows on a file that lasts as long as they are open: the vectors of a large core take no memory while it is made. Where the disk refuses they stay in
 * memory.
 */
export function spilledRows(dimension: number, path: string): RowsFile {
  const descriptor = openSync(path, 'w+')
  // Nobody else needs its name, and a kill leaves nothing.
  rmSync(path, { force: true })
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
    else readSync(descriptor, target, { position: row * target.byteLength })
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
