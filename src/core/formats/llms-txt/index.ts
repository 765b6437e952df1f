import type { Format } from '../format'
import { slugOf, uniqueNames } from '../front-matter'
import { OWN_FILES_WORDS } from '../../memory/kind-words'
import { firstLine, unitsOf } from '../units'

/** A folder that a web server can serve: llms.txt names every file, llms-full.txt holds them all. */
export const llmsTxt: Format = {
  id: 'llms-txt',
  title: 'llms.txt (folder of Markdown)',
  writtenFor: 'the llms.txt proposal of September 2024: a title, a summary, and sections of links',
  keeps: `The text of every live item, a Markdown file each, and all of them in llms-full.txt. ${OWN_FILES_WORDS}`,
  loses:
    'Attempts, rubrics, soft prompts, and what is deleted; of the items all but title and text. It is not read back.',
  written: 'folder',
  fileName: ({ fileName }) => `${fileName}-llms-txt`,
  async *write(source, options) {
    const unique = uniqueNames(80)
    const title = `# ${firstLine(source.name)}\n\n> What agents learned by doing: cases, lessons and documents of the memory "${firstLine(source.name)}".\n`
    yield { text: title, holds: null, file: 'llms.txt' }
    yield { text: title, holds: null, file: 'llms-full.txt' }
    let kinds = ''
    for await (const unit of unitsOf(source, options)) {
      const folder = slugOf(unit.kinds, 'items')
      const file = `${folder}/${unique(slugOf(unit.title, slugOf(unit.id, 'item'), 70))}.md`
      const words = unit.title.replace(/[[\]()]/g, ' ').trim()
      if (unit.kinds !== kinds)
        yield { text: `\n## ${headingOf(unit.kinds)}\n\n`, holds: null, file: 'llms.txt' }
      kinds = unit.kinds
      yield { text: `- [${words}](${file}): ${unit.environment}\n`, holds: unit.kinds, file: 'llms.txt' }
      yield { text: `\n## ${words}\n\n${unit.text.trim()}\n`, holds: null, file: 'llms-full.txt' }
      yield { text: `# ${words}\n\n${unit.text.trim()}\n`, holds: null, file }
    }
  },
}

const headingOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
