import { abortError } from '../../core/ground/abort'
import { readReference } from '../ground/model-reference'
import type { Logger } from '../ground/logger'
import { onTrail } from '../ground/trail'
import { createGuests, type GuestRequest } from './guests'
import { entryHead, type RunEntry } from './run-entry'
import { otherModels } from '../../core/agent/roles'
import type { RunConfig } from '../../shared/domain/run'

/** Other work that takes the engine for itself. */
interface Turn {
  readonly title: string
  /** Whether it rests while a guest has the engine. */
  readonly rests: boolean
  begin(): void
}

interface QueueDeps {
  readonly logger: Logger
  find(runId: string): RunEntry
  work(entry: RunEntry, signal: AbortSignal): Promise<void>
  /** A run at work rests for somebody, or goes on. */
  tell(entry: RunEntry): void
}

/** Has a run work; resolves when it no longer does. */
function startWork(entry: RunEntry, { work, logger }: QueueDeps): Promise<void> {
  const controller = new AbortController()
  const { id } = entry
  entry.controller = controller
  entry.stop = null
  entry.pauseRequested = false
  logger.info('A run begins', { runId: id, from: entry.state.steps.length, trails: [id] })
  entry.work = onTrail(id, () => work(entry, controller.signal)).finally(() => {
    const { status, done: steps } = entryHead(entry)
    logger.info('A run rests', { runId: id, status, steps, trails: [id] })
    entry.controller = null
    entry.resting = null
  })
  return entry.work
}

/** The line for the engine and for servers: runs by id, work that takes a turn, and guests, which go before both. */
export type ModelQueue = ReturnType<typeof createModelQueue>

/** A line of its own. `work` plays a run to its end and never rejects. */
export function createModelQueue(deps: QueueDeps) {
  const { find } = deps
  const line: (string | Turn)[] = []
  const active = new Set<string>()
  /** Other work that has the engine to itself right now. */
  let holder: Turn | null = null
  let isClosed = false
  /** Visits of models on servers. */
  let visitCount = 0

  const places = (one: string | Turn): readonly string[] =>
    typeof one === 'string' ? placesOf(entryHead(find(one)).config) : [ENGINE]
  const onEngine = (): string[] => [...active].filter((id) => places(id).includes(ENGINE))

  const atWork = (): string | null =>
    holder?.title ?? onEngine().map((id) => `a run of ${entryHead(find(id)).config.method}`)[0] ?? null

  const guests = createGuests({
    atWork,
    isOpen: () =>
      !isClosed &&
      (holder === null || holder.rests) &&
      // A training needs all the memory there is.
      onEngine().every((id) => find(id).training === null),
    now: () => performance.now(),
    changed() {
      const title = guests.title()
      for (const entry of onEngine().map(find))
        if (entry.resting !== title) {
          entry.resting = title
          deps.tell(entry)
        }
      next()
    },
  })

  const mayBegin = (one: string | Turn): boolean => {
    const own = places(one)
    if (own.includes(ENGINE) && (holder !== null || guests.isAny())) return false
    const others = [...active].filter((id) => places(id).some((place) => own.includes(place)))
    if (others.length === 0) return true
    const lane = typeof one === 'string' ? find(one).lane : null
    return lane !== null && others.length < lane.width && others.every((id) => find(id).lane?.id === lane.id)
  }

  const beginRun = (runId: string): void => {
    active.add(runId)
    void startWork(find(runId), deps).finally(() => {
      active.delete(runId)
      guests.next()
      next()
    })
  }

  /** Begins with whatever may begin now, in order: nothing goes before another that waits for the same place. */
  const next = (): void => {
    if (isClosed) return
    const awaited = new Set<string>()
    for (const one of [...line]) {
      const own = places(one)
      if (own.some((place) => awaited.has(place)) || !mayBegin(one)) {
        for (const place of own) awaited.add(place)
        continue
      }
      line.splice(line.indexOf(one), 1)
      if (typeof one === 'string') beginRun(one)
      else {
        holder = one
        one.begin()
      }
    }
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
    /** Lets guests in where what has the engine lets them in now. */
    admit: guests.next,
    /**
     * Waits for the engine, to have it alone; resolves to what gives it back, rejects with an AbortError when `signal` fires before. `rests`: its
     * models are `resting` ones, so that guests may come in. Default false.
     */
    waitForModel: (title: string, signal: AbortSignal, { rests = false } = {}): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted || isClosed) return reject(abortError())
        const turn: Turn = {
          ...{ title, rests },
          begin() {
            signal.removeEventListener('abort', giveUp)
            resolve(() => {
              if (holder !== turn) return
              holder = null
              guests.next()
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
    /**
     * Waits for a model that a person waits for: at once where it is a server's, or where what has the engine can share it or rest. Resolves to
     * what ends the visit; rejects with an AbortError when `signal` fires before.
     */
    visitModel(request: GuestRequest, signal: AbortSignal): Promise<() => void> {
      if (isClosed) return Promise.reject(abortError())
      if (readReference(request.model) === null) return guests.enter(request, signal)
      visitCount++
      let isOver = false
      return Promise.resolve(() => {
        if (!isOver) visitCount--
        isOver = true
      })
    },
    /** Whether somebody who visits a model, of this machine or of a server, is at work or waits. */
    isVisited: (): boolean => visitCount > 0 || guests.isAny(),
    /** Has a guest in line begin now, by its id; false where that cannot be. */
    startNow: guests.startNow,
    /** Resolves once no guest has had the engine for `quietMs`. */
    quiet: guests.quiet,
    /** Whether a run or other work waits for the engine. */
    isAwaited: (): boolean => guests.isAwaited() || line.some((one) => places(one).includes(ENGINE)),
    /** What has the engine now, in a few words; null when nothing has. */
    atWork: (): string | null => guests.title() ?? atWork(),
    /** What rests while a guest has the engine, in a few words; null: nothing. */
    atRest: atWork,
    /** Begins with nothing more; answers the runs that waited and those that work. */
    close(): { readonly waiting: readonly string[]; readonly working: readonly RunEntry[] } {
      isClosed = true
      const waiters = line.splice(0).filter((one) => typeof one === 'string')
      return { waiting: waiters, working: [...active].map(find) }
    },
  }
}

/** The place that all models in files share. */
const ENGINE = 'engine'

/** What a run takes for itself: the engine or servers, where its models work, and its memory. Runs that share nothing of it go side by side. */
const placesOf = ({
  model,
  settings,
  memoryId,
}: Pick<RunConfig, 'model' | 'settings' | 'memoryId'>): readonly string[] => [
  ...new Set([model, ...otherModels(model, settings)].map((path) => readReference(path)?.place ?? ENGINE)),
  `memory ${memoryId}`,
]
