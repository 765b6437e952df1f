import type { CaseRecord, CaseVersion } from '../../../shared/domain/case'
import type { StoredExperience } from '../../../shared/domain/experience'
import type { LearnedText } from '../../../shared/domain/memory'
import type {
  ItemRetirement,
  ItemDetails,
  MemoryKindInfo,
  ItemMark,
  ItemMatch,
  ItemValues,
  ItemVersion,
} from '../../../shared/domain/item'
import type { z } from 'zod'
import type { Trust } from '../../../shared/domain/trust'
import type { SoftPrompt } from '../../../shared/domain/soft-prompt'
import type { Trajectory } from '../../../shared/domain/trajectory'
import type { CaseEvent } from '../cases/events'
import type { ConceptEvent } from '../guides/events'
import type { MemoryState } from '../entries'
import type { RetrievalMode } from '../../../shared/domain/experience'
import type { Belief } from '../beliefs/belief'
import type { ExperienceEvent } from '../experiences/events'
import type { ItemEvent } from './events'
import type { ItemFeatures } from './item-features'

/** What is known of an item without reading its text. */
export interface ItemHead {
  readonly id: string
  readonly environment: string
  /** ISO time. */
  readonly createdAt: string
  /** Reward of the attempt behind it; null where there is none. */
  readonly reward: number | null
  readonly mark: ItemMark | null
  /** Null while it is live. */
  readonly gone: ItemRetirement | null
  readonly editedAt: string | null
  /** What it can be told apart by, by the kind's facets. */
  readonly labels?: Readonly<Record<string, readonly string[]>>
}

/** What a search in an index goes by. */
export interface ItemSearch {
  readonly text: string
  readonly mode: RetrievalMode
  /** Weight of words against likeness in hybrid mode. */
  readonly alpha: number
  /** Most items that are found. */
  readonly k: number
}

/** A live item that a search found, and why. */
export type ItemHit = Omit<ItemMatch, 'terms'> & { readonly id: string }

/** What an item says. */
export type ItemText = Pick<ItemDetails, 'title' | 'answer' | 'text' | 'values' | 'trajectoryIds' | 'facts'>

/** A soft prompt of a memory with how it stands. `id` is its adapter's SHA-256. */
export interface StoredSoftPrompt {
  readonly id: string
  readonly info: SoftPrompt
  readonly bytes: number
  readonly mark: ItemMark | null
  readonly deletedAt: string | null
  /** The one an environment uses now. */
  readonly inUse: boolean
}

/** The soft prompts of a memory: files, not events. */
export interface SoftPromptFiles {
  list(): Promise<StoredSoftPrompt[]>
  mark(id: string, mark: ItemMark | null): Promise<void>
  /** Gives it a name of a person's own. */
  label(id: string, label: string, at: string): Promise<void>
  /** Out of use and into the trash. */
  remove(id: string, at: string): Promise<void>
  restore(id: string, at: string): Promise<void>
  /** The adapter itself. */
  read(id: string): Promise<Uint8Array>
  /** Puts one that came from elsewhere beside the others; not in use. */
  add(info: SoftPrompt, adapter: Uint8Array): Promise<void>
}

/** What kinds put into the journal. */
export type KindEvent =
  | CaseEvent
  | ConceptEvent
  | ExperienceEvent
  | ItemEvent
  | { readonly kind: 'memory-added'; readonly memory: LearnedText }

