import { parsed, readLines } from '../../ground/entries'
import { isRecord } from '../../ground/record'
import type { BundleFormat } from '../format'
import { foundOfRow, jsonLine, rowOf, UNIT_WORDS, unitsOf } from '../units'

/** A line per item: id, kind, title, text, and beside them what Loam needs. */
export const jsonl: BundleFormat = {
  id: 'jsonl',
  title: 'Items as rows (JSON lines)',
  writtenFor:
    'any reader of JSON lines; columns id, kind, title, text, environment, created_at, reward, pinned, loam',
  ...UNIT_WORDS,
  recognises: (head) =>
    /"kind"\s*:/.test(head) && /"text"\s*:/.test(head) && /"loam"\s*:\s*\{"kind"/.test(head),
  fileName: ({ fileName }) => `${fileName}-items.jsonl`,
  async *write(source, options) {
    for await (const unit of unitsOf(source, options)) yield jsonLine(rowOf(unit), unit.kinds)
  },
  async *read(text, context) {
    for await (const { place, value, problem } of parsed(readLines(text))) {
      if (problem !== null || !isRecord(value)) yield { kind: 'left', place, why: problem ?? 'it is no row' }
      else {
        const { loam, text: own, content, title, environment, created_at: createdAt } = value
        yield foundOfRow(loam, { text: own ?? content, title, environment, createdAt }, place, context)
      }
    }
  },
}
