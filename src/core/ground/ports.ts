import type { CaseRecord, ScoredCase } from '../../shared/domain/case'
import type { RetrievalMode, StoredExperience } from '../../shared/domain/experience'
import type { ItemRef } from '../../shared/domain/item'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { LearnedItemOf } from '../memory'
import type { CaseCuration } from '../memory/cases/curation'
import type { ConceptState } from '../memory/guides/fold'
import type { Passage } from '../memory/passages/passage'
import type { BuildUnit } from '../memory/guides/unit'
import type { MemoryEvent } from '../memory/events'
import type { MemorySource } from '../memory/items/kind'
import type { ExperienceEntry } from '../memory/experiences/fold'
import type { Compatibility } from '../memory/experiences/retrieve'

/** The world as the domain sees it. Adapters in src/main implement these; nothing in core knows how. */

export type {
  CallOptions,
  ChatMessage,
  ChatTool,
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ModelAbilities,
  Thinking,
  ToolCall,
} from './chat'
export type { OutputConstraint } from './constraint'

/** Turns text into unit-length vectors. */
export interface Embedder {
  readonly id: string
  readonly dimension: number
  /** Cosine of texts without relation, in [0, 1); thresholds are put on its scale by it. Default: 0. */
  readonly unrelated?: number
  /** The place of a word, in lower case, among the words of its language, the most usual 0; null for one that is not there. Default: nobody knows. */
  readonly wordRank?: (word: string) => number | null
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>
}

export type SqlValue = string | number | null | Uint8Array

export interface SqlTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly SqlValue[])[]
}

/** MySQL's type of a result column. `decimal` and the date types carry their exact text as a string value. */
export type SqlColumnType = 'int' | 'decimal' | 'double' | 'text' | 'date' | 'datetime' | 'time'

export type SqlResult =
  | {
      readonly kind: 'rows'
      readonly columns: readonly string[]
      /** One per column. */
      readonly types: readonly SqlColumnType[]
      readonly rows: readonly (readonly SqlValue[])[]
    }
  | { readonly kind: 'done'; readonly affectedRows: number }
  | { readonly kind: 'error'; readonly message: string }

/** One throw-away database, MySQL-flavoured. `execute` never rejects for bad SQL: it answers `error`. All reject with `TASK_SERVER` when a server is gone. */
export interface SqlSession {
  execute(sql: string): Promise<SqlResult>
  /** Every row of a table, in storage order; null when there is no such table any more. */
  rows(table: string): Promise<readonly (readonly SqlValue[])[] | null>
  /** Forgets the database; safe to call twice. */
  close(): Promise<void>
}

export interface SqlEngine {
  /** As people are told of it: `embedded engine`, `MariaDB 10.11.6`. */
  readonly name: string
  /** Whether rows that no ORDER BY names an order for come as MySQL 8 gives them, which is what published answers were made with. */
  readonly keepsOrder: boolean
  open(tables: readonly SqlTable[]): Promise<SqlSession>
}

/** What a memory's journal records; the journal is the truth, everything else is rebuilt from it. */
export type { MemoryEvent }

/** Which cases a search may find; everything when left out. */
export interface CaseFilter {
  readonly environment?: string
  readonly reward?: 0 | 1
  /** Whether the item of an id may be found. */
  readonly accepts?: ((id: string) => boolean) | undefined
}

/** What methods wrote down: lessons, workflows, notes, summaries. */
export interface LearnedItems {
  /**
   * Those of one kind that were neither dropped, deleted nor muted, as they are now, oldest first; with `newest`, only the N newest, with `among` only those
   * and pinned ones.
   */
  items<K extends string>(
    kind: K,
    filter?: { environment?: string; newest?: number; among?: ReadonlySet<string> },
  ): Promise<LearnedItemOf<K>[]>
}

/** `domains` and `tools` leave out what does not fit them. */
export interface ExperienceQuery extends Compatibility {
  /** What fits here stands higher; nothing is left out for it. Default: nothing does. */
  readonly fits?: Compatibility
  readonly text: string
  readonly mode: RetrievalMode
  /** Default `TOP_K`. */
  readonly k?: number
  /** Weight of words against meaning in hybrid mode. Default `ALPHA`. */
  readonly alpha?: number
  /** The text's embedding, when it is at hand. */
  readonly vector?: Float32Array
  /** Experiences not to be found. */
  readonly except?: ReadonlySet<string>
  /** For people: muted ones are found too, and pinned ones stand where they belong. Default false. */
  readonly muted?: boolean
}

export interface ExperienceHit extends StoredExperience {
  /** What hits are ordered by. */
  readonly score: number
  /** Calibrated, in [0, 1]; null when that search was not made. */
  readonly textScore: number | null
  readonly semanticScore: number | null
  readonly bm25: number | null
  readonly cosine: number | null
}

/** Agent KB: the experiences of one memory. Reads see every commit acknowledged before them. */
export interface ExperienceBase {
  /** The best k live, compatible experiences without repeats, best first. */
  search(query: ExperienceQuery, options?: { signal?: AbortSignal }): Promise<ExperienceHit[]>
  /** The live experiences nearest to a vector, best first; `score` is the cosine. */
  nearest(vector: Float32Array, k: number): Promise<{ readonly id: string; readonly score: number }[]>
  get(id: string): Promise<StoredExperience | null>
  /** Every experience there ever was, in order of arrival, without its text. */
  entries(): Iterable<Omit<ExperienceEntry, 'at'>>
}

