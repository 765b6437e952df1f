import { addedBy, endedBy } from '../../core/memory/added-by'
import type { MemoryEvent } from '../../core/memory/events'
import type { Fact } from '../../core/memory/facts/fact'
import type { Tells } from '../../core/memory/facts/telling'
import type { ConflictAnswer } from '../../shared/domain/item-transfer'
import { ATTEMPT } from '../../core/memory/items/projects'
import { isWaiting, sourcedEvents, type Distrust } from '../../core/memory/items/trust'
import type { CarriedTrust } from '../../shared/domain/trust'
import type { ItemRef } from '../../shared/domain/item'
import type { ImportedAsks } from './imported-chats'
import type { Verdicts } from './import-files'

/** How a file is read into a memory. */
export interface ImportOptions {
  /** Where conversations become asks. Default: they become none. */
  readonly asks?: ChatDoor | undefined
  /** Whether a sentence tells something to keep, by which facts are read from what a person said in a chat. Default: none are read. */
  readonly tells?: Tells | undefined
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

/** What an import has met: logs by content, lines and conversations by print, items by kind and id, as they read, and the facts there are, once one was read from a chat. */
export interface SeenItems {
  readonly logs: Set<string>
  readonly lines: Set<string>
  readonly chats: Set<string>
  readonly added: Map<string, string>
  facts?: Fact[]
}

export const nothingSeen = (): SeenItems => ({
  logs: new Set(),
  lines: new Set(),
  chats: new Set(),
  added: new Map(),
})

/** Takes conversations in as asks. */
export type ChatDoor = Pick<ImportedAsks, 'standing' | 'takeChat'>

/** What of a file comes in. */
export interface IntakeChoice {
  /** Only says what would happen. */
  readonly preview?: boolean
  readonly client?: string | null
  /** The project of conversations that come in; null for none. */
  readonly project?: string | null
  /** The import, by which what comes in is known. Default: none, as in a preview. */
  readonly importId?: string
  /** Why what comes in waits in quarantine. Default: it does not. */
  readonly distrust?: Distrust | null
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

interface NotesAbout {
  readonly name: string
  readonly format: string
  readonly signer?: string | null
  readonly importId: string
  readonly distrust: Distrust | null
  readonly at: string
}

/** Where what an import brings is from: noted with it, in the same commit. */
export const sourceNotes = (
  events: readonly MemoryEvent[],
  about: NotesAbout,
  carried: (ref: ItemRef) => CarriedTrust | null = () => null,
): MemoryEvent[] => notesOf(arrivalsIn(events, about.distrust), about, carried)

/** What is noted of events: the items that they bring in and, where nobody vouches for them, the attempts, which teach beliefs without any item. */
export const arrivalsIn = (events: readonly MemoryEvent[], distrust: Distrust | null): ItemRef[] =>
  distrust === null
    ? addedIn(events)
    : [
        ...addedIn(events),
        ...events.flatMap((event) =>
          event.kind === 'trajectory-added' ? [{ kind: ATTEMPT, id: event.trajectory.id }] : [],
        ),
      ]

/** What events bring in, each item once. */
export const addedIn = (events: readonly MemoryEvent[]): ItemRef[] => [
  ...new Map(
    events.flatMap((event) => addedBy(event) ?? []).map((ref) => [`${ref.kind}/${ref.id}`, ref]),
  ).values(),
]

/** How many of the items that events bring in wait in quarantine. */
export const waitersIn = (events: readonly MemoryEvent[], distrust: Distrust | null = null): number =>
  distrust === null
    ? events.filter((event) => event.kind === 'item-quarantined' && isWaiting(event)).length
    : addedIn(events).length

/** `sourceNotes` of items. */
export const notesOf = (
  refs: readonly ItemRef[],
  { name, format, signer = null, importId, distrust, at }: NotesAbout,
  carried: (ref: ItemRef) => CarriedTrust | null,
): MemoryEvent[] =>
  sourcedEvents(
    refs.map((ref) => ({ ...ref, carried: carried(ref) })),
    { from: 'import', name: name.slice(0, 1000), format, signer, importId },
    distrust,
    at,
  )
