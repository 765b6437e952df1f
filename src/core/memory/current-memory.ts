import type { LearnedText } from '../../shared/domain/memory'
import { evolvedNote, type Note } from './notes/note'
import type { LearnedEntry } from './entries'
import { changedItem } from './learned-texts'

/** A memory as it is now: as it was written, with all its changes applied in order. */
export function currentMemory(memory: LearnedText, changes: LearnedEntry['changes']): LearnedText {
  let current = memory
  for (const change of changes.values())
    current =
      change.kind === 'note-evolved'
        ? evolvedNote(current as Note, change)
        : changedItem(current, change.change)
  return current
}
