import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatImage, LanguageModel } from '../../core/ground/chat'
import { WordSearch } from '../../core/retrieval/word-search'
import { openFileTexts, type FileTexts } from '../files/read-file'

/** Part of what a model reads that the texts of files may take, and most tokens of them. */
const PART_OF_CONTEXT = 0.5
const MOST_TOKENS = 8000
/** Characters of a token: rather few, so that texts rather fit. */
const CHARACTERS_PER_TOKEN = 3
/** Characters of a part of a file that does not fit whole. */
const PART_CHARACTERS = 900

type FileContent = Awaited<ReturnType<FileTexts['read']>>

/** What the files of a try say. */
export interface AskFileTexts {
  /** For the model: each file with its text, or with the reason why it was not read; every cut is named. Empty without files. */
  readonly text: string
  /** For people: which files were read, and how far. Empty without files. */
  readonly note: string
  /** For people: what of them was not read. Empty for nothing. */
  readonly unread: string
  /** Pictures, where the model takes them. */
  readonly images: readonly ChatImage[]
}

/** Pictures that models take, by how their files end. */
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
/** Largest picture that is handed over, and how many of them. */
const MOST_PICTURE_BYTES = 10 * 1024 * 1024
const MOST_PICTURES = 8

const SHOWN = 'shown'

const pictureType = (name: string): string | null =>
  PICTURES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? null

/** What is told of the pictures among the files of planned work, whose planner and steps are shown none; empty where there are none. */
export const unseenPictures = (files: readonly string[]): string =>
  files
    .filter((name) => pictureType(name) !== null)
    .map((name) => `${name} not shown, since planned work shows no pictures`)
    .join('; ')

/** Pictures as a model takes them, and what is told of each to model and person. */
async function readPictures(
  folder: string,
  names: readonly string[],
  isSeeing: boolean,
): Promise<{ readonly images: readonly ChatImage[]; readonly notes: ReadonlyMap<string, string> }> {
  const images: ChatImage[] = []
  const notes = new Map<string, string>()
  for (const name of names) {
    const type = pictureType(name)
    if (type === null) continue
    if (!isSeeing) {
      notes.set(name, 'not shown, since this model takes no pictures')
      continue
    }
    const { size } = await stat(join(folder, name))
    if (size > MOST_PICTURE_BYTES) notes.set(name, 'not shown, since it has more than 10 MB')
    else if (images.length >= MOST_PICTURES)
      notes.set(name, `not shown, since ${MOST_PICTURES} pictures are the most`)
    else {
      images.push({ type, data: (await readFile(join(folder, name))).toString('base64') })
      notes.set(name, SHOWN)
    }
  }
  return { images, notes }
}

/** Reads the files in the folder of a try: whole where they fit into the prompt, else the beginning and the parts that share most words with what is asked. */
export async function readAskFiles(
  {
    folder,
    files,
    question,
  }: { readonly folder: string; readonly files: readonly string[]; readonly question: string },
  { contextSize, can }: Pick<LanguageModel, 'contextSize' | 'can'>,
  signal: AbortSignal,
): Promise<AskFileTexts> {
  if (files.length === 0) return { text: '', note: '', unread: '', images: [] }
  const { images, notes } = await readPictures(folder, files, can?.images === true)
  const reader = openFileTexts()
  try {
    const texts: { readonly name: string; readonly content: FileContent }[] = []
    for (const name of files.filter((one) => !notes.has(one))) {
      const path = join(folder, name)
      texts.push({ name, content: await reader.read({ path, name, bytes: (await stat(path)).size }, signal) })
    }
    let room = Math.min(MOST_TOKENS, contextSize * PART_OF_CONTEXT) * CHARACTERS_PER_TOKEN
    const lengthOf = ({ content }: (typeof texts)[number]): number =>
      'text' in content ? content.text.length : 0
    const blocks = new Map<
      string,
      { readonly text: string; readonly note: string; readonly isWhole: boolean }
    >()
    // The shortest first: what they leave is for the longer ones.
    for (const [i, one] of texts.toSorted((a, b) => lengthOf(a) - lengthOf(b)).entries()) {
      const { name, content } = one
      if ('why' in content) {
        blocks.set(name, {
          text: `File ${name} could not be read: ${content.why}.`,
          note: `${name} not read: ${content.why}`,
          isWhole: false,
        })
        continue
      }
      const share = Math.floor(room / (texts.length - i))
      const part = partOf(content.text, share, question)
      room -= part.length
      const whole = content.text.length <= share
      const extent = `${part.length} of ${content.text.length} characters`
      blocks.set(name, {
        text: `File ${name}${whole ? '' : `, in part (${extent}; [...] stands for what is left out)`}:\n${part}`,
        note: `${name} read ${whole ? 'whole' : `in part, ${grouped(part)} of ${grouped(content.text)} characters`}`,
        isWhole: whole,
      })
    }
    for (const [name, note] of notes)
      blocks.set(name, {
        text: `Picture ${name}: ${note}.`,
        note: `${name} ${note}`,
        isWhole: note === SHOWN,
      })
    const inOrder = files.flatMap((name) => blocks.get(name) ?? [])
    return {
      text: inOrder.map(({ text }) => text).join('\n\n'),
      note: inOrder.map(({ note }) => note).join('; '),
      unread: inOrder.flatMap(({ note, isWhole }) => (isWhole ? [] : [note])).join('; '),
      images,
    }
  } finally {
    reader.close()
  }
}

/** How long a text is, as people read it. */
const grouped = (text: string): string => text.length.toLocaleString('en-US')

/** A text in at most about `most` characters: whole, else its beginning and the parts that share most words with a question, in their order. */
function partOf(text: string, most: number, question: string): string {
  if (text.length <= most) return text.trimEnd()
  const parts = Array.from({ length: Math.ceil(text.length / PART_CHARACTERS) }, (_, i) =>
    text.slice(i * PART_CHARACTERS, (i + 1) * PART_CHARACTERS),
  )
  const search = new WordSearch()
  for (const part of parts) search.add(part)
  const ranked = search
    .match(question, parts.length)
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row)
  const order = [...new Set([0, ...ranked, ...parts.keys()])].slice(
    0,
    Math.max(1, Math.floor(most / PART_CHARACTERS)),
  )
  return order
    .sort((a, b) => a - b)
    .map((at, i) => (i > 0 && order[i - 1] !== at - 1 ? `\n[...]\n${parts[at] ?? ''}` : (parts[at] ?? '')))
    .join('')
    .slice(0, most)
}
