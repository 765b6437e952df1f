import { readRecord, removeRecord, writeRecord } from '../../ground/record-file'
import { createHash } from 'node:crypto'
import { mkdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml'
import { z } from 'zod'
import { LoamError } from '../../../shared/errors'
import { errnoOf, replaceFile } from '../../ground/atomic-file'
import type { ClientFile } from './clients'
import { hasMember, insertMember, NotJsonc } from './jsonc'

/** What Loam wrote into a file, kept in the data folder until it is taken back. */
const recordSchema = z.object({
  format: z.literal(1),
  client: z.string(),
  path: z.string(),
  at: z.string(),
  /** The file as it was, in base64; null where there was none. */
  before: z.string().nullable(),
  /** SHA-256 of the file as Loam left it. */
  after: z.string(),
  /** What was put in. */
  piece: z.string(),
  /** Folders that were made for it, the deepest first. */
  folders: z.array(z.string()),
})
export type ConnectRecord = z.infer<typeof recordSchema>

/** A change of a file that was not made yet. */
export interface FileChange {
  readonly path: string
  readonly before: Buffer | null
  readonly text: string
  readonly piece: string
  /** What changes, as a patch. */
  readonly diff: string
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const readBytes = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw new LoamError('BAD_INPUT', `${path} cannot be read.`, {
      suggestion: 'Say who may read it, or write the configuration by hand (docs/share.md).',
      underlying: error,
    })
  }
}

/** Where the record of a file lies. */
const recordPath = (dataPath: string, path: string): string =>
  join(dataPath, 'connected', `${sha256(path).slice(0, 20)}.json`)

/** What Loam wrote into a file; null for nothing. @throws LoamError `DATA_CORRUPT` */
export const recordOf = (dataPath: string, path: string): Promise<ConnectRecord | null> =>
  readRecord(recordPath(dataPath, path), recordSchema.nullable(), null, {
    suggestion: `Look at ${path} yourself; the record beside it is damaged.`,
  })

const unreadable = (path: string, what: string): LoamError =>
  new LoamError('BAD_INPUT', `${path} is no configuration that Loam can add to: ${what}.`, {
    suggestion: 'Repair it, or write the configuration by hand (docs/share.md). Nothing was changed.',
  })

/** What a file would read like with Loam in it. Changes nothing. @throws LoamError `BAD_INPUT`, `CONFLICT` where it is in it already */
export async function plannedChange({ path, form }: ClientFile): Promise<FileChange> {
  const before = await readBytes(path)
  const text = before?.toString('utf8') ?? ''
  if (before !== null && !Buffer.from(text, 'utf8').equals(before)) throw unreadable(path, 'it is not UTF-8')
  const after = changeOf(path, text, form)
  return {
    ...{ path, before, ...after },
    diff: createTwoFilesPatch(path, path, text, after.text, before ? 'now' : 'not there', 'then', {
      context: 2,
    }),
  }
}

function changeOf(path: string, text: string, form: ClientFile['form']): { text: string; piece: string } {
  const there = (): LoamError =>
    new LoamError('CONFLICT', `${path} names this server already.`, {
      suggestion: 'Take it back first: loam connect NAME --undo.',
    })
  if (form.kind === 'own') {
    if (text !== '') throw there()
    return { text: form.text, piece: form.text }
  }
  if (form.kind === 'toml') return withTable(path, text, form, there)
  try {
    const base = text.trim() === '' ? form.empty : text
    if (hasMember(base, form.path)) throw there()
    const insertion = insertMember(base, form.path, form.value)
    if (!hasMember(insertion.text, form.path)) throw unreadable(path, 'nothing can be put into it')
    return { text: insertion.text, piece: base === text ? insertion.piece : insertion.text }
  } catch (error) {
    if (error instanceof NotJsonc || error instanceof SyntaxError) throw unreadable(path, error.message)
    throw error
  }
}

/** A table at the end of a TOML file; what stands before it stays as it is. */
function withTable(
  path: string,
  text: string,
  { table, value }: Extract<ClientFile['form'], { kind: 'toml' }>,
  there: () => LoamError,
): { text: string; piece: string } {
  const parsed = (input: string): unknown => {
    try {
      return parseToml(input)
    } catch (error) {
      throw unreadable(
        path,
        error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it cannot be read',
      )
    }
  }
  let holder: unknown = parsed(text)
  for (const name of table)
    holder =
      typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
  if (holder !== undefined) throw there()
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline
  const body = `[${table.join('.')}]\n${stringifyToml(value).trimEnd()}\n`.replaceAll('\n', newline)
  const piece = gap + body
  parsed(text + piece)
  return { text: text + piece, piece }
}

/** Makes a planned change, and keeps what the file was like before. */
export async function makeChange(
  { path, before, text, piece }: FileChange,
  { client, dataPath, now }: { readonly client: string; readonly dataPath: string; readonly now: Date },
): Promise<void> {
  const folders: string[] = []
  for (let folder = dirname(path); !(await isThere(folder)); folder = dirname(folder)) folders.push(folder)
  const record: ConnectRecord = {
    ...{ format: 1, client, path, at: now.toISOString(), piece, folders },
    before: before?.toString('base64') ?? null,
    after: sha256(text),
  }
  const recordFile = recordPath(dataPath, path)
  await mkdir(dirname(recordFile), { recursive: true })
  // Kept first: a file that Loam changed can always be brought back.
  await writeRecord(recordFile, record)
  await mkdir(dirname(path), { recursive: true })
  await write(path, text)
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes a file where it lies, also behind a link, for those who may read it now. */
async function write(path: string, content: string | Uint8Array): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const mode = await stat(target).then(
    (about) => about.mode & 0o777,
    () => undefined,
  )
  await replaceFile(target, content, mode)
}

/**
 * Takes a change back. A file that nobody touched since is what it was before, to the byte; of any other what was put in goes.
 * @throws LoamError `NOT_FOUND` where nothing was changed, `CONFLICT` where what was put in reads differently now
 */
export async function undoChange(path: string, dataPath: string): Promise<'restored' | 'cut-out'> {
  const record = await recordOf(dataPath, path)
  if (!record)
    throw new LoamError('NOT_FOUND', `Loam wrote nothing into ${path}.`, {
      suggestion: 'Run it in the folder where it was connected.',
    })
  const now = await readBytes(path)
  const before = record.before === null ? null : Buffer.from(record.before, 'base64')
  const isUntouched = now !== null && sha256(now) === record.after
  if (now !== null && !isUntouched) {
    const [head, tail, ...more] = now.toString('utf8').split(record.piece)
    if (head === undefined || tail === undefined || more.length > 0 || before === null)
      throw new LoamError('CONFLICT', `${path} was changed since, where Loam had written.`, {
        suggestion: `Take ${record.client}'s entry out by hand. The file as it was is in ${recordPath(dataPath, path)}.`,
      })
    await write(path, head + tail)
  } else if (before !== null) await write(path, before)
  else await rm(path, { force: true })
  if (before === null) for (const folder of record.folders) await rmdir(folder).catch(() => undefined)
  await removeRecord(recordPath(dataPath, path))
  return now === null || isUntouched ? 'restored' : 'cut-out'
}
