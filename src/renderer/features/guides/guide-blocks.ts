import type { Sentence } from '../../../shared/domain/guide'

/** A piece of a line; `sentence` is its place in the list that was passed, null for what belongs to none. */
export interface BlockPart {
  readonly text: string
  readonly sentence: number | null
}

/** What a line of Markdown is. Several lines of code are one block. */
export interface Block {
  readonly kind: 'paragraph' | 'heading' | 'item' | 'code'
  /** The number or sign before a list item. */
  readonly mark: string | null
  readonly parts: readonly BlockPart[]
}

interface Range {
  readonly from: number
  readonly to: number
  readonly sentence: number | null
}

/**
 * Lays a section's Markdown out by its sentences, so that each can be asked where it comes from. Understood are fenced code, headings,
 * lists and paragraphs; everything else stays as it was written. Nothing is ever turned into HTML.
 * @param sentences those of the section, in their order
 */
export function layoutSection(text: string, sentences: readonly Pick<Sentence, 'text'>[]): Block[] {
  const ranges: Range[] = []
  let cursor = 0
  for (const [sentence, { text: message }] of sentences.entries()) {
    const from = text.indexOf(message, cursor)
    if (from < 0) continue
    cursor = from + message.length
    ranges.push({ from, to: cursor, sentence })
  }
  const blocks: Block[] = []
  for (const [line, at] of linesOf(text)) {
    if (line.trim() === '') continue
    if (line.startsWith('```')) {
      const body = line.replace(/^```[^\n]*\n?/, '').replace(/\n?```$/, '')
      const sentence = ranges.find(({ from, to }) => from <= at && at < to)?.sentence ?? null
      blocks.push({ kind: 'code', mark: null, parts: [{ text: body, sentence }] })
      continue
    }
    const [lead = '', heading, mark] = /^\s*(?:(#{1,6})\s+|([-*•]|\d+[.)])\s+)?/.exec(line) ?? []
    const kind = heading !== undefined ? 'heading' : mark !== undefined ? 'item' : 'paragraph'
    const parts = partsOf(text, at + lead.length, at + line.trimEnd().length, ranges)
    blocks.push({ kind, mark: mark === undefined ? null : /\d/.test(mark) ? mark : '•', parts })
  }
  return blocks
}

/** Lines and fenced code, with where they begin. */
function* linesOf(text: string): Generator<[string, number]> {
  for (const match of text.matchAll(/```[\s\S]*?```|[^\n]+/g)) yield [match[0], match.index]
}

function partsOf(text: string, from: number, to: number, ranges: readonly Range[]): BlockPart[] {
  const parts: BlockPart[] = []
  let at = from
  for (const range of ranges) {
    const begin = Math.max(range.from, at)
    const end = Math.min(range.to, to)
    if (end <= begin) continue
    if (begin > at) parts.push({ text: text.slice(at, begin), sentence: null })
    parts.push({ text: text.slice(begin, end), sentence: range.sentence })
    at = end
  }
  if (at < to) parts.push({ text: text.slice(at, to), sentence: null })
  return parts
}

/** A run of text within a line. */
export interface Inline {
  readonly kind: 'plain' | 'code' | 'strong' | 'emphasis'
  readonly text: string
}

const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g

/** Splits a line at inline code, strong and emphasised words. */
export function inlines(text: string): Inline[] {
  const foundInlines: Inline[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) foundInlines.push({ kind: 'plain', text: text.slice(at, match.index) })
    const [whole, code, strong, emphasis] = match
    if (code !== undefined) foundInlines.push({ kind: 'code', text: code })
    else if (strong !== undefined) foundInlines.push({ kind: 'strong', text: strong })
    else foundInlines.push({ kind: 'emphasis', text: emphasis ?? '' })
    at = match.index + whole.length
  }
  if (at < text.length) foundInlines.push({ kind: 'plain', text: text.slice(at) })
  return foundInlines
}
