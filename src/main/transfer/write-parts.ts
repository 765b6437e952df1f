import { lstat, mkdir, open, readdir, readFile, rmdir, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { zipSync } from 'fflate/browser'
import type { Format, FormatPart } from '../../core/formats/format'
import { LoamError } from '../../shared/errors'
import { diskError } from '../ground/atomic-file'
import { rename, rm } from '../ground/steady-files'

/**
 * Writes parts as their format says: a file, a folder, or a section of a file that is there. Beside the target first, so that a cancelled or failed
 * export never leaves half of it under its name.
 * @throws LoamError `CONFLICT` for a file that is there already, unless it may be replaced or gets a section, and for a folder that holds something
 */
export async function writeParts(
  target: string,
  { written, section }: Pick<Format, 'written' | 'section'>,
  parts: AsyncIterable<FormatPart>,
  replace: boolean,
): Promise<void> {
  const partial = `${target}.${process.pid}.tmp`
  await mkdir(dirname(target), { recursive: true })
  if (written === 'folder') await mustBeFree(target)
  else if (!section && !replace) await mustBeAbsent(target)
  try {
    if (written === 'folder') await writeFolder(partial, parts)
    else if (section) await writeSection(target, partial, section, parts)
    else await writeFile(partial, parts)
    if (written === 'folder') await rmdir(target).catch(() => undefined)
    // Another program may have written there meanwhile.
    if (written !== 'folder' && !section && !replace) await mustBeAbsent(target)
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw diskError(error, target)
  }
}

async function mustBeFree(folder: string): Promise<void> {
  const about = await stat(folder).catch(() => null)
  if (about === null) return
  if (about.isDirectory() && (await readdir(folder)).length === 0) return
  throw new LoamError('CONFLICT', `${folder} is there already, and is not empty.`, {
    suggestion: 'Name a folder that is not there yet.',
  })
}

async function mustBeAbsent(path: string): Promise<void> {
  const about = await lstat(path).catch(() => null)
  if (about === null) return
  throw new LoamError('CONFLICT', `${path} is there already.`, {
    suggestion: 'Name another file, or say that it is to be replaced (--replace).',
  })
}

async function writeFile(path: string, parts: AsyncIterable<FormatPart>): Promise<void> {
  const file = await open(path, 'w')
  try {
    for await (const part of parts) await file.write(bytesOf(part))
    await file.sync()
  } finally {
    await file.close()
  }
}

const bytesOf = ({ text, bytes }: FormatPart): Uint8Array => bytes ?? Buffer.from(text)

/** Parts go to the end of the files they name, which may take turns. */
async function writeFolder(folder: string, parts: AsyncIterable<FormatPart>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const current: { path: string; file: FileHandle | null } = { path: '', file: null }
  const getOutcome = async (): Promise<void> => {
    const { file } = current
    current.file = null
    await file?.sync()
    await file?.close()
  }
  try {
    for await (const part of parts) {
      const path = within(folder, part)
      if (current.path !== path) {
        await getOutcome()
        await mkdir(dirname(path), { recursive: true })
        Object.assign(current, { path, file: await open(path, 'a') })
      }
      await current.file?.write(bytesOf(part))
    }
  } finally {
    await getOutcome()
  }
}

/** @throws Error for a part whose name leads elsewhere, which no format gives */
function within(folder: string, { file = '' }: FormatPart): string {
  const path = resolve(join(folder, file))
  if (!path.startsWith(resolve(folder) + sep))
    throw new Error(`"${file}" is no name of a file within a folder.`)
  return path
}

async function writeSection(
  target: string,
  partial: string,
  { begin, end }: NonNullable<Format['section']>,
  parts: AsyncIterable<FormatPart>,
): Promise<void> {
  let text = ''
  for await (const part of parts) text += part.text
  const before = await readFile(target, 'utf8').catch(() => '')
  const section = `${begin}\n${text.trim()}\n${end}\n`
  const from = before.indexOf(begin)
  const to = from < 0 ? -1 : before.indexOf(end, from)
  const keptText = before === '' || before.endsWith('\n') ? before : `${before}\n`
  const whole =
    from < 0 || to < 0
      ? `${keptText}${keptText === '' ? '' : '\n'}${section}`
      : before.slice(0, from) + section + before.slice(to + end.length).replace(/^\r?\n/, '')
  await writeFile(partial, one(whole))
}

async function* one(text: string): AsyncGenerator<FormatPart> {
  yield await Promise.resolve({ text, holds: null })
}

/** Parts in memory: the bytes of a file, or of an archive of a folder's files. */
export async function packParts(
  { written, section }: Pick<Format, 'written' | 'section'>,
  parts: AsyncIterable<FormatPart>,
): Promise<Uint8Array> {
  const files = new Map<string, Uint8Array[]>()
  for await (const part of parts) {
    const name = written === 'folder' ? (part.file ?? '') : ''
    const pieces = files.get(name)
    if (pieces) pieces.push(bytesOf(part))
    else files.set(name, [bytesOf(part)])
  }
  if (written === 'folder')
    return zipSync(Object.fromEntries(Array.from(files, ([name, pieces]) => [name, Buffer.concat(pieces)])))
  const whole = Buffer.concat(files.get('') ?? [])
  return section ? Buffer.from(`${section.begin}\n${whole.toString('utf8').trim()}\n${section.end}\n`) : whole
}
