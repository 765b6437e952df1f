import { parse, stringify } from 'yaml'
import { isRecord } from '../ground/record'

/** A Markdown file: what stands between its first two lines of dashes, and the rest. */
export interface Markdown {
  readonly about: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Largest file that is read as Markdown, in characters. */
const LONGEST_MARKDOWN = 8 * 1024 * 1024
const LONGEST_FRONT = 1024 * 1024

export const writeMarkdown = ({ about, body }: Markdown): string =>
  `---\n${stringify(about, { lineWidth: 0 })}---\n\n${body.trim()}\n`

/** Reads one; a text why it cannot be. A file without front matter is all body. */
export function readMarkdown(inputText: string): Markdown | string {
  const text = inputText.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (!text.startsWith('---\n')) return { about: {}, body: text.trim() }
  const end = text.indexOf('\n---', 3)
  if (end < 0) return 'its front matter does not end'
  if (end > LONGEST_FRONT) return 'its front matter is too long'
  try {
    const about: unknown = parse(text.slice(4, end + 1), { maxAliasCount: 10, prettyErrors: false })
    const rest = text.slice(end + 4)
    const body = rest.slice(rest.indexOf('\n') + 1).trim()
    if (about === null) return { about: {}, body }
    return isRecord(about) ? { about, body } : 'its front matter is no list of names and values'
  } catch (error) {
    return `its front matter is not YAML: ${error instanceof Error ? error.message.split('\n', 1)[0] : ''}`
  }
}

/** A whole text that comes in pieces; null where it is longer than a Markdown file may be. */
export async function wholeText(pieces: AsyncIterable<string>): Promise<string | null> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > LONGEST_MARKDOWN) return null
  }
  return text
}

/** Letters, digits and dashes of a text, in small letters, for the name of a file; `fallback` where nothing is left. */
export const slugOf = (text: string, fallback: string, most = 60): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replace(/^-|-$/g, '') || fallback

/** Gives each name once; the second one of a name gets a number behind it. */
export function uniqueNames(most = 60): (name: string) => string {
  const takenSet = new Set<string>()
  return (name) => {
    let unique = name
    for (let n = 2; takenSet.has(unique); n++) unique = `${name.slice(0, most - 6)}-${n}`
    takenSet.add(unique)
    return unique
  }
}
