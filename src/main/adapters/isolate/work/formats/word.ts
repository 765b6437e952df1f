import mammoth from 'mammoth'
import { readHtml } from './html'

/** A Word document as Markdown; pictures leave their alternative text. */
export async function readWord(bytes: Uint8Array): Promise<string> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
  )
  return readHtml(value)
}
