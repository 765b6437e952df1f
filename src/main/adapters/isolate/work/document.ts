import type { Work } from '../../../ground/isolate/protocol'
import { readHtml } from './formats/html'
import { isPlain, readPlain } from './formats/plain'
import { readSlides } from './formats/slides'
import { readJson, readXml } from './formats/structured'
import { readTable } from './formats/table'
import { checkArchive, listArchive, readMember, unpackedArchive } from './formats/zip'

export interface DocumentRequest {
  /** The file's name; its ending says what it is. */
  readonly name: string
  readonly bytes: Uint8Array
  /** A file inside an archive; null for the file itself. */
  readonly inner: string | null
}

const IMAGES = /\.(png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i
const SOUNDS = /\.(mp3|wav|m4a|ogg|flac|aac|mp4|mov|mkv|webm|avi)$/i

/** A file's content as Markdown. */
export function openDocuments(): Work<DocumentRequest, string> {
  return async ({ name, bytes, inner }) => {
    if (inner === null) return toMarkdown(name, bytes)
    const member = readMember(bytes, inner)
    return toMarkdown(inner, member)
  }
}

/** The larger libraries are loaded when the first file of their kind comes. */
async function toMarkdown(name: string, bytes: Uint8Array): Promise<string> {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  switch (ending) {
    case 'pdf':
      return (await import('./formats/pdf')).readPdf(bytes)
    case 'docx':
      return (await import('./formats/word')).readWord(unpackedArchive(bytes))
    case 'xlsx':
    case 'xlsm':
    case 'ods':
      return (await import('./formats/sheets')).readSheets(unpackedArchive(bytes))
    case 'xls':
      return (await import('./formats/sheets')).readSheets(bytes)
    case 'pptx':
      checkArchive(bytes)
      return readSlides(bytes)
    case 'zip':
      return listArchive(bytes)
    case 'csv':
    case 'tsv':
      return readTable(readPlain(bytes, name))
    case 'json':
      return readJson(readPlain(bytes, name))
    case 'xml':
    case 'rss':
    case 'atom':
      return readXml(readPlain(bytes, name))
    case 'html':
    case 'htm':
      return readHtml(readPlain(bytes, name))
    default:
      if (IMAGES.test(name)) throw new Error(`${name} is an image; "describe_image" is the tool for it.`)
      if (SOUNDS.test(name)) throw new Error(`${name} is a recording; "transcribe_audio" is the tool for it.`)
      if (!isPlain(bytes)) throw new Error(`${name} is a kind of file that cannot be read as text.`)
      return readPlain(bytes, name)
  }
}
