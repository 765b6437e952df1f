import { closeSync, fstatSync, openSync } from 'node:fs'
import koffi from 'koffi'

/** A file in memory, read by the system page by page as it is touched. Valid until `close`. */
export interface MappedFile {
  readonly address: bigint
  readonly size: number
  close(): void
}

const PROT_READ = 1
const MAP_SHARED = 1
const MAP_FAILED = 0xffffffffffffffffn
const FILE_MAP_READ = 4
const PAGE_READONLY = 2
const GENERIC_READ = 0x80000000
const FILE_SHARE_READ = 1
const OPEN_EXISTING = 3

/** Maps a file read-only; null when this system cannot, so that the caller reads it instead. */
export function mapFile(path: string): MappedFile | null {
  try {
    return process.platform === 'win32' ? mapWindows(path) : mapPosix(path)
  } catch {
    // Network drives and some file systems refuse; reading the file always works.
    return null
  }
}

function mapPosix(path: string): MappedFile | null {
  const libc = koffi.load(process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : 'libc.so.6')
  const mmap = libc.func('mmap', 'void *', ['void *', 'size_t', 'int', 'int', 'int', 'int64_t']) as (
    ...values: [null, number, number, number, number, number]
  ) => bigint | null
  const munmap = libc.func('munmap', 'int', ['void *', 'size_t']) as (address: bigint, size: number) => number
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const address = mmap(null, size, PROT_READ, MAP_SHARED, file, 0)
    if (address === null || BigInt.asUintN(64, address) === MAP_FAILED) return null
    return { address, size, close: () => void munmap(address, size) }
  } finally {
    // The mapping holds the file by itself.
    closeSync(file)
  }
}

function mapWindows(path: string): MappedFile | null {
  const kernel = koffi.load('kernel32.dll')
  const createFile = kernel.func('__stdcall', 'CreateFileW', 'void *', [
    'str16',
    'uint32',
    'uint32',
    'void *',
    'uint32',
    'uint32',
    'void *',
  ]) as (...values: [string, number, number, null, number, number, null]) => bigint | null
  const createMapping = kernel.func('__stdcall', 'CreateFileMappingW', 'void *', [
    'void *',
    'void *',
    'uint32',
    'uint32',
    'uint32',
    'void *',
  ]) as (...values: [bigint, null, number, number, number, null]) => bigint | null
  const mapView = kernel.func('__stdcall', 'MapViewOfFile', 'void *', [
    'void *',
    'uint32',
    'uint32',
    'uint32',
    'size_t',
  ]) as (...values: [bigint, number, number, number, number]) => bigint | null
  const unmapView = kernel.func('__stdcall', 'UnmapViewOfFile', 'int', ['void *']) as (
    address: bigint,
  ) => number
  const closeHandle = kernel.func('__stdcall', 'CloseHandle', 'int', ['void *']) as (handle: bigint) => number
  const descriptor = openSync(path, 'r')
  const { size } = fstatSync(descriptor)
  closeSync(descriptor)
  const file = createFile(path, GENERIC_READ, FILE_SHARE_READ, null, OPEN_EXISTING, 0, null)
  if (file === null || BigInt.asUintN(64, file) === MAP_FAILED) return null
  const mapping = createMapping(file, null, PAGE_READONLY, 0, 0, null)
  const address = mapping === null ? null : mapView(mapping, FILE_MAP_READ, 0, 0, 0)
  // The view holds the mapping and the mapping the file.
  if (mapping !== null) closeHandle(mapping)
  closeHandle(file)
  return address === null ? null : { address, size, close: () => void unmapView(address) }
}
