import type { Format } from '../format'
import { byJsonSigns, sign } from '../../ground/recognition'
import { labelOf, itemRowSchema, readCases, rewardOf, writeCases } from '../memento-rows'

/** Memento's case memory as released: case, plan, and whether it was positive or negative. */
export const mementoMemory: Format = {
  id: 'memory',
  title: 'Memento case memory (memory.jsonl)',
  writtenFor: "Memento's memory/memory.jsonl as released in 2025",
  keeps: 'One live case per line: case, plan, and whether it was positive or negative.',
  loses:
    'Everything else: attempts, experiences and documents; of cases their times, environment, pins and earlier texts.',
  recognise: byJsonSigns([sign(0.8, /"case_label"\s*:/)], /\bmemory\.jsonl$/),
  fileName: () => 'memory.jsonl',
  write: (source, { signal }) =>
    writeCases(
      source,
      ({ state, plan, reward }) => ({ case: state, plan, case_label: labelOf(reward) }),
      signal,
    ),
  read: (text, context) =>
    readCases(
      text,
      itemRowSchema,
      (row) => ({ state: row.case, plan: row.plan, reward: rewardOf(row.case_label) }),
      context,
    ),
}
