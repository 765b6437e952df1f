import { readRecord, removeRecord, writeRecord } from '../../ground/record-file'
import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { stringify as stringifyToml } from 'smol-toml'
import { z } from 'zod'
import { LoamError } from '../../../shared/errors'
import { nestsTooDeep } from '../../../core/ground/json-check'
import { errnoOf, replaceFile } from '../../ground/atomic-file'
import { readForeignText } from '../../ground/isolate/foreign-text'
import { SERVER_NAME, type ClientFile } from './clients'
import { hasMember, insertItem, insertMember, NotJsonc } from './jsonc'

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
  /** What was put in after that, in this order. */
  more: z.array(z.string()).default([]),
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
  readonly more: readonly string[]
  /** What changes, as a patch. */
  readonly diff: string
  /** Who may read a file that was not there. Default: as the system says. */
  readonly mode?: number
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

/** All that Loam wrote into files and did not take back, by path. @throws LoamError `DATA_CORRUPT` */
export async function allRecords(dataPath: string): Promise<ConnectRecord[]> {
  const folder = join(dataPath, 'connected')
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
  const records: ConnectRecord[] = []
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const path = join(folder, name)
    const record = await readRecord(path, recordSchema.nullable(), null, {
      suggestion: `${path} is damaged. Look into the configurations of your programs yourself.`,
    })
    if (record) records.push(record)
  }
  return records.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const unreadable = (path: string, what: string): LoamError =>
  new LoamError('BAD_INPUT', `${path} is no configuration that Loam can add to: ${what}.`, {
    suggestion: 'Repair it, or write the configuration by hand (docs/share.md). Nothing was changed.',
  })

/** What a file would read like with Loam in it. Changes nothing. @throws LoamError `BAD_INPUT`, `CONFLICT` where it is in it already */
export async function plannedChange({ path, form }: ClientFile): Promise<FileChange> {
  const before = await readBytes(path)
  if (before === null && (await isLink(path))) throw unreadable(path, 'it is a link to what is not there')
  const text = before?.toString('utf8') ?? ''
  if (before !== null && !Buffer.from(text, 'utf8').equals(before)) throw unreadable(path, 'it is not UTF-8')
  const after = await changeOf(path, text, form)
  return {
    ...{ path, before, ...after },
    diff: createTwoFilesPatch(path, path, text, after.text, before ? 'now' : 'not there', 'then', {
      context: 2,
    }),
    // It holds a key.
    ...(form.kind === 'variables' && { mode: 0o600 }),
  }
}

type Change = Pick<FileChange, 'text' | 'piece' | 'more'>

async function changeOf(path: string, text: string, form: ClientFile['form']): Promise<Change> {
  const there = (): LoamError =>
    new LoamError('CONFLICT', `${path} names this server already.`, {
      suggestion: 'Take it back first: loam connect NAME --undo.',
    })
  if (form.kind === 'own') {
    if (text !== '') throw there()
    return { text: form.text, piece: form.text, more: [] }
  }
  if (form.kind === 'variables') return withVariables(text, form.values, there)
  if (form.kind === 'toml') return withTable(path, text, form, there)
  if (nestsTooDeep(text)) throw unreadable(path, 'it nests too deep')
  try {
    const base = text.trim() === '' ? form.empty : text
    if (form.kind === 'lists') return withItems(text, base, form, there)
    if (hasMember(base, form.path)) throw there()
    const insertion = insertMember(base, form.path, form.value)
    if (!hasMember(insertion.text, form.path)) throw unreadable(path, 'nothing can be put into it')
    const { items = [] } = form
    const whole = withItems(insertion.text, insertion.text, { ...form, kind: 'lists', items }, there)
    // A file that was blank is Loam's as a whole.
    if (base !== text) return { text: whole.text, piece: whole.text, more: [] }
    const more = [whole.piece, ...whole.more].filter((piece) => piece !== '')
    return { text: whole.text, piece: insertion.piece, more }
  } catch (error) {
    if (error instanceof NotJsonc || error instanceof SyntaxError) throw unreadable(path, error.message)
    throw error
  }
}

/** Values at the ends of lists, each in its place. */
function withItems(
  text: string,
  base: string,
  { items }: Extract<ClientFile['form'], { kind: 'lists' }>,
  there: () => LoamError,
): Change {
  const pieces: string[] = []
  const result = items.reduce((now, { path, value, mark }) => {
    if (base.includes(JSON.stringify(mark).slice(1, -1))) throw there()
    const insertion = insertItem(now, path, value)
    pieces.push(insertion.piece)
    return insertion.text
  }, base)
  const [piece = '', ...more] = pieces
  // A file that was blank is Loam's as a whole.
  return base === text ? { text: result, piece, more } : { text: result, piece: result, more: [] }
}

