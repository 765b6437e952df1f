import type { Fact } from '../../memory/facts/fact'
import { facts } from '../../memory/facts/kind'
import { lessons } from '../../memory/lessons/kind'
import type { Lesson } from '../../memory/lessons/lesson'
import { workflows } from '../../memory/workflows/kind'
import type { Workflow } from '../../memory/workflows/workflow'
import { documents } from '../../memory/guides/kind'
import type { MemoryKindModule } from '../../memory/items/kind'
import type { Format } from '../format'
import { firstLine, leavingHeads } from '../units'

const nameOf = ({ info }: MemoryKindModule): string => info.titleMany.toLowerCase()
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A section of AGENTS.md or CLAUDE.md, which coding agents read before they begin. */
export const agentsMd: Format = {
  id: 'agents-md',
  title: 'Section of AGENTS.md or CLAUDE.md (Markdown)',
  writtenFor:
    'AGENTS.md (2025) and CLAUDE.md; the section stands between two comments, and all else in the file stays',
  keeps: 'Every live fact and lesson as a line, every workflow with its steps, every document in full.',
  loses:
    'Everything else: attempts, cases, experiences, notes, summaries; of the items their ids, times and origins. It is not read back.',
  section: { begin: '<!-- loam:begin -->', end: '<!-- loam:end -->' },
  fileName: () => 'AGENTS.md',
  async *write(source, options) {
    yield { text: `## Learned in earlier work\n\n`, holds: null }
    const statements: string[] = []
    for await (const { id } of leavingHeads(source, facts, options)) {
      const fact = (await source.memory.memory(id)) as Fact | null
      if (fact) statements.push(oneLine(fact.statement))
    }
    if (statements.length > 0) yield { text: `### Facts\n\n`, holds: null }
    for (const line of statements) yield { text: `- ${line}\n`, holds: nameOf(facts) }
    if (statements.length > 0) yield { text: '\n', holds: null }
    const message: Record<Lesson['queue'], string[]> = { success: [], error: [] }
    for await (const { id } of leavingHeads(source, lessons, options)) {
      const lesson = (await source.memory.memory(id)) as Lesson | null
      if (lesson) message[lesson.queue].push(oneLine(lesson.text))
    }
    for (const [queue, title] of [
      ['success', 'What worked'],
      ['error', 'Mistakes to avoid'],
    ] as const) {
      if (message[queue].length > 0) yield { text: `### ${title}\n\n`, holds: null }
      for (const line of message[queue]) yield { text: `- ${line}\n`, holds: nameOf(lessons) }
      if (message[queue].length > 0) yield { text: '\n', holds: null }
    }
    for await (const { id } of leavingHeads(source, workflows, options)) {
      const workflow = (await source.memory.memory(id)) as Workflow | null
      if (!workflow) continue
      const steps = workflow.steps.map((step, i) => `${i + 1}. ${oneLine(step)}`).join('\n')
      yield { text: `### How to: ${firstLine(workflow.goal)}\n\n${steps}\n\n`, holds: nameOf(workflows) }
    }
    for await (const { id } of leavingHeads(source, documents, options)) {
      const document = await documents.read(source.memory, id)
      // Its own headings stand below those of the file.
      if (document)
        yield { text: `${document.text.replace(/^#/gm, '###').trim()}\n\n`, holds: nameOf(documents) }
    }
  },
}
