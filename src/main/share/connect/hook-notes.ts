import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ToldCause } from '../../../core/recall/told-cause'
import { LoamError } from '../../../shared/errors'
import { readDerived, writeDerived } from '../../ground/derived-file'
import { damageIn } from '../../ground/record-file'
import { errnoOf } from '../../ground/errno'

/** Whose hook it is, as the command of the hook says it; empty for what it does not say. */
export interface HookOwner {
  readonly client: string
  readonly memory: string
  readonly project: string
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Days that it is known what a session was told. */
const REMEMBERED_DAYS = 7

const sha256 = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
const folderOf = (dataPath: string): string => join(dataPath, 'hooks')
const toldFolder = (dataPath: string): string => join(folderOf(dataPath), 'told')
const notePath = (dataPath: string, { client, memory, project }: HookOwner): string =>
  join(folderOf(dataPath), `${client === '' ? 'hook' : client}-${sha256([client, memory, project])}.json`)

async function orNone<T>(work: Promise<T>, none: T): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return none
    throw error
  }
}

const causesSchema = z.array(
  z.object({ id: z.string(), tool: z.string(), words: z.array(z.string()), text: z.string() }),
)

/** What was known to make calls fail when the last session of a program began. @throws LoamError `DATA_CORRUPT` where it is damaged */
export async function readHookNote(dataPath: string, owner: HookOwner): Promise<readonly ToldCause[]> {
  const path = notePath(dataPath, owner)
  const causes = await readDerived(path, causesSchema)
  // A process of one call has nobody to tell of damage but who called it.
  const [damage] = damageIn(path)
  if (causes === null && damage !== undefined)
    throw new LoamError('DATA_CORRUPT', damage, { suggestion: 'The next session writes it again.' })
  return causes ?? []
}

/** Keeps what is known to make calls fail, so that a hook before a call opens no memory; and forgets what sessions of other weeks were told. */
export async function writeHookNote(
  dataPath: string,
  owner: HookOwner,
  causes: readonly ToldCause[],
  now: Date,
): Promise<void> {
  const path = notePath(dataPath, owner)
  if (causes.length === 0) return rm(path, { force: true })
  const marks = toldFolder(dataPath)
  await mkdir(marks, { recursive: true, mode: 0o700 })
  await writeDerived(path, causes)
  for (const name of await readdir(marks)) {
    const file = join(marks, name)
    const { mtimeMs } = await stat(file)
    if (mtimeMs < now.getTime() - REMEMBERED_DAYS * DAY_MS) await rm(file, { force: true })
  }
}

/** Whether a session is told this for the first time; asked once for each, also by calls side by side. */
export async function tellOnce(dataPath: string, session: string, cause: string): Promise<boolean> {
  try {
    await (await open(join(toldFolder(dataPath), sha256([session, cause])), 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Takes away what is kept for a program's hooks. */
export async function removeHookNotes(dataPath: string, client: string): Promise<void> {
  const folder = folderOf(dataPath)
  const notes = (await orNone(readdir(folder), [])).filter((name) => name.endsWith('.json'))
  const own = notes.filter((name) => name.startsWith(`${client}-`))
  for (const name of own) await rm(join(folder, name), { force: true })
  if (own.length === notes.length) await rm(folder, { recursive: true, force: true })
}
