import { bullets } from './bullets/kind'
import { cases } from './cases/kind'
import { cheatsheets } from './cheatsheets/kind'
import { documents } from './concepts/kind'
import { experiences } from './experiences/kind'
import type { LearnedPart, MemoryKindModule } from './items/kind'
import { lessons } from './lessons/kind'
import { notes } from './notes/kind'
import { passages } from './passages/kind'
import { softPrompts } from './soft-prompts/kind'
import { strategies } from './strategies/kind'
import { summaries } from './summaries/kind'
import { workflows } from './workflows/kind'

/** Every kind of memory, in the order in which people see them. */
export const MEMORY_KINDS = [
  cases,
  lessons,
  workflows,
  strategies,
  bullets,
  notes,
  summaries,
  cheatsheets,
  experiences,
  documents,
  passages,
  softPrompts,
] as const satisfies readonly MemoryKindModule[]

type TextOf<M> = M extends { readonly learned: LearnedPart<infer T> } ? T : never

/** A learned text of one of the kinds in the list. */
export type Memory = TextOf<(typeof MEMORY_KINDS)[number]>
export type MemoryKind = Memory['kind']
export type MemoryOf<K extends MemoryKind> = Extract<Memory, { kind: K }>

/** The kind of that id; undefined when there is none. */
export const kindOf = (id: string): MemoryKindModule | undefined =>
  MEMORY_KINDS.find(({ info }) => info.id === id)
