import type { RowPlace } from '../../../../shared/domain/reading'
import { byJsonSigns, sign } from '../../../ground/recognition'
import { isRecord } from '../../../ground/record'
import { countOf, nameOf } from './conversations'
import { traceWords, type Found, type LogFormat } from './log'
import { parsedOr } from './message'
import { textOf } from './records'
import { readSpans, verdictOf, type Span } from './traces'

type Row = Readonly<Record<string, unknown>>

/** Exports write names in camel case, tables of the warehouse with underscores. */
const of = (row: Row, name: string): unknown =>
  row[name] ?? row[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]

/** Inputs and outputs lie in some exports as JSON text. */
const content = (value: unknown): unknown => (typeof value === 'string' ? parsedOr(value) : value)

function verdictIn(row: Row): Span['verdict'] {
  const scores = row['scores']
  const list: unknown[] = Array.isArray(scores)
    ? (scores as unknown[])
    : isRecord(scores)
      ? Object.entries(scores).map(([name, value]) => ({
          name,
          value: Array.isArray(value) ? (value as unknown[]).at(-1) : value,
        }))
      : []
  return (
    list
      .map((score) =>
        isRecord(score)
          ? verdictOf(score['name'], score['stringValue'] ?? score['string_value'] ?? score['value'])
          : null,
      )
      .findLast((message) => message !== null) ?? null
  )
}

const usageOf = (row: Row, ...names: readonly string[]): number | null => {
  const usage = of(row, 'usageDetails') ?? row['usage']
  const input = typeof usage === 'string' ? parsedOr(usage) : usage
  return isRecord(input)
    ? countOf(names.map((name) => input[name]).find((count) => count !== undefined))
    : null
}

function observation(row: Row, trace: string, root: string | null, place: RowPlace): Span {
  const type = textOf(row['type']).toUpperCase()
  return {
    place,
    trace,
    id: nameOf(row['id']) ?? '',
    parent: nameOf(of(row, 'parentObservationId')) ?? root,
    kind: type === 'GENERATION' ? 'model' : type === 'TOOL' ? 'tool' : 'other',
    name: textOf(row['name']),
    input: content(row['input']),
    output: content(row['output']),
    failed: row['level'] === 'ERROR',
    start: textOf(of(row, 'startTime') ?? ''),
    model: nameOf(of(row, 'providedModelName') ?? row['model']),
    promptTokens: usageOf(row, 'input', 'promptTokens', 'prompt_tokens'),
    completionTokens: usageOf(row, 'output', 'completionTokens', 'completion_tokens'),
    verdict: verdictIn(row),
  }
}

/** A trace begins with itself; what it was given and answered stands in it. */
const traceSpan = (row: Row, id: string, place: RowPlace): Span => ({
  ...observation(row, id, null, place),
  id,
  parent: null,
  kind: 'other',
  start: '',
})

const read = (text: AsyncIterable<string>): AsyncGenerator<Found> =>
  readSpans(text, 'langfuse', function* (value, place) {
    const rows = rowsIn(value)
    if (rows === null) yield 'it is no trace and no observation'
    for (const row of rows ?? []) {
      const trace = nameOf(of(row, 'traceId'))
      const id = nameOf(row['id'])
      if (trace !== null) yield observation(row, trace, null, place)
      else if (id !== null) {
        yield traceSpan(row, id, place)
        for (const one of listIn(row['observations'])) yield observation(one, id, id, place)
      } else yield 'it has neither an id nor that of a trace'
    }
  })

const listIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** A row, or the page of rows that the public API answers with. */
function rowsIn(value: unknown): Row[] | null {
  if (!isRecord(value)) return null
  if (Array.isArray(value['data'])) return listIn(value['data'])
  if (isRecord(value['trace']))
    return [{ ...value['trace'], observations: value['observations'] ?? value['trace']['observations'] }]
  return [value]
}

/** Langfuse: traces with their observations, or observations by trace. */
export const langfuse: LogFormat = {
  id: 'langfuse',
  title: 'Langfuse traces (JSON, JSONL)',
  writtenFor: 'Langfuse 2 and 3: exports of traces and observations, public API, blob storage',
  ...traceWords('observations'),
  recognise: byJsonSigns([
    sign(0.9, /"(?:parentObservationId|parent_observation_id)"\s*:/),
    sign(0.75, /"observations"\s*:\s*\[/, /"(?:scores|traceId|htmlPath|sessionId|timestamp)"\s*:/),
    sign(0.75, /"type"\s*:\s*"(?:GENERATION|SPAN)"/, /"(?:traceId|trace_id)"\s*:/),
  ]),
  read,
}
