import type { CaseRecord } from '../../../shared/domain/case'
import { byJsonSigns, sign } from '../../ground/recognition'
import type { MemoryEvent } from '../../memory/events'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import { teaches } from '../dialogs'
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
  recognise: byJsonSigns([sign(0.9, /"truth_label"\s*:/)]),
  fileName: () => 'training_data.jsonl',
  write: writePairs,
  read: readPairs,
}

async function* writePairs(source: FormatSource, { signal }: WriteOptions): AsyncGenerator<FormatPart> {
  const cases = new Map<string, CaseRecord>()
  for await (const one of source.cases({ includeDeleted: true })) cases.set(one.id, one)
  for await (const attempt of source.trajectories()) {
    signal?.throwIfAborted()
    if (!teaches(attempt)) continue
    const { task, recalled, reward } = attempt
    for (const item of recalled) {
      const view = item.kind === 'case' ? cases.get(item.id) : undefined
      if (!view) continue
      const row = {
        query: task.instruction,
        case: view.state,
        case_label: labelOf(view.reward),
        plan: view.plan,
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
  for await (const match of readRows(text, trainingRowSchema)) {
    if ('kind' in match) {
      yield match
      continue
    }
    const { query, truth_label: solved, plan, ...row } = match.row
    const view = { state: row.case, plan, reward: rewardOf(row.case_label) }
    if (group?.query === query && group.solved === solved) group.shown.push(view)
    else {
      if (group) yield attemptOf(group)
      group = { place: match.place, query, solved, shown: [view] }
    }
  }
  if (group) yield attemptOf(group)

  function attemptOf(query: MementoQuery): Found {
    const cases: MemoryEvent[] = []
    const caseIds = query.shown.map((shownCase) => {
      const key = JSON.stringify([shownCase.state, shownCase.plan, shownCase.reward])
      const recordText = ids.get(key)
      if (recordText !== undefined) return recordText
      const record = importedCase(shownCase, names(['shown', key]), context.now)
      ids.set(key, record.id)
      cases.push({ kind: 'case-added', case: record })
      return record.id
    })
    const name = names(['query', query.query, query.solved, caseIds])
    const { attempt, own } = importedAttempt(query, caseIds, name, context)
    return {
      kind: 'events',
      place: query.place,
      rows: query.shown.length,
      events: [
        { kind: 'trajectory-added', trajectory: attempt },
        ...cases,
        { kind: 'case-added', case: own },
      ],
    }
  }
}