/** What the kinds read from and write to: one memory. */
export interface MemorySource {
  readonly state: MemoryState
  now(): Date
  commit(events: readonly KindEvent[]): Promise<void>
  /** A learned text as it is now, whatever its standing; null when there is none of that id. */
  memory(id: string): Promise<LearnedText | null>
  caseOf(id: string): Promise<CaseRecord | null>
  caseVersions(id: string): Promise<readonly CaseVersion[]>
  experience(id: string): Promise<StoredExperience | null>
  /** A learned text as it was written first; null when there is none of that id. */
  memoryAsWritten(id: string): Promise<LearnedText | null>
  /** Live cases and experiences that fit a text, best first, from their indexes. */
  searchCases(query: ItemSearch, signal?: AbortSignal): Promise<readonly ItemHit[]>
  searchExperiences(query: ItemSearch, signal?: AbortSignal): Promise<readonly ItemHit[]>
  /** Live learned texts of a kind that fit a text, best first; null where each is compared with it. */
  searchTexts(kind: string, query: ItemSearch, signal?: AbortSignal): Promise<readonly ItemHit[] | null>
  readonly softPrompts: SoftPromptFiles
  /** What attempts and logs of the memory teach now, by id, each with those that it was drawn from. */
  beliefs(): Promise<ReadonlyMap<string, { readonly belief: Belief; readonly from: readonly string[] }>>
}

/**
 * Where an item stands in a prompt. `document`: behind the system prompt. `mistake`, `advice`: among the lessons. `attempt`: among past
 * attempts.
 */
export type RecallPlace = 'document' | 'mistake' | 'advice' | 'attempt'

/** A memory, or a project's part of it, as what is written by hand needs it. */
export interface WrittenMemory {
  /** Live learned texts of a kind. */
  items(kind: string): Promise<readonly LearnedText[]>
  commit(events: readonly KindEvent[]): Promise<void>
}

/** Whose word an item is; `signer` where it rests on another item that somebody signed. */
export type Teller = Pick<Trust, 'origin' | 'by'> & Partial<Pick<Trust, 'signer'>>

/** When and by which name a change is made. */
export interface Change {
  /** ISO time. */
  readonly at: string
  /** A new id, for what needs one. */
  readonly newId: string
  /** Told how many secrets of each kind were taken out of what came from elsewhere. */
  readonly onRedacted?: (counts: Readonly<Record<string, number>>) => void
}

/** Something that only one kind can tell (`view`) or do (`work`: it starts a job). */
export interface KindAbility {
  readonly id: string
  /** One sentence without its full stop. */
  readonly about: string
  readonly does: 'view' | 'work'
  /** What it is told. */
  readonly input: z.ZodObject
  /** What it answers. */
  readonly output: z.ZodType
  /** Answers from the memory alone. Absent: whoever has models and runs answers (main's `hosted`). */
  answer?(source: MemorySource, input: unknown, now: Date): Promise<unknown>
}

/** A view that is answered from the memory alone. */
export const view = <Input extends z.ZodObject, Output extends z.ZodType>(
  id: string,
  about: string,
  input: Input,
  output: Output,
  answer: (source: MemorySource, input: z.infer<Input>, now: Date) => Promise<z.infer<Output>>,
): KindAbility => ({
  ...{ id, about, does: 'view', input, output },
  answer: (source, givenInput, now) => answer(source, input.parse(givenInput), now),
})

/** What abilities are called in words. */
export const abilityInfo = (abilities: readonly KindAbility[]) =>
  abilities.map(({ id, about, does }) => ({ id, about, does }))

/** What a kind of learned text says of its texts. */
export interface LearnedPart<T extends LearnedText> {
  readonly schema: z.ZodObject
  /** The text with other values of its fields. */
  edited(memory: T, values: ItemValues): T
  /** What it is searched by, and what besides (empty for nothing). Absent: each text is compared. */
  keys?(memory: T): readonly [key: string, other: string]
  /** The text after a change that a method made (`memory-changed`). Absent: its texts stay as they were written. */
  changed?(memory: T, change: Readonly<Record<string, unknown>>): T
}

/**
 * A kind of memory. Everything of its own is in its folder; the list in core/memory/index.ts has one line for it, and no other file
 * names its id. All of it is tested by test/core/memory/conformance.
 */
