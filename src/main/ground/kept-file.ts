import { readFile, stat } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { errnoOf, replaceFile } from './atomic-file'
import { noteDamage } from './record-file'
import { rm } from './steady-files'
import { sealed, unsealed } from './sealed'

/** A file of any form is kept twice, as records are. */
const COPY = '.copy'
/** Beside a kept file: what it and its copy have to be. */
const KEPT = '.kept'

/** Bytes whose checksum is made at once. */
const PIECE = 8 << 20

interface Note {
  readonly bytes: number
  readonly crc: number
}

async function noteOf(bytes: Uint8Array): Promise<Note> {
  let crc = 0
  for (let from = 0; from < bytes.length; from += PIECE) {
    if (from > 0) await turn()
    crc = crc32(bytes.subarray(from, from + PIECE), crc)
  }
  return { bytes: bytes.length, crc }
}

/** Keeps a file whose form is its own, such as a person's tasks: all at once, with a copy, and its checksum in a file beside both. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
export async function writeKept(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  await replaceFile(path, bytes)
  await replaceFile(path + COPY, bytes)
  await replaceFile(path + KEPT, `${sealed(await noteOf(bytes))}\n`)
}

/** The kept file that a file is, or that it stands beside; null for one that is none. */
export async function keptOf(path: string): Promise<string | null> {
  const own = path.replace(/\.(?:copy|kept)$/, '')
  const isKept = path.endsWith(KEPT) || (path.endsWith(COPY) && !own.endsWith('.json'))
  return isKept || (await stat(own + KEPT).catch(() => null)) ? own : null
}

type Part = Uint8Array | 'absent' | 'damaged'
type State = {
  readonly own: Part
  readonly copy: Part
  /** The note itself. */
  readonly sum: Note | 'absent' | 'damaged'
}

async function partOf(path: string, sum: State['sum']): Promise<Part> {
  try {
    const bytes = new Uint8Array(await readFile(path))
    if (typeof sum === 'string') return bytes
    const { bytes: length, crc } = bytes.length === sum.bytes ? await noteOf(bytes) : { bytes: -1, crc: 0 }
    return length === sum.bytes && crc === sum.crc ? bytes : 'damaged'
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'absent' : 'damaged'
  }
}

async function sumOf(path: string): Promise<State['sum']> {
  const text = await readFile(path + KEPT, 'utf8').catch((error: unknown) =>
    errnoOf(error) === 'ENOENT' ? null : '',
  )
  try {
    return text === null ? 'absent' : (unsealed(text.trimEnd()) as Note)
  } catch {
    return 'damaged'
  }
}

async function stateOf(path: string): Promise<State> {
  const noted = await sumOf(path)
  const state = { own: await partOf(path, noted), copy: await partOf(path + COPY, noted), sum: noted }
  if (state.own !== 'damaged' || state.copy !== 'damaged') return state
  // Whoever was killed before the checksum was written left two files that are alike and an older checksum, which says nothing. Texts hold
  // no zero bytes: a power cut may leave those in both.
  const own = await partOf(path, 'damaged')
  if (typeof own === 'string' || own.includes(0)) return state
  return { own, copy: await partOf(path + COPY, 'damaged'), sum: 'damaged' }
}

const isSame = (a: Part, b: Part): boolean =>
  typeof a !== 'string' && typeof b !== 'string' && Buffer.compare(a, b) === 0

/**
 * The bytes of a kept file: its copy's where it is not as it was written, which `damageIn` tells; as it stands, and told too, where neither is.
 * A file without a checksum (of an earlier version, or a person's own) is read as it stands. Null: there is none.
 */
export async function readKept(path: string): Promise<Uint8Array | null> {
  const sum = await sumOf(path)
  const own = await partOf(path, sum)
  if (sum === 'absent') return typeof own === 'string' ? null : own
  if (sum !== 'damaged' && typeof own !== 'string') return own
  const state = await stateOf(path)
  if (state.sum === 'damaged' && isSame(state.own, state.copy)) return state.own as Uint8Array
  if (state.sum !== 'damaged' && typeof state.copy !== 'string') {
    noteDamage(
      path,
      `${path} was ${own === 'absent' ? 'missing' : 'damaged'}; its copy is used, and nothing is lost.`,
    )
    return state.copy
  }
  noteDamage(
    path,
    `${path} is not as it was written, and nor is its copy. It is read as it stands; restore it from a backup.`,
  )
  return readFile(path).then(
    (bytes) => new Uint8Array(bytes),
    () => null,
  )
}

/** Removes a kept file and what lies beside it. */
export async function removeKept(path: string): Promise<void> {
  for (const end of [KEPT, COPY, '']) await rm(path + end, { force: true })
}

/** Looks at a kept file with what lies beside it; `repair`: makes again what can be. As `checkRecord`. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
export async function checkKept(path: string, repair: boolean): Promise<'whole' | 'mended' | 'lost'> {
  const { own, copy, sum } = await stateOf(path)
  if (typeof sum === 'string') {
    if (!isSame(own, copy)) return 'lost'
  } else {
    if (typeof own !== 'string' && typeof copy !== 'string') return 'whole'
    if (typeof own === 'string' && typeof copy === 'string') return 'lost'
  }
  if (repair) await writeKept(path, typeof own === 'string' ? (copy as Uint8Array) : own)
  return 'mended'
}
