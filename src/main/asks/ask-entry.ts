import type { AskDelta, AskDetail, AskInfo, AskLive } from '../../shared/domain/ask'
import { applyAskDelta } from '../../shared/domain/ask-feed'
import type { Feed } from '../ground/feed'
import { applyAskEvent, type AskEvent, type AskState } from './ask-record'
import type { AskStore } from './ask-store'

/** An ask that is held open: what is kept of it, and what goes on. */
export interface AskEntry {
  state: AskState
  live: AskLive | null
  jobId: string | null
  /** Work on it is about to begin. */
  beginning: boolean
  /** What the person said while it works, not yet taken in. */
  words: string[]
  feed: Feed<AskDetail, AskDelta> | null
}

export const openEntry = (state: AskState): AskEntry => ({
  state,
  live: null,
  jobId: null,
  beginning: false,
  words: [],
  feed: null,
})

export const detailOf = ({ state: { ask, turns, attempts }, live }: AskEntry): AskDetail => ({
  ask,
  turns: [...turns],
  attempts: [...attempts],
  live,
})

/** Changes entries, on disk first, and tells those who watch. */
export interface AskChanges {
  tell(entry: AskEntry, delta: AskDelta): void
  /** Keeps an event. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
  record(entry: AskEntry, event: AskEvent): Promise<AskInfo>
  /** Says what is going on, though nothing of it is kept. */
  show(entry: AskEntry, status: AskInfo['status']): void
}

export function createAskChanges(store: Pick<AskStore, 'append'>, closing: AbortSignal): AskChanges {
  const tell = (entry: AskEntry, delta: AskDelta): void => {
    if (delta.kind !== 'changed') entry.live = applyAskDelta(detailOf(entry), delta).live
    if (!closing.aborted) entry.feed?.push(delta)
  }
  const tellChange = (entry: AskEntry): void => {
    const { ask, turns, attempts } = entry.state
    tell(entry, { kind: 'changed', ask, turns: [...turns], attempts: [...attempts] })
  }
  return {
    tell,
    async record(entry, event) {
      await store.append(entry.state.ask.id, event)
      entry.state = applyAskEvent(entry.state, event) ?? entry.state
      tellChange(entry)
      return entry.state.ask
    },
    show(entry, status) {
      entry.state = { ...entry.state, ask: { ...entry.state.ask, status } }
      tellChange(entry)
    },
  }
}
