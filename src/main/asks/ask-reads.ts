import { answerOf, keptAttempts, type AskDetail, type AskInfo, specOf } from '../../shared/domain/ask'
import { detailOf, type AskEntry } from './ask-entry'
import type { AskState } from './ask-record'
import type { ItemRecalls } from '../../shared/domain/item'

/** What is read of asks and changes nothing. */
export interface AskReads {
  list(query: { readonly text: string; readonly deleted: boolean }): AskInfo[]
  /** @throws LoamError `NOT_FOUND`, as do all that name an ask */
  get(askId: string): AskDetail
  /** Items of a memory, and how often each was shown to an answer that nobody judged. */
  withUnjudged<T extends ShownItem>(items: readonly T[], memoryId: string): T[]
}

/** Reads them from those that are open. */
export const createReads = (find: (askId: string) => AskEntry, all: () => readonly AskEntry[]): AskReads => ({
  list: (query) => listed(all(), query),
  get: (askId) => detailOf(find(askId)),
  withUnjudged: (items, memoryId) => withUnjudged(items, memoryId, all()),
})

/** The asks that hold all words of a text, deleted ones or the others: pinned ones first, then by their last message, newest first. */
function listed(
  entries: readonly AskEntry[],
  { text, deleted }: { readonly text: string; readonly deleted: boolean },
): AskInfo[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return entries
    .filter(({ state }) => (state.ask.deletedAt !== null) === deleted && holds(state, words))
    .map(({ state }) => state.ask)
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.messageAt.localeCompare(a.messageAt))
}

/** Whether every word stands in what was said, answered or corrected. */
function holds(state: AskState, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const { ask } = state
  const attempts = keptAttempts(state)
  const turns = state.turns.filter(({ removed }) => !removed)
  const answers = attempts.map((attempt) => answerOf(attempt) ?? '')
  const corrections = attempts.flatMap(({ judgement }) => [judgement?.answer ?? '', judgement?.note ?? ''])
  const text = [ask.title, ask.folder ?? '', ...turns.map((turn) => turn.text), ...answers, ...corrections]
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

/** An item as a list shows it. */
interface ShownItem {
  readonly kind: string
  readonly id: string
  readonly recalls: ItemRecalls
}

/** Items of a memory, and how often each was shown to an answer that nobody judged, and that the memory therefore does not hold. */
function withUnjudged<T extends ShownItem>(
  items: readonly T[],
  memoryId: string,
  asks: Iterable<AskEntry>,
): T[] {
  const counts = new Map(items.map(({ kind, id }) => [`${kind} ${id}`, 0]))
  for (const { state } of asks) {
    if (state.ask.deletedAt !== null) continue
    for (const attempt of keptAttempts(state)) {
      if (attempt.judgement !== null || specOf(state.ask, attempt).memoryId !== memoryId) continue
      for (const key of new Set(attempt.trajectory.recalled.map(({ kind, id }) => `${kind} ${id}`))) {
        const count = counts.get(key)
        if (count !== undefined) counts.set(key, count + 1)
      }
    }
  }
  return items.map((item) => {
    const unjudged = counts.get(`${item.kind} ${item.id}`) ?? 0
    return unjudged === 0 ? item : { ...item, recalls: { ...item.recalls, unjudged } }
  })
}
