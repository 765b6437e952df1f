import type { CaseCuration } from './cases/curation'
import type { ConceptState } from './guides/fold'
import type { ExperienceEntries } from './experiences/fold'
import type { LearnedChanged } from './items/changes'
import type { CuratedItems } from './items/curated'
import type { Recalls } from './items/recalls'
import type { NoteEvolved } from './notes/events'

/** What is kept in memory about a case; its text stays in the journal, as event number `at`. */
export interface CaseEntry {
  readonly id: string
  readonly at: number
  readonly environment: string
  /** As corrected. */
  reward: 0 | 1
  readonly createdAt: string
  deletedAt: string | null
}

/** What is kept in memory about an attempt. */
export interface TrajectoryEntry {
  readonly id: string
  readonly at: number
  readonly environment: string
  readonly reward: 0 | 1
  /** Who says how it ended; null where nobody does, or that is not known. */
  readonly claim: string | null
  /** Text that nobody checked and that it had read. */
  readonly read: readonly string[]
}

/** A lesson, workflow, note or summary; its text stays in the journal. */
export interface LearnedEntry {
  readonly id: string
  readonly kind: string
  readonly at: number
  readonly environment: string
  readonly createdAt: string
  /** The attempt it was written from. */
  readonly trajectoryId: string
  /** The last day on which it holds, as it was written. Default: it has no end. */
  readonly until?: string | undefined
  /** When it left a full queue; null while it is in it. */
  droppedAt: string | null
  /** Its changes in order, one per note or attempt that brought one. */
  readonly changes: Map<string, NoteEvolved | LearnedChanged>
}

/** The fold of a memory's journal. Maps keep the order of arrival. `at` is the number of an event in the journal, from 0 on. */
export interface MemoryState {
  readonly cases: Map<string, CaseEntry>
  readonly trajectories: Map<string, TrajectoryEntry>
  readonly items: Map<string, LearnedEntry>
  /** Pins, mutes and corrections. */
  readonly curation: CaseCuration
  /** Which event tells of each failed writing. */
  readonly failures: Map<string, number>
  /** Agent KB's experience units. */
  readonly experiences: ExperienceEntries
  /** BREW's concept documents and the searches they come from. */
  readonly concepts: ConceptState
  /** What people decided about items of other kinds than cases. */
  readonly curated: CuratedItems
  /** How often each item was shown, and how those attempts went. */
  readonly recalls: Recalls
  /** Cases that are not deleted. */
  live: number
}
