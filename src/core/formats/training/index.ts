import type { CaseRecord } from '../../../shared/domain/case'
import { bySigns, sign } from '../../ground/recognition'
import type { MemoryEvent } from '../../memory/events'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import type { Format, FormatPart, FormatSource, WriteOptions } from '../format'
import {
  importedAttempt,
  importedCase,
  labelOf,
  namer,
  readRows,
  rewardOf,
  rowOf,
  trainingRowSchema,
  type MementoCase,
  type MementoQuery,
} from '../memento-rows'

/** Memento's training pairs: which case was shown for a query, and how it ended (eq. 15). */
export const mementoTraining: Format = {
  id: 'training',
  title: 'Memento training pairs (training_data.jsonl)',
  writtenFor: "Memento's training_data.jsonl as released in 2025",
  keeps:
    'One line per case that an attempt was shown: the query, the case, and whether the query was then solved.',
  loses:
    'Attempts that were shown no case, that nobody could judge or that only tested; what was written in an attempt; everything else.',
  recognise: bySigns([sign(0.9, /"truth_label"\s*:/)]),
  fileName: () => 'training_data.jsonl',
  write: writePairs,
  read: readPairs,
}

async function* writePairs(source: FormatSource, { signal }: WriteOptions): AsyncGenerator<FormatPart> {
  const cases = new Map<string, CaseRecord>()
  for await (const one of source.cases({ includeDeleted: true })) cases.set(one.id, one)
  for await (const { task, recalled, reward, ungraded, finish, heldOut } of source.trajectories()) {
    signal?.throwIfAborted()
    if (heldOut || ungraded !== undefined || finish === 'context-overflow') continue
    for (const item of recalled) {
      const shown = item.kind === 'case' ? cases.get(item.id) : undefined
      if (!shown) continue
      const row = {
        query: task.instruction,
        case: shown.state,
        case_label: labelOf(shown.reward),
        plan: shown.plan,
        truth_label: reward === 1,
      }
      yield rowOf(row, 'pairs')
    }
  }
}

type Group = MementoQuery & { readonly shown: MementoCase[] }

/** Neighbouring lines of one query that ended alike stand for one attempt. */
async function* readPairs(text: AsyncIterable<string>, context: ReadContext): AsyncGenerator<Found> {
  const names = namer(context)
  const ids = new Map<string, string>()
  let group = null as Group | null
  for await (const found of readRows(text, trainingRowSchema)) {
    if ('kind' in found) {
      yield found
      continue
    }
    const { query, truth_label: solved, plan, ...row } = found.row
    const shown = { state: row.case, plan, reward: rewardOf(row.case_label) }
    if (group?.query === query && group.solved === solved) group.shown.push(shown)
    else {
      if (group) yield attemptOf(group)
      group = { place: found.place, query, solved, shown: [shown] }
    }
  }
  if (group) yield attemptOf(group)

  function attemptOf(given: MementoQuery): Found {
    const cases: MemoryEvent[] = []
    const caseIds = given.shown.map((shown) => {
      const key = JSON.stringify([shown.state, shown.plan, shown.reward])
      const known = ids.get(key)
      if (known !== undefined) return known
      const record = importedCase(shown, names(['shown', key]), context.now)
      ids.set(key, record.id)
      cases.push({ kind: 'case-added', case: record })
      return record.id
    })
    const name = names(['query', given.query, given.solved, caseIds])
    const { attempt, own } = importedAttempt(given, caseIds, name, context)
    return {
      kind: 'events',
      place: given.place,
      rows: given.shown.length,
      events: [
        { kind: 'trajectory-added', trajectory: attempt },
        ...cases,
        { kind: 'case-added', case: own },
      ],
    }
  }
}
