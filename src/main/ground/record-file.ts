import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import { isRecord } from '../../core/ground/record'
import { readIfThere, replaceFile } from './atomic-file'
import { sealedFile, sumMatches } from './sealed'
import { rename, rm } from './steady-files'

/** Records of a data folder are kept twice, so that one damaged file takes nothing with it: the second copy is called so. */
const COPY = '.copy'
/** What was damaged is kept under this name until it is damaged once more. */
const DAMAGED = '.damaged'

/** What was found damaged, in words, by path. */
const words = new Map<string, string>()

/** Tells of something else that a person should know of a folder, under a path in it. */
export const noteDamage = (path: string, word: string): void => void words.set(path, word)

/** What was found damaged in a folder since this process began, in words. */
export const damageIn = (folder: string): string[] =>
  [...words].flatMap(([path, word]) => (path.startsWith(folder) ? [word] : []))

/** What a record is when none of its files can be read: a value to go on with, or nothing, and then reading fails. */
export type Otherwise<T> = { readonly value: T } | { readonly suggestion: string }

type Read<T> =
  | { readonly kind: 'whole'; readonly value: T; readonly text: string; readonly isSealed: boolean }
  | { readonly kind: 'absent' | 'damaged' }

/**
 * A record: JSON with its own checksum (`sum`, CRC-32), in a file and in a copy of it. A damaged file is read from its copy and put right with
 * the next write; a copy that is missing or older than its file is made again at once. What happened is told by `damageIn`. Where there is none, and where both are damaged, it is `otherwise`. A file of an earlier
 * version has neither checksum nor copy and is read as it stands.
 * @throws LoamError `DATA_CORRUPT` when both are damaged and there is nothing to go on with
 */
export async function readRecord<T>(
  path: string,
  schema: z.ZodType<T>,
  otherwise: T,
  afterLoss?: Otherwise<T>,
): Promise<T> {
  const copy = await readOne(path + COPY, schema, true)
  const own = await readOne(path, schema, copy.kind !== 'absent')
  if (own.kind === 'whole') {
    if (own.isSealed && isStale(own.text, copy)) await alone(path, () => renewCopy(path))
    return own.value
  }
  if (copy.kind === 'whole') {
    words.set(
      path,
      `${path} was ${own.kind === 'absent' ? 'missing' : 'damaged'}; its copy is used, and nothing is lost.`,
    )
    return copy.value
  }
  if (own.kind === 'absent' && copy.kind === 'absent') return otherwise
  words.set(path, `${path} is damaged, and so is its copy. It is kept as it is beside the new one.`)
  if (afterLoss === undefined) return otherwise
  if ('value' in afterLoss) return afterLoss.value
  throw new LoamError('DATA_CORRUPT', `${path} is not readable.`, { suggestion: afterLoss.suggestion })
}

/** Records that are being written, by path: one write at a time, so that no copy is older than its file in the end. */
const writes = new Map<string, Promise<unknown>>()

async function alone<T>(path: string, write: () => Promise<T>): Promise<T> {
  const turn = (writes.get(path) ?? Promise.resolve()).then(write, write)
  writes.set(path, turn)
  try {
    return await turn
  } finally {
    if (writes.get(path) === turn) writes.delete(path)
  }
}

/** Whoever was killed between the two files left a copy that is missing or says what was before: it would be taken for the newest once the file is damaged. */
const isStale = (text: string, copy: Read<unknown>): boolean =>
  copy.kind === 'absent' || (copy.kind === 'whole' && copy.text !== text)

/** Looked at once more, since what was being written then is whole by now. */
async function renewCopy(path: string): Promise<void> {
  const copy = await readOne(path + COPY, z.unknown(), true)
  const own = await readOne(path, z.unknown(), true)
  if (own.kind !== 'whole' || !isStale(own.text, copy)) return
  // On a disk that takes nothing the record is still read.
  const { mode } = await stat(path).catch(() => ({ mode: 0o600 }))
  await replaceFile(path + COPY, own.text, mode & 0o777).catch(() => undefined)
}

