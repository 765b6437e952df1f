import { parsed, readLines } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import type { Format } from '../format'
import { foundInRows, jsonLine, rowOf, UNITS, unitsOf } from '../units'

function partsOf(row: Readonly<Record<string, unknown>>) {
  const { loam, text, content, title, environment, created_at: createdAt } = row
  return { loam, text: text ?? content, title, environment, createdAt }
}

/** A line per item: id, kind, title, text, and beside them what Loam needs. */
export const jsonl: Format = {
  id: 'jsonl',
  title: 'Items as rows (JSON lines)',
  writtenFor:
    'any reader of JSON lines; columns id, kind, title, text, environment, created_at, reward, pinned, loam',
  ...UNITS,
  recognise: byJsonSigns([sign(0.95, /"kind"\s*:/, /"text"\s*:/, /"loam"\s*:\s*\{\s*"kind"/)]),
  fileName: ({ fileName }) => `${fileName}-items.jsonl`,
  async *write(source, options) {
    for await (const unit of unitsOf(source, options)) yield jsonLine(rowOf(unit), unit.kinds)
  },
  read: (text, context) => foundInRows(parsed(readLines(text)), 'it is no row', partsOf, context),
}
