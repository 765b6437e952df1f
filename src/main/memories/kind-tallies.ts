import { firstLine } from '../../core/formats/units'
import { isRecord } from '../../core/ground/record'
import { kindOf } from '../../core/memory'
import { capital } from '../../core/memory/facts/statement'
import type { DifferingPart } from '../../core/memory/items/differing-parts'
import type { ImportConflict, ImportKind, ImportReport } from '../../shared/domain/format'
import type { ConflictAnswer } from '../../shared/domain/item-transfer'

/** What conversations become, beside the kinds of memory. */
export const ASKS = 'asks'

/** Samples told of each kind, and conflicts told one by one. */
const MOST_SAMPLES = 3
const MOST_CONFLICTS = 200

type Outcome = 'fresh' | 'duplicates' | 'conflicts' | 'skipped'
interface Row {
  readonly kind: string
  readonly id: string
  readonly said: unknown
  readonly rows?: number
}

/** Counts rows of a file by kind, with the first few of each. */
export class KindTallies {
  readonly #kinds = new Map<string, ImportKind>()
  readonly #conflicts: ImportConflict[] = []

  count({ kind, id, said, rows = 1 }: Row, outcome: Outcome): void {
    const tally = this.#kinds.get(kind) ?? noneOf(kind)
    const samples =
      tally.samples.length < MOST_SAMPLES
        ? [...tally.samples, { id, title: titleIn(said) || id }]
        : tally.samples
    this.#kinds.set(kind, { ...tally, samples, rows: tally.rows + rows, [outcome]: tally[outcome] + rows })
  }

  conflict(row: Row, answer: ConflictAnswer | 'ask', parts: readonly DifferingPart[]): void {
    this.count(row, 'conflicts')
    if (this.#conflicts.length < MOST_CONFLICTS)
      this.#conflicts.push({ kind: row.kind, id: row.id, answer, parts: parts.map((part) => ({ ...part })) })
  }

  /** Adds what another file held. */
  add({ kinds, conflicts }: Pick<ImportReport, 'kinds' | 'conflicts'>): void {
    for (const other of kinds) {
      const own = this.#kinds.get(other.kind) ?? noneOf(other.kind)
      this.#kinds.set(other.kind, {
        ...own,
        rows: own.rows + other.rows,
        fresh: own.fresh + other.fresh,
        duplicates: own.duplicates + other.duplicates,
        conflicts: own.conflicts + other.conflicts,
        skipped: own.skipped + other.skipped,
        samples: [...own.samples, ...other.samples].slice(0, MOST_SAMPLES),
      })
    }
    this.#conflicts.push(...conflicts.slice(0, MOST_CONFLICTS - this.#conflicts.length))
  }

  report(): Pick<ImportReport, 'kinds' | 'conflicts'> {
    return { kinds: [...this.#kinds.values()], conflicts: this.#conflicts }
  }
}

const noneOf = (kind: string): ImportKind => ({
  kind,
  title: kindOf(kind)?.info.titleMany ?? capital(kind),
  ...{ rows: 0, fresh: 0, duplicates: 0, conflicts: 0, skipped: 0, samples: [] },
})

/** Names under which items keep what they are about, the best first. */
const TITLES = [
  'title',
  'statement',
  'question',
  'instruction',
  'state',
  'goal',
  'text',
  'context',
  'environment',
]
const DEEPEST = 3

/** A few words about an item; empty where it says nothing. */
function titleIn(message: unknown, depth = 0): string {
  if (!isRecord(message) || depth > DEEPEST) return ''
  for (const name of TITLES) {
    const value = message[name]
    if (typeof value === 'string' && value.trim() !== '') return firstLine(value)
  }
  for (const value of Object.values(message)) {
    const title = titleIn(value, depth + 1)
    if (title !== '') return title
  }
  return ''
}
