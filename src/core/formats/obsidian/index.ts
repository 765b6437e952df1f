import { bySigns, sign, UNRECOGNISED } from '../../ground/recognition'
import type { Format } from '../format'
import { readMarkdown, slugOf, uniqueNames, wholeText, writeMarkdown } from '../front-matter'
import { foundOfRow, UNITS, unitsOf, type Unit } from '../units'

const tagOf = (text: string): string => slugOf(text, 'other')

function noteOf({ id, kind, title, text, environment, createdAt, reward, pinned, line }: Unit): string {
  const about = {
    title,
    aliases: [id],
    tags: ['loam', `loam/${tagOf(kind)}`, `environment/${tagOf(environment)}`, ...(pinned ? ['pinned'] : [])],
    kind,
    environment,
    created: createdAt,
    ...(reward !== null && { solved: reward === 1 }),
    loam: JSON.stringify(line),
  }
  return writeMarkdown({ about, body: text })
}

/** The card of a data set begins as a note does. */
const CARD = /^(?:name|configs|pretty_name|dataset_info):/m
const looksLikeNote = bySigns([sign(0.5, /^---\r?\n/, /^(?:tags|aliases|loam|created):/m)])

/** An Obsidian vault: a note per item, in a folder per kind, with properties; links are ids, which are aliases. */
export const obsidian: Format = {
  id: 'obsidian',
  title: 'Obsidian vault (folder of Markdown)',
  writtenFor: 'Obsidian 1: properties as YAML, tags, aliases, and an index of [[links]]',
  ...UNITS,
  written: 'folder',
  recognise: (head, name) => (CARD.test(head) ? UNRECOGNISED : looksLikeNote(head, name)),
  fileName: ({ fileName }) => `${fileName}-vault`,
  async *write(source, options) {
    const unique = uniqueNames(80)
    const index: string[] = []
    let kinds = ''
    for await (const unit of unitsOf(source, options)) {
      const folder = tagOf(unit.kinds)
      const name = unique(slugOf(unit.title, tagOf(unit.id), 70))
      if (unit.kinds !== kinds) index.push('', `## ${unit.kinds}`, '')
      kinds = unit.kinds
      index.push(`- [[${folder}/${name}|${unit.title.replace(/[[\]|]/g, ' ')}]]`)
      yield { text: noteOf(unit), holds: unit.kinds, file: `${folder}/${name}.md` }
    }
    yield { text: `# ${source.name}\n${index.join('\n')}\n`, holds: null, file: 'Index.md' }
  },
  async *read(pieces, context) {
    const place = { line: 1 }
    const text = await wholeText(pieces)
    if (text !== null && text.trim() === '') return
    const file = text === null ? 'it is too long for a note' : readMarkdown(text)
    if (typeof file === 'string') {
      yield { kind: 'left', place, why: file }
      return
    }
    const { loam, title, tags, environment, created } = file.about
    const heading = /^#{1,6} (.{1,200})$/m.exec(file.body)?.[1]
    const foreign = { text: file.body, title: title ?? heading, environment, tags, createdAt: created }
    yield foundOfRow(loam, foreign, place, context)
  },
}
