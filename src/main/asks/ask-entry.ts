import type { AskDetail, AskInfo, AskLive, ModelWait } from '../../shared/domain/ask'
import type { ClientRules } from '../../core/verdict/client-rules'
import { Feed } from '../ground/feed'
import { applyAskEvent, type AskEvent, type AskState } from './ask-record'
import type { AskStore } from './ask-store'

/** An ask that is held open: what is kept of it, and what goes on. */
export interface AskEntry {
  state: AskState
  live: Omit<AskLive, 'words'> | null
  jobId: string | null
  /** Resolves when that job has left its place; null while there is none. Never rejects. */
  work: Promise<void> | null
  /** Work on it is about to begin. */
  beginning: boolean
  /** What the person said while it works, not yet taken in. */
  words: readonly string[]
  /** Its place in line; null while it does not wait. */
  wait: ModelWait | null
  /** What rests while it is worked on, in words; null: nothing. */
  rests: string | null
  readonly feed: Feed<AskDetail>
}

export function openEntry(state: AskState): AskEntry {
  const entry: AskEntry = {
    ...{ state, live: null, jobId: null, work: null, beginning: false },
    ...{ words: [], wait: null, rests: null },
    feed: new Feed(() => detailOf(entry)),
  }
  return entry
}

/** Waits for the last moments of work whose end is kept and shown already: whoever saw it may begin anew. Others are not waited for. */
export async function lastMoments({ state, work }: AskEntry): Promise<void> {
  if (state.ask.status !== 'waiting' && state.ask.status !== 'working') await work
}

export const detailOf = ({
  state: { ask, turns, attempts, queue },
  live,
  words,
  wait,
  rests,
}: AskEntry): AskDetail => ({
  ask,
  turns,
  attempts,
  queue,
  live: live && { ...live, words: [...words] },
  wait,
  rests,
})

/** Events after which a person's verdicts, or what they are compared with, are others. */
const WEIGHING: ReadonlySet<AskEvent['kind']> = new Set(['judged', 'read', 'removed', 'deleted'])

/** Changes what is kept of entries, on disk first, and tells those who watch. */
export interface AskChanges {
  /** Keeps an event. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
  record(entry: AskEntry, event: AskEvent): Promise<AskInfo>
  /** Says what is going on, though nothing of it is kept. */
  show(entry: AskEntry, status: AskInfo['status']): void
}

/** `judging`: what next messages are read by, and that what they are learned from has changed. */
export const createAskChanges = (
  store: Pick<AskStore, 'append'>,
  judging: { rules(): ClientRules; judged(): void },
): AskChanges => ({
  async record(entry, event) {
    await store.append(entry.state.ask.id, event)
    entry.state = applyAskEvent(entry.state, event, judging.rules()) ?? entry.state
    if (WEIGHING.has(event.kind)) judging.judged()
    entry.feed.changed()
    return entry.state.ask
  },
  show(entry, status) {
    entry.state = { ...entry.state, ask: { ...entry.state.ask, status } }
    entry.feed.changed()
  },
})
