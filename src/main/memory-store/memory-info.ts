import { join } from 'node:path'
import { LoamError } from '../../shared/errors'
import { parseMemoryEvent } from '../../core/memory/events'
import { keptItems } from '../../core/memory/kept-items'
import { applyEvents, emptyMemoryState } from '../../core/memory/memory-state'
import { readHead } from '../journal/head'
import { readLastSeq, replayJournal, shortened } from '../journal/replay'
import { indexedSeq, readIndexNote } from '../adapters/lancedb/index-note'
import { folderBytes, JOURNAL_HEAD, requireMemoryFile, type MemoryFacts } from './memory-folder'

/**
 * Describes a memory without opening or changing it; it may be in use elsewhere.
 * `embedder` is empty for a memory that was never indexed.
 * @throws LoamError `NOT_FOUND`, `DATA_FORMAT_NEWER`, `DATA_CORRUPT`
 */
export async function readMemoryInfo(folder: string): Promise<MemoryFacts> {
  const file = await requireMemoryFile(folder)
  if (!file) {
    throw new LoamError('NOT_FOUND', `There is no memory in ${folder}.`, {
      suggestion: 'Reload the list of memories.',
    })
  }
  const note = await readIndexNote(join(folder, 'lance'))
  const journal = join(folder, 'journal')
  // Asked before the journal, which another process may be adding to.
  const knownCount = Math.max(await indexedSeq(folder), await readHead(join(folder, JOURNAL_HEAD)))
  const lastSeq = await readLastSeq(journal)
  if (lastSeq < knownCount) throw shortened(journal, { seq: lastSeq, tornTail: null }, knownCount)
  const noted = note?.items && note.appliedSeq === lastSeq ? { ...note, items: note.items } : null
  const counts = noted ?? (lastSeq === 0 ? { cases: 0, items: {}, trajectories: 0 } : await count(journal))
  return {
    id: file.id,
    name: file.name,
    path: folder,
    createdAt: file.createdAt,
    cases: counts.cases,
    items: counts.items,
    trajectories: counts.trajectories,
    embedder: note?.embedder.id ?? '',
    bytes: await folderBytes(folder),
  }
}

async function count(journal: string): Promise<Pick<MemoryFacts, 'cases' | 'items' | 'trajectories'>> {
  const state = emptyMemoryState()
  const onRecord = (record: { events: readonly ReturnType<typeof parseMemoryEvent>[] }): void => {
    applyEvents(state, record.events, 0)
  }
  await replayJournal(journal, { parse: parseMemoryEvent, onRecord })
  return { cases: state.live, items: keptItems(state), trajectories: state.trajectories.size }
}