export interface MemoryKindModule {
  readonly info: MemoryKindInfo
  /** Of kinds that are kept as learned texts (`memory-added`): their shape, and how an edit changes one. */
  readonly learned?: LearnedPart<LearnedText>
  /** Ids under which attempts name an item they were shown. Default: its own. */
  recallIds?(source: MemorySource, id: string): readonly string[]
  /** The attempts and logs that an item is drawn from, each time anew; its project is theirs. Default: its items are kept. */
  drawnFrom?(source: MemorySource, id: string): Promise<readonly string[]>
  /** Items an attempt was shown beside those it says it recalled. Default: none. */
  alsoShown?(trajectory: Trajectory): readonly string[]
  /** Its live items that fit a text, best first, from an index; null where every item is read. Default: every item is read. */
  search?(source: MemorySource, query: ItemSearch, signal?: AbortSignal): Promise<readonly ItemHit[] | null>
  /** How an item read, and what it replaced or was replaced by, oldest first. Default: as it reads now. */
  history?(source: MemorySource, id: string): Promise<readonly ItemVersion[]>
  /**
   * Keeps what a person wrote as an item, with the environment it is filed under; answers its id, or that of an item that says so already
   * (`isNew` false). `values` have been checked against the fields. Default: its items come from work alone.
   */
  add?(
    memory: WrittenMemory,
    values: ItemValues,
    change: Change & { readonly environment: string },
  ): Promise<{ readonly id: string; readonly isNew: boolean }>
  /** Why its items cannot go to another memory. Default: they can. */
  readonly stays?: string
  /** What only this kind can tell or do. Default: nothing. */
  readonly abilities?: readonly KindAbility[]
  /** Every item there ever was, oldest first. They may be made as they are gone through, since there can be very many. */
  heads(source: MemorySource): Promise<Iterable<ItemHead>>
  /** Null when there is none of that id. */
  head(source: MemorySource, id: string): Promise<ItemHead | null>
  /** What it says now; null when there is none of that id. */
  read(source: MemorySource, id: string): Promise<ItemText | null>
  /** What recall can know of it before it knows the task (`items/features.ts`); null when there is none of that id. */
  features(source: MemorySource, id: string): Promise<ItemFeatures | null>
  /** Whose word it is, where the kind knows more of that than `features`. Default: as they say. */
  teller?(source: MemorySource, id: string): Promise<Teller | null>
  /** Whether it is drawn from attempts each time, and kept nowhere: it comes and goes with them. Default: all are kept. */
  isDrawn?(source: MemorySource, id: string): Promise<boolean>
  /** Ids of items it was made from, beside attempts. Default: none. */
  madeFrom?(source: MemorySource, id: string): Promise<readonly string[]>
  /** What its items are shown as; `apart`: they are not looked for with the others. Default: `lesson`. */
  readonly shownAs?: 'attempt' | 'lesson' | 'document' | 'apart'
  /** Where it stands in a prompt. Default: `advice`. */
  place?(source: MemorySource, id: string): RecallPlace | Promise<RecallPlace>
  mark(source: MemorySource, id: string, mark: ItemMark | null, change: Change): Promise<void>
  /** Answers the id of the item that reads so, which may be a new one. `values` have been checked against the fields. */
  edit(source: MemorySource, id: string, values: ItemValues, change: Change): Promise<string>
  remove(source: MemorySource, id: string, change: Change): Promise<void>
  /** Makes live what was deleted, dropped, superseded or evicted. */
  restore(source: MemorySource, id: string, change: Change): Promise<void>
  /** An item as one line of an export: an object whose `kind` is the kind's id. */
  toLine(source: MemorySource, id: string): Promise<Readonly<Record<string, unknown>> | null>
  /**
   * Takes a line of an export in, with its mark. False when it was there already, unchanged.
   * @throws ZodError or LoamError for a line that cannot be used
   */
  fromLine(source: MemorySource, line: unknown, change: Change): Promise<boolean>
}
