import type { ItemHead } from '../../memory/items/kind'
import { lineOfItem } from '../../memory/items/projects'
import { leavingKinds, RUBRICS } from '../../memory/kind-words'
import type { FormatPart, FormatSource, WriteOptions } from '../format'
import { headerOf, type ExportLine } from './lines'

/**
 * A memory as JSON lines, each with its newline: the header, then attempts, the items of every kind of memory, and rubrics, each in order
 * of arrival. What another item took the place of comes along, what is in the trash or was dropped does not.
 * Streams: one item is in memory at a time.
 */
export async function* writeLoam(source: FormatSource, options: WriteOptions): AsyncGenerator<FormatPart> {
  yield lineOf(headerOf(source, options.now()), null)
  for await (const part of linesOf(source, options)) {
    options.signal?.throwIfAborted()
    yield part
  }
}

const lineOf = (value: object, holds: string | null): FormatPart => ({
  text: `${JSON.stringify(value)}\n`,
  holds,
})
const own = (line: ExportLine, holds: string): FormatPart => lineOf(line, holds)

async function* linesOf(source: FormatSource, options: WriteOptions): AsyncGenerator<FormatPart> {
  const { memory } = source
  for await (const trajectory of source.trajectories())
    yield own({ kind: 'trajectory', trajectory }, 'attempts')
  for (const kind of leavingKinds(options.kinds)) {
    for (const head of await kind.heads(memory)) {
      if (!isKept(head, options.includeDeleted ?? false)) continue
      if (options.includes?.(kind.info.id, head.id) === false) continue
      const line = await lineOfItem(kind, memory, head.id)
      if (line) yield lineOf(line, kind.info.titleMany.toLowerCase())
    }
  }
  // They are no items that could be chosen.
  if (options.includes || options.kinds?.includes(RUBRICS) === false) return
  for (const [environment, rubrics] of memory.state.concepts.rubrics)
    yield own({ kind: 'rubrics', environment, rubrics: [...rubrics] }, 'rubrics')
}

const isKept = ({ gone }: ItemHead, includeDeleted: boolean): boolean =>
  gone === null || gone.why === 'superseded' || (includeDeleted && gone.why === 'deleted')
