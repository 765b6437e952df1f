import { XMLParser } from 'fast-xml-parser'
import { strFromU8, unzipSync } from 'fflate/browser'

const SLIDE = /^ppt\/slides\/slide(\d+)\.xml$/
const NOTES = /^ppt\/notesSlides\/notesSlide(\d+)\.xml$/

type Node = Readonly<Record<string, unknown>>

/** Slide by slide: the paragraphs in their order, tables cell by cell, pictures by their description, then the notes. */
export function readSlides(bytes: Uint8Array): string {
  const parts = unzipSync(bytes, { filter: ({ name }) => SLIDE.test(name) || NOTES.test(name) })
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    trimValues: false,
  })
  const numbered = (pattern: RegExp): Map<number, string[]> =>
    new Map(
      Object.entries(parts).flatMap(([name, content]) => {
        const number = pattern.exec(name)?.[1]
        return number === undefined
          ? []
          : [[Number(number), linesOf(parser.parse(strFromU8(content)) as Node[])]]
      }),
    )
  const notes = numbered(NOTES)
  return [...numbered(SLIDE)]
    .sort(([a], [b]) => a - b)
    .map(([number, lines]) => {
      // A notes page repeats the number of its slide.
      const messages = (notes.get(number) ?? []).filter((line) => line !== String(number))
      return [
        `## Slide ${number}`,
        ...lines,
        ...(messages.length > 0 ? [`Notes: ${messages.join(' ')}`] : []),
      ].join('\n\n')
    })
    .join('\n\n')
}

function linesOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    const [tag] = Object.keys(node).filter((key) => key !== ':@')
    const children = tag === undefined ? undefined : node[tag]
    if (tag === undefined || !Array.isArray(children)) return []
    const inner = children as Node[]
    if (tag === 'a:p') {
      const text = textOf(inner).trim()
      return text === '' ? [] : [text]
    }
    if (tag === 'p:pic') {
      const words = descriptionOf(inner)
      return words === null ? [] : [`[image: ${words}]`]
    }
    return linesOf(inner)
  })
}

const textOf = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (typeof node['#text'] === 'string' || typeof node['#text'] === 'number') return String(node['#text'])
      return Object.entries(node)
        .map(([tag, inner]) => (tag === 'a:br' ? '\n' : Array.isArray(inner) ? textOf(inner as Node[]) : ''))
        .join('')
    })
    .join('')

function descriptionOf(nodes: readonly Node[]): string | null {
  for (const node of nodes) {
    const attributes = node[':@'] as Readonly<Record<string, string>> | undefined
    const words = attributes?.['@descr']?.trim()
    if (words) return words
    for (const inner of Object.values(node)) {
      const matchText = Array.isArray(inner) ? descriptionOf(inner as Node[]) : null
      if (matchText !== null) return matchText
    }
  }
  return null
}
