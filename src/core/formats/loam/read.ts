import { z } from 'zod'
import { parsed, readLines } from '../../ground/entries'
import { kindOf } from '../../memory'
import type { Found } from '../../memory/experiences/import/log'
import { shapeProblem } from '../../memory/experiences/import/records'
import { exportHeaderSchema, exportLineSchema } from './lines'

const anyHeader = z.object({ format: z.literal('loam-space') })
const anyKind = z.object({ kind: z.string() })
const OWN: ReadonlySet<string> = new Set(exportLineSchema.options.map(({ shape }) => shape.kind.value))

/** Reads what `writeLoam` wrote: every line brings its item back as it was. */
export async function* readLoam(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readLines(text))) {
    if (problem !== null) {
      yield { kind: 'left', place, why: problem }
    } else if (anyHeader.safeParse(value).success) {
      const header = exportHeaderSchema.safeParse(value)
      if (!header.success)
        yield { kind: 'left', place, why: `its header is of another version: ${shapeProblem(header.error)}` }
    } else yield foundIn(value, place)
  }
}

function foundIn(value: unknown, place: Found['place']): Found {
  const kind = anyKind.safeParse(value).data?.kind
  if (kind === undefined) return { kind: 'left', place, why: 'it is not a line of an export' }
  if (kindOf(kind)) return { kind: 'item', place, of: kind, line: value }
  if (!OWN.has(kind))
    return {
      kind: 'left',
      place,
      why: `it is of the kind "${kind.slice(0, 60)}", which this Loam does not know`,
    }
  const line = exportLineSchema.safeParse(value)
  if (!line.success) return { kind: 'left', place, why: shapeProblem(line.error) }
  if (line.data.kind === 'trajectory') {
    const { trajectory } = line.data
    return { kind: 'events', place, events: [{ kind: 'trajectory-added', trajectory }], like: trajectory }
  }
  const { environment, rubrics } = line.data
  const at = new Date(0).toISOString()
  return {
    kind: 'events',
    place,
    events: [{ kind: 'rubrics-changed', environment, rubrics, at }],
    like: rubrics,
  }
}
