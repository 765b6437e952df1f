import { lessons } from '../../memory/lessons/kind'
import { bySigns, sign } from '../../ground/recognition'
import type { Lesson } from '../../memory/lessons/lesson'
import { readLines } from '../../ground/entries'
import type { Format } from '../format'
import { firstLine, leavingHeads } from '../units'

/** Sections of a playbook, with what stands in them. */
const SECTIONS = [
  { title: 'STRATEGIES & INSIGHTS', prefix: 'sai', queue: 'success' },
  { title: 'COMMON MISTAKES TO AVOID', prefix: 'cms', queue: 'error' },
] as const

const BULLET = /^\[[^\]\s]{1,80}\] helpful=\d{1,9} harmful=\d{1,9} ::/

/** The text of a bullet, without the counters before it; null for another line. */
function bulletText(line: string): string | null {
  const head = BULLET.exec(line)?.[0]
  return head === undefined ? null : line.slice(head.length).trim()
}

/** ACE's playbook: bullets with counters, by section. Lessons are what it is made of here. */
export const ace: Format = {
  id: 'ace',
  title: 'ACE playbook (text)',
  writtenFor: 'Agentic Context Engineering, "[id] helpful=N harmful=M :: text" below sections',
  keeps: 'Every live lesson: its text, and whether it came from a mistake or from what worked.',
  loses:
    'Everything else; of lessons their environment, pins and the attempts behind them. Counters are written as nought, and not read.',
  recognise: bySigns([sign(0.95, /^\[[a-z]{2,6}-\d{1,6}\] helpful=\d{1,9} harmful=\d{1,9} ::/m)]),
  fileName: ({ fileName }) => `${fileName}-playbook.txt`,
  async *write(source, options) {
    const all: Lesson[] = []
    for await (const { id } of leavingHeads(source, lessons, options)) {
      const lesson = await source.memory.memory(id)
      if (lesson) all.push(lesson as Lesson)
    }
    for (const { title, prefix, queue } of SECTIONS) {
      yield { text: `## ${title}\n`, holds: null }
      let n = 0
      for (const { text } of all.filter((lesson) => lesson.queue === queue)) {
        const id = `${prefix}-${String(++n).padStart(5, '0')}`
        const words = text.replace(/\s+/g, ' ').trim()
        yield { text: `[${id}] helpful=0 harmful=0 :: ${words}\n`, holds: 'lessons' }
      }
      yield { text: '\n', holds: null }
    }
  },
  async *read(text, { now, hash }) {
    let title = ''
    for await (const { place, text: line, problem } of readLines(text)) {
      const inputText = (line ?? '').trim()
      if (inputText.startsWith('#')) {
        title = firstLine(inputText.replaceAll('#', ''))
        continue
      }
      const message = problem === null ? bulletText(inputText) : null
      if (message === null || message === '') {
        yield { kind: 'left', place, why: problem ?? 'it is no bullet of a playbook' }
        continue
      }
      const memory: Lesson = {
        kind: lessons.info.id as Lesson['kind'],
        id: `playbook-${hash(message).slice(0, 20)}`,
        runId: 'imported',
        environment: 'general',
        trajectoryIds: ['imported'],
        createdAt: now,
        queue: /mistake|avoid|error|pitfall/i.test(title) ? 'error' : 'success',
        text: message,
      }
      yield { kind: 'events', place, events: [{ kind: 'memory-added', memory }] }
    }
  },
}
