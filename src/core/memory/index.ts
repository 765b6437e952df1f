import type { LearnedText } from '../../shared/domain/memory'
import { moduleList } from '../ground/module-list'
import { beliefs } from './beliefs/kind'
import { bullets } from './bullets/kind'
import { cases } from './cases/kind'
import { cheatsheets } from './cheatsheets/kind'
import { documents } from './guides/kind'
import { experiences } from './experiences/kind'
import { facts } from './facts/kind'
import type { LearnedPart, MemoryKindModule } from './items/kind'
import { lessons } from './lessons/kind'
import { notes } from './notes/kind'
import { passages } from './passages/kind'
import { softPrompts } from './soft-prompts/kind'
import { strategies } from './strategies/kind'
import { summaries } from './summaries/kind'
import { workflows } from './workflows/kind'

const OWN_KINDS = [
  facts,
  cases,
  lessons,
  workflows,
  strategies,
  beliefs,
  bullets,
  notes,
  summaries,
  cheatsheets,
  experiences,
  documents,
  passages,
  softPrompts,
] as const satisfies readonly MemoryKindModule[]

/** Every kind of memory, in the order in which people see them. */
export const MEMORY_KINDS = moduleList<MemoryKindModule>(OWN_KINDS)

type TextOf<M> = M extends { readonly learned: LearnedPart<infer T> } ? T : never

/** A learned text of one of Loam's own kinds. */
export type LearnedItem = TextOf<(typeof OWN_KINDS)[number]>
export type LearnedKind = LearnedItem['kind']
/** The text of a kind; of one from outside, what all texts have. */
export type LearnedItemOf<K extends string> = K extends LearnedKind
  ? Extract<LearnedItem, { kind: K }>
  : LearnedText

/** The kind of that id; undefined when there is none. */
export const kindOf = (id: string): MemoryKindModule | undefined =>
  MEMORY_KINDS.find(({ info }) => info.id === id)