/** Replaces a record all at once, and its copy after it. Default `mode`: for its owner alone. `isSynced` as in `replaceFile`. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
export const writeRecord = (path: string, value: object, mode = 0o600, isSynced = true): Promise<void> =>
  alone(path, () => writeBoth(path, value, mode, isSynced))

async function writeBoth(path: string, value: object, mode: number, isSynced: boolean): Promise<void> {
  const text = sealedFile(Array.isArray(value) ? { list: value as unknown[] } : value)
  const before = await readOne(
    path,
    z.unknown(),
    (await readOne(path + COPY, z.unknown(), true)).kind !== 'absent',
  )
  if (before.kind === 'damaged') await setAside(path)
  await replaceFile(path, text, mode, isSynced)
  await replaceFile(path + COPY, text, mode, isSynced)
}

/**
 * How a record lies on disk. `whole`: also one whose copy is missing or older, since a copy is written last and removed first: so whoever is killed
 * between the two leaves it. `mended`: one of its files was damaged, or its own missing, and is made again from the other; `lost`: neither can be read.
 */
export type RecordState = 'whole' | 'mended' | 'lost'

/** Looks at a record's two files; `repair`: makes again the one that is damaged, missing or older. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
export async function checkRecord(path: string, repair: boolean): Promise<RecordState> {
  const copy = await readOne(path + COPY, z.unknown(), true)
  const own = await readOne(path, z.unknown(), copy.kind !== 'absent')
  if (own.kind === 'whole' && copy.kind !== 'damaged') {
    if (repair && own.isSealed && isStale(own.text, copy)) await alone(path, () => renewCopy(path))
    return 'whole'
  }
  const whole = own.kind === 'whole' ? own : copy.kind === 'whole' ? copy : null
  if (!whole) return own.kind === 'absent' && copy.kind === 'absent' ? 'whole' : 'lost'
  if (repair) await writeRecord(path, whole.value as object)
  return 'mended'
}

/** The path of the record that a file is, or is the copy of; null for other names. */
export const recordOf = (path: string): string | null =>
  path.endsWith(COPY) ? path.slice(0, -COPY.length) : path.endsWith('.json') ? path : null

/** Whether there is a record, or its copy. */
export const hasRecord = (path: string): boolean => existsSync(path) || existsSync(path + COPY)

/** Moves a record with its copy, whichever of them there is. */
export async function moveRecord(from: string, to: string): Promise<void> {
  for (const end of [COPY, '']) if (existsSync(from + end)) await rename(from + end, to + end)
}

/** Removes a record and its copy. */
export async function removeRecord(path: string): Promise<void> {
  await rm(path + COPY, { force: true })
  await rm(path, { force: true })
}

async function setAside(path: string): Promise<void> {
  await rm(path + DAMAGED, { recursive: true, force: true })
  await rename(path, path + DAMAGED).catch(() => undefined)
}

/** `isSealed`: whether it has to have a checksum. */
async function readOne<T>(path: string, schema: z.ZodType<T>, isSealed: boolean): Promise<Read<T>> {
  try {
    const text = await readIfThere(path)
    if (text === null) return { kind: 'absent' }
    const content: unknown = JSON.parse(text)
    if (!isRecord(content) || !('sum' in content))
      return isSealed
        ? { kind: 'damaged' }
        : { kind: 'whole', value: schema.parse(content), text, isSealed: false }
    const { sum, ...rest } = content
    if (!sumMatches(rest, sum)) return { kind: 'damaged' }
    const isList = Array.isArray(rest['list']) && Object.keys(rest).length === 1
    return { kind: 'whole', value: schema.parse(isList ? rest['list'] : rest), text, isSealed: true }
  } catch {
    // A folder in its place, a file that nobody may read, words that are no JSON: there is nothing to be had from any of them.
    return { kind: 'damaged' }
  }
}
