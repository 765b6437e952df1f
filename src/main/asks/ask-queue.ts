import type { AskInfo } from '../../shared/domain/ask'
import type { AskEntry } from './ask-entry'
import type { AskEvent } from './ask-record'

/** Messages that wait until those before them are answered. They are kept with their ask. `say` sends one. */
export function createAskQueue(
  record: (entry: AskEntry, event: AskEvent) => Promise<AskInfo>,
  now: () => string,
  say: (entry: AskEntry, text: string) => Promise<unknown>,
) {
  const put = (entry: AskEntry, queue: readonly string[]) =>
    record(entry, { kind: 'queued', queue: [...queue], at: now() })
  /** Sends the first one, where the message before was answered: what was stopped or failed keeps the rest back. */
  const next = async (entry: AskEntry): Promise<void> => {
    const [first, ...rest] = entry.state.queue
    if (first === undefined || entry.jobId !== null || entry.beginning) return
    if (entry.state.ask.status !== 'done') return
    await put(entry, rest)
    await say(entry, first)
  }
  return {
    next,
    async add(entry: AskEntry, text: string): Promise<void> {
      await put(entry, [...entry.state.queue, text])
      await next(entry)
    },
    /** Takes one out where it still waits at that place. */
    async takeOut(entry: AskEntry, index: number, text: string): Promise<void> {
      const { queue } = entry.state
      if (queue[index] === text) await put(entry, queue.toSpliced(index, 1))
    },
  }
}