/** A case as it was written (Memento eq. 12). */
export interface CaseWrite {
  readonly case: CaseRecord
  /** The attempt it was made from; null for a case that came from elsewhere. */
  readonly attempt: Trajectory | null
  /** The embedding of its state. */
  readonly vector: Float32Array
}

/** Learned files of a memory, by name (lower-case letters, digits and hyphens). The journal must be able to make them again. */
export interface Artifacts {
  /** Null when there is none. */
  read(name: string): Promise<Uint8Array | null>
  /** Replaces it all at once. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
  replace(name: string, bytes: Uint8Array): Promise<void>
}

/** The log of one build: append-only, beside the journal. */
export interface BuildLog {
  /** Everything finished so far, in order. */
  units(): Promise<readonly BuildUnit[]>
  /** Written with fsync; when it resolves nothing of it can be lost. @throws LoamError `DISK_FULL` or `DISK_WRITE` */
  append(unit: BuildUnit): Promise<void>
}

/** A case that words or meaning found. `cosine` is null where neither text has a direction. */
export interface FusedCase extends ScoredCase {
  readonly cosine: number | null
}

/** The case bank of one memory. Reads see every write that was acknowledged before them. */
/** A passage that fits a text. `score` is in [0, 1], words and meaning counting alike; `cosine` in [-1, 1], null where there is none. */
export interface FoundPassage {
  readonly passage: Passage
  readonly score: number
  readonly cosine: number | null
  /** A person pinned it. */
  readonly pinned: boolean
}

/** The passages of a memory: parts of files that a person let it read. */
export interface PassageBase {
  /**
   * The k live ones that fit a text best, by words and by meaning, none saying what a better one says; pinned ones among those found
   * stand first. Fewer, or none, where no more have a word in common with it or are near it in meaning.
   */
  search(
    text: string,
    k: number,
    options?: { readonly signal?: AbortSignal; readonly accepts?: CaseFilter['accepts'] },
  ): Promise<FoundPassage[]>
  /** Embeds what has come and takes out what has left, which the next search would otherwise do. */
  ready(options?: {
    readonly signal?: AbortSignal
    readonly onProgress?: (doneCount: number, total: number) => void
  }): Promise<void>
}

/** The learned texts of a memory, as far as another text may be about them. */
export interface TextBase {
  /**
   * Ids of live texts of a kind among which are all that a text can be about, and of how many: the k that words bring nearest and the k that meaning does, by
   * what they say or answer. Null where they are so few that each is compared as quickly.
   */
  near(
    kind: string,
    text: string,
    k: number,
    options?: { readonly signal?: AbortSignal | undefined; readonly accepts?: CaseFilter['accepts'] },
  ): Promise<{ readonly ids: ReadonlySet<string>; readonly total: number } | null>
  /** Embeds what has come and takes out what has left, which the next search would otherwise do. */
  ready(options?: {
    readonly signal?: AbortSignal
    readonly onProgress?: (doneCount: number, total: number) => void
  }): Promise<void>
}

export interface MemoryStore extends LearnedItems {
  readonly experiences: ExperienceBase
  /** Default: each text is compared. */
  readonly texts?: TextBase
  readonly passages: PassageBase
  /** Pins, mutes and corrections, as the journal tells; do not change it. */
  readonly curation: CaseCuration
  /** Concept documents and the searches they come from, as the journal tells; do not change it. */
  readonly concepts: ConceptState
  /** What every kind of memory reads from. Default: nothing of it is at hand. */
  readonly memorySource?: Omit<MemorySource, 'softPrompts'>
  buildLog(buildId: string): BuildLog
  /** Every case ever written, deleted ones too, in order of arrival; `from` leaves that many out. */
  writes(from: number): AsyncIterable<CaseWrite>
  readonly artifacts: Artifacts
  /** Journals the events with fsync, then indexes them. When it resolves nothing of it can be lost. */
  commit(events: readonly MemoryEvent[]): Promise<void>
  /**
   * Top K live cases by cosine to `vector` (Memento eq. 13). Ties break by newest first. Pinned cases stand before all others
   * whatever their score, muted ones are never among them; so it is for `search`.
   */
  nearest(vector: Float32Array, k: number, filter?: CaseFilter): Promise<ScoredCase[]>
  /** Top K live cases by BM25. */
  search(text: string, k: number, filter?: CaseFilter): Promise<ScoredCase[]>
  /** Top K live cases by words and meaning together (`fuse`); `vector` is the text's. */
  find(text: string, vector: Float32Array, k: number, filter?: CaseFilter): Promise<FusedCase[]>
  /** The newest successful trajectories, newest first (EvoSC's TER); attempts at held-out tasks are never among them. */
  recentSuccesses(limit: number, filter?: { environment?: string }): Promise<Trajectory[]>
  get(caseId: string): Promise<CaseRecord | null>
  trajectory(id: string): Promise<Trajectory | null>
  /** All attempts in order of arrival; `from` leaves that many out. Default 0. */
  trajectories(from?: number): AsyncIterable<Trajectory>
  /** Whether an item may be recalled here: not where it is of another project. Default: every item may. */
  recalls?(item: ItemRef): boolean
}

/** The versioned prompt templates of resources/prompts, by id, without their front matter. */
export interface PromptTemplates {
  /** @throws LoamError `NOT_FOUND` when there is no such template */
  text(id: string): string
}

export interface Clock {
  now(): Date
}
