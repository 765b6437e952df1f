import type { AskInfo } from '../../shared/domain/ask'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import type { AskEntry } from './ask-entry'
import type { AskEvent } from './ask-record'

/** Messages that wait until those before them are answered. They are kept with their ask. `say` sends one. */
export function createAskQueue(
  record: (entry: AskEntry, event: AskEvent) => Promise<AskInfo>,
  now: () => string,
  say: (entry: AskEntry, text: string) => Promise<unknown>,
) {
  const turns = new WeakMap<AskEntry, ReturnType<typeof createSerial>>()
  /** One change of an ask's queue at a time: each begins with what the one before left. */
  const change = async (entry: AskEntry, edit: (queue: readonly string[]) => readonly string[]) => {
    const turn = turns.get(entry) ?? createSerial()
    turns.set(entry, turn)
    await turn(async () => {
      const { queue } = entry.state
      const next = edit(queue)
      if (next !== queue) await record(entry, { kind: 'queued', queue: [...next], at: now() })
    })
  }
  /** Sends the first one, where the message before was answered: what was stopped or failed keeps the rest back. */
  const next = async (entry: AskEntry): Promise<void> => {
    let message: string | undefined
    await change(entry, (queue) => {
      const isResting = entry.jobId === null && !entry.beginning && entry.state.ask.status === 'done'
      if (!isResting || queue.length === 0) return queue
      message = queue[0]
      return queue.slice(1)
    })
    if (message === undefined) return
    const text = message
    try {
      await say(entry, text)
    } catch (error) {
      if (!(error instanceof LoamError) || error.code !== 'CONFLICT') throw error
      // Work on another one has begun meanwhile: it waits on.
      await change(entry, (queue) => [text, ...queue])
    }
  }
  return {
    next,
    async add(entry: AskEntry, text: string): Promise<void> {
      await change(entry, (queue) => [...queue, text])
      await next(entry)
    },
    /** Takes one out where it still waits at that place. */
    takeOut: (entry: AskEntry, index: number, text: string): Promise<void> =>
      change(entry, (queue) => (queue[index] === text ? queue.toSpliced(index, 1) : queue)),
  }
}
