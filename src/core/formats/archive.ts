import { bySigns, sign, UNRECOGNISED } from '../ground/recognition'
import type { ArchivedFile, Found, ReadContext } from '../memory/experiences/import/log'
import { LoamError } from '../../shared/errors'
import type { Format } from './format'

/** Bytes that a file in it is recognised by, and that it is handed on in. */
const PIECE = 64 * 1024
/** Pictures, recordings and pages that exports of chats come with. */
const NO_LOG = /\.(?:png|jpe?g|gif|webp|heic|svg|wav|mp3|m4a|ogg|mp4|webm|mov|pdf|html?|css|js|dat)$/i
/** Said of a file that a format reads with another one. */
export const OF_SIBLING = 'it is read with the file beside it'
const NO_LOG_WORDS = 'it is a picture, a recording or a page, which are not read'
/** What workbooks and Word files hold, and what the systems that pack archives add. */
const DOCUMENT = /\[Content_Types\]\.xml|mimetypeapplication\//
const OF_SYSTEM = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/

/** Finds the format of a file in an archive by its beginning and its name. @throws LoamError `BAD_INPUT` */
type FormatOf = (head: string, name: string) => Pick<Format, 'read' | 'readBytes' | 'sibling'>

const whyOf = (error: unknown): string =>
  error instanceof LoamError ? error.why : error instanceof Error ? error.message : String(error)

async function* textOf(bytes: Uint8Array): AsyncGenerator<string> {
  await Promise.resolve()
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length; at += PIECE)
    yield decoder.decode(bytes.subarray(at, at + PIECE), { stream: at + PIECE < bytes.length })
}

const folderOf = ({ name }: ArchivedFile): string => name.slice(0, name.lastIndexOf('/') + 1)

/** The files of an archive by their names, and how many lie in each folder. */
interface Listing {
  readonly files: ReadonlyMap<string, ArchivedFile>
  readonly counts: ReadonlyMap<string, number>
}

function listingOf(files: readonly ArchivedFile[]): Listing {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1)
  return { files: new Map(files.map((file) => [file.name, file])), counts }
}

/** Most bytes of a file that is read with each one beside it. */
const MOST_BESIDE = 1024 * 1024

/** What a file in the archive holds that stands in the same folder; null where there is none of such a size. */
function siblingOf(file: ArchivedFile, { files }: Listing, name: string): Uint8Array | null {
  const beside = files.get(`${folderOf(file)}${name}`)
  return beside === undefined || beside.size > MOST_BESIDE ? null : beside.read()
}

async function* foundIn(
  file: ArchivedFile,
  listing: Listing,
  formatOf: FormatOf,
  context: ReadContext,
): AsyncGenerator<Found> {
  const { name } = file
  const rowOf = (why: string): Found => ({ kind: 'left', place: { file: name, line: 1 }, why })
  try {
    const bytes = file.read()
    const { read, readBytes, sibling } = formatOf(new TextDecoder().decode(bytes.subarray(0, PIECE)), name)
    const beside = sibling === undefined ? null : siblingOf(file, listing, sibling)
    const rows = read?.(textOf(bytes), { ...context, beside }) ?? readBytes?.(bytes, context) ?? []
    for await (const one of rows) yield { ...one, place: { file: name, ...one.place } }
  } catch (error) {
    yield rowOf(whyOf(error))
  }
}

/** Why a file of an archive is not read by itself; null where it is. */
function unreadFor(
  file: ArchivedFile,
  { counts }: Listing,
  isSibling: (name: string) => boolean,
): string | null {
  if (NO_LOG.test(file.name)) return NO_LOG_WORDS
  const folder = folderOf(file)
  const isBeside = (counts.get(folder) ?? 0) > 1
  return isBeside && isSibling(file.name.slice(folder.length)) ? OF_SIBLING : null
}

/** An archive of files that Loam reads one by one, such as the exports of ChatGPT and Claude as they are sent. `isSibling`: names of files that formats read with another one. */
export const archiveOf = (formatOf: FormatOf, isSibling: (name: string) => boolean): Format => ({
  id: 'zip',
  title: 'ZIP archive of such files',
  writtenFor: 'exports as ChatGPT and Claude send them, and any archive of files that Loam reads',
  keeps: 'What each file in it keeps by its own format.',
  loses:
    'Files of no format that Loam reads, each with the reason; pictures, recordings and pages; archives in it.',
  recognise: (head, name) =>
    DOCUMENT.test(head) ? UNRECOGNISED : bySigns([sign(0.3, /^PK\u0003\u0004/)])(head, name),
  async *readBytes(bytes, context) {
    try {
      const files = context.unpack?.(bytes).filter(({ name }) => !OF_SYSTEM.test(name))
      if (!files) yield { kind: 'left', place: { line: 1 }, why: 'archives are not read here' }
      const listing = listingOf(files ?? [])
      for (const file of files ?? []) {
        const why = unreadFor(file, listing, isSibling)
        if (why === null) yield* foundIn(file, listing, formatOf, context)
        else yield { kind: 'left', place: { file: file.name, line: 1 }, why }
      }
    } catch (error) {
      yield { kind: 'left', place: { line: 1 }, why: whyOf(error) }
    }
  },
})
