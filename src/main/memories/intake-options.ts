import { addedBy, endedBy } from '../../core/memory/added-by'
import type { MemoryEvent } from '../../core/memory/events'
import type { ConflictAnswer } from '../../shared/domain/item-transfer'
import type { ItemRef } from '../../shared/domain/item'
import type { Verdicts } from './import-files'

/** How a file is read into a memory. */
export interface ImportOptions {
  /** A format's id, or `auto`: by content. */
  readonly format: string
  /** What of it comes in. Default: everything, and what is here already stays. */
  readonly choice?: IntakeChoice
  readonly onChange?: OnChange
  /** What other files of the same import brought, so that a preview counts as the import will. Default: nothing. */
  readonly seen?: SeenItems
  /** The file's name or path, for the report. */
  readonly file: string
  readonly now: Date
  readonly signal?: AbortSignal | undefined
  /** What reports beside the file say about its tasks. Default: nothing. */
  readonly verdicts?: Verdicts
}

/** What an import has met: logs by content, lines by print, and items by kind and id, as they read. */
export type SeenItems = ReturnType<typeof nothingSeen>

export const nothingSeen = () => ({ logs: new Set(), lines: new Set(), added: new Map() })

/** What of a file comes in. */
export interface IntakeChoice {
  /** Only says what would happen. */
  readonly preview?: boolean
  readonly client?: string | null
  /** Null: all. */
  readonly kinds?: readonly string[] | null
  /** As `kind/id`. */
  readonly skip?: readonly string[]
  /** Default `keep`. */
  readonly onConflict?: ConflictAnswer
  readonly answers?: Readonly<Record<string, ConflictAnswer>>
}

/** Told what was committed: items that came in, items that went out of use for them, and attempts. */
export type OnChange = (additions: readonly ItemRef[], endings: readonly ItemRef[], attempts: number) => void

/** What events come to, as `OnChange` is told. */
export const refsOf = (events: readonly MemoryEvent[]): Parameters<OnChange> => [
  events.flatMap((event) => addedBy(event) ?? []),
  events.flatMap((event) => endedBy(event) ?? []),
  events.filter(({ kind }) => kind === 'trajectory-added').length,
]