/** A table at the end of a TOML file; what stands before it stays as it is. */
async function withTable(
  path: string,
  text: string,
  { table, value }: Extract<ClientFile['form'], { kind: 'toml' }>,
  there: () => LoamError,
): Promise<Change> {
  const readWhole = (input: string): Promise<unknown> =>
    readForeignText(input, path, 'toml').catch((error: unknown) => {
      throw error instanceof LoamError && error.code === 'BAD_INPUT'
        ? unreadable(path, error.why.replace(`${path} is`, 'it is'))
        : error
    })
  let holder: unknown = await readWhole(text)
  for (const name of table)
    holder =
      typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined
  if (holder !== undefined) throw there()
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' ? '' : text.endsWith('\n') ? newline : newline + newline
  const body = `[${table.join('.')}]\n${stringifyToml(value).trimEnd()}\n`.replaceAll('\n', newline)
  const piece = gap + body
  await readWhole(text + piece)
  return { text: text + piece, piece, more: [] }
}

/** Variables at the end of a file of them; of two lines of one name the later one holds. */
function withVariables(
  text: string,
  values: Readonly<Record<string, string>>,
  there: () => LoamError,
): Change {
  const mark = `# ${SERVER_NAME}`
  if (text.includes(mark)) throw there()
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = [mark, ...Object.entries(values).map(([name, value]) => `${name}=${value}`), '']
  const piece = (text === '' || text.endsWith('\n') ? '' : newline) + lines.join(newline)
  return { text: text + piece, piece, more: [] }
}

/** Makes a planned change, and keeps what the file was like before. */
export async function makeChange(
  { path, before, text, piece, more, mode }: FileChange,
  { client, dataPath, now }: { readonly client: string; readonly dataPath: string; readonly now: Date },
): Promise<void> {
  const folders: string[] = []
  for (let folder = dirname(path); !(await isThere(folder)); folder = dirname(folder)) folders.push(folder)
  const record: ConnectRecord = {
    ...{ format: 1, client, path, at: now.toISOString(), piece, more: [...more], folders },
    before: before?.toString('base64') ?? null,
    after: sha256(text),
  }
  const recordFile = recordPath(dataPath, path)
  await mkdir(dirname(recordFile), { recursive: true })
  // Kept first: a file that Loam changed can always be brought back.
  await writeRecord(recordFile, record)
  try {
    await mkdir(dirname(path), { recursive: true })
    await write(path, text, mode)
  } catch (error) {
    const now = await readBytes(path).catch(() => null)
    // Nothing is to be taken back of what was never written.
    if (now === null ? before === null : before?.equals(now) === true) await removeRecord(recordFile)
    throw error
  }
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (about) => about.isSymbolicLink(),
    () => false,
  )

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Writes a file where it lies, also behind a link, for those who may read it now. */
async function write(path: string, content: string | Uint8Array, usual?: number): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const mode = await stat(target).then(
    (about) => about.mode & 0o777,
    () => usual,
  )
  await replaceFile(target, content, mode)
}

/** A text without a piece that stands in it once; null where it does not. */
function cutOut(text: string | null, piece: string): string | null {
  const [head, tail, ...others] = text?.split(piece) ?? []
  return head === undefined || tail === undefined || others.length > 0 ? null : head + tail
}

/**
 * Takes a change back. A file that nobody touched since is what it was before, to the byte; of any other what was put in goes.
 * @throws LoamError `NOT_FOUND` where nothing was changed, `CONFLICT` where what was put in reads differently now
 */
export async function undoChange(path: string, dataPath: string): Promise<'restored' | 'cut-out'> {
  const record = await recordOf(dataPath, path)
  if (!record)
    throw new LoamError('NOT_FOUND', `Loam wrote nothing into ${path}.`, {
      suggestion: 'Run it in the folder where it was connected; for all folders, switch it off in Settings.',
    })
  const now = await readBytes(path)
  const before = record.before === null ? null : Buffer.from(record.before, 'base64')
  const isUntouched = now !== null && sha256(now) === record.after
  if (now !== null && !isUntouched) {
    const rest = [record.piece, ...record.more].reduceRight<string | null>(cutOut, now.toString('utf8'))
    if (rest === null || before === null)
      throw new LoamError('CONFLICT', `${path} was changed since, where Loam had written.`, {
        suggestion: `Take ${record.client}'s entry out by hand. The file as it was is in ${recordPath(dataPath, path)}.`,
      })
    await write(path, rest)
  } else if (before !== null) await write(path, before)
  else await rm(path, { force: true })
  if (before === null) for (const folder of record.folders) await rmdir(folder).catch(() => undefined)
  await removeRecord(recordPath(dataPath, path))
  return now === null || isUntouched ? 'restored' : 'cut-out'
}
