import { abortError } from '../../core/ground/abort'
import type { Logger } from '../ground/logger'
import type { RunEntry } from './run-entry'

/** Work beside runs that waits in their line. */
interface Turn {
  readonly title: string
  begin(): void
}

/** The line for the one place where a model is loaded: runs by id, and other work that takes a turn. */
export type ModelQueue = ReturnType<typeof createModelQueue>

/** A line of its own. `work` plays a run to its end and never rejects. */
export function createModelQueue(deps: {
  readonly logger: Logger
  find(runId: string): RunEntry
  work(entry: RunEntry, signal: AbortSignal): Promise<void>
}) {
  const { logger, find } = deps
  const line: (string | Turn)[] = []
  const active = new Set<string>()
  /** Other work that has the model to itself right now. */
  let holder: Turn | null = null
  let isClosed = false

  const mayBegin = ({ lane }: RunEntry): boolean =>
    (active.size === 0 && holder === null) ||
    (lane !== null && active.size < lane.width && [...active].every((id) => find(id).lane?.id === lane.id))

  /** Begins with whatever may begin now: one run, the runs of one lane, or one turn. */
  const next = (): void => {
    const [first] = line
    if (first === undefined || isClosed) return
    if (typeof first !== 'string') {
      if (active.size > 0 || holder !== null) return
      line.shift()
      holder = first
      first.begin()
      return
    }
    const runId = first
    const entry = find(runId)
    if (!mayBegin(entry)) return
    line.shift()
    const controller = new AbortController()
    active.add(runId)
    entry.controller = controller
    entry.stop = null
    entry.pauseRequested = false
    logger.info('A run begins', { runId, from: entry.state.steps.length })
    entry.work = deps.work(entry, controller.signal).finally(() => {
      logger.info('A run rests', { runId, status: entry.state.status, steps: entry.state.steps.length })
      entry.controller = null
      active.delete(runId)
      next()
    })
    next()
  }

  /** Takes a waiting run out again. */
  const leave = (one: string | Turn): void => {
    const at = line.indexOf(one)
    if (at >= 0) line.splice(at, 1)
  }

  return {
    /** Puts a run at the end; `next` has to be called once it may begin. */
    push: (runId: string) => line.push(runId),
    leave,
    next,
    /** Waits for the model; resolves to what gives it back, rejects with an AbortError when `signal` fires before. */
    waitForModel: (title: string, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted || isClosed) return reject(abortError())
        const turn: Turn = {
          title,
          begin() {
            signal.removeEventListener('abort', giveUp)
            resolve(() => {
              if (holder !== turn) return
              holder = null
              next()
            })
          },
        }
        const giveUp = (): void => {
          leave(turn)
          reject(abortError())
          next()
        }
        signal.addEventListener('abort', giveUp, { once: true })
        line.push(turn)
        next()
      }),
    /** Whether a run or other work waits for the model. */
    isAwaited: (): boolean => line.length > 0,
    /** What has the model now, in a few words; null when nothing has. */
    atWork: (): string | null =>
      holder?.title ?? [...active].map((id) => `a run of ${find(id).state.record.config.method}`)[0] ?? null,
    /** Begins with nothing more; answers the runs that waited and those that work. */
    close(): { readonly waiting: readonly string[]; readonly working: readonly RunEntry[] } {
      isClosed = true
      const waiters = line.splice(0).filter((one) => typeof one === 'string')
      return { waiting: waiters, working: [...active].map(find) }
    },
  }
}
