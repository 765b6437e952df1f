import { followLive } from '../../core/agent/live-task'
import type { AgentResult } from '../../core/agent/straight'
import { isAbortError } from '../../core/ground/abort'
import { specOf, type AskFile, type AskInfo, type AskMessage } from '../../shared/domain/ask'
import type { ItemRef } from '../../shared/domain/item'
import { LoamError, toErrorShape } from '../../shared/errors'
import { readReference } from '../ground/model-reference'
import { onTrail } from '../ground/trail'
import type { Host } from '../host/host'
import type { RunQueue } from '../runs/run-queue'
import { lastMoments, type AskChanges, type AskEntry } from './ask-entry'
import { folderAfter, keepSteps, madeFiles, prepareWork, type FolderState } from './ask-files'
import type { AskTodo, Written } from './ask-record'
import type { AskStore } from './ask-store'
import { isAnythingIn, isLess, keepWriting, stoppedAttempt } from './ask-written'
import { earlierOf } from './conversation'
import { newOffers } from './fact-offers'
import { goalOf } from './rule-attempt'
import type { AskEvents, AskTry } from './play-ask'
import { begunAt, openStepAside, withCosts, type StepAside } from './step-aside'

/** What work on asks is done with. */
export interface WorkPorts {
  readonly store: AskStore
  readonly changes: AskChanges
  play(one: AskTry, events: AskEvents): Promise<AgentResult>
  readonly visitModel: RunQueue['visitModel']
  readonly atRest: RunQueue['atRest']
  /** The environment that an ask is filed under. */
  environmentOf(spec: AskInfo['spec']): Promise<string>
  /** What happens once an attempt is kept: its check is run, and what was left unsaid becomes the next message. */
  tried(entry: AskEntry): Promise<void>
  follow<T>(work: Promise<T>): Promise<T>
  readonly closing: AbortSignal
}

/** An ask as one of its tries sees it. */
const askOf = ({ state }: AskEntry, todo: Pick<AskTodo, 'changes'>): AskInfo => ({
  ...state.ask,
  spec: specOf(state.ask, todo),
})

const busy = (): LoamError =>
  new LoamError('CONFLICT', 'It is being worked on.', {
    suggestion: 'Stop it first, or say it while it works.',
  })

/** Whether a recalled item is shown to a try: all are, unless it is a replay of another one without some. */
function shownTo({ state }: AskEntry, { changes: { recall } }: AskTodo): AskTry['shows'] {
  if (!recall) return null
  const key = ({ kind, id }: ItemRef): string => `${kind} ${id}`
  const knownSet = new Set(state.attempts[recall.attempt]?.trajectory.recalled.map(key))
  const remainingSet = new Set(recall.without.map(key))
  return (item) => knownSet.has(key(item)) && !remainingSet.has(key(item))
}

/** The steps that a try keeps of the one it leaves; null where it begins at the message. */
function begunOf(attempts: AskEntry['state']['attempts'], { from }: AskTodo): AskTry['begun'] {
  if (from === null) return null
  const { step, edit, goOn } = from
  const { rounds = [], cycles } = attempts[from.attempt]?.trajectory ?? {}
  const beginning = goOn ? rounds[step]?.completion : undefined
  return {
    ...{ rounds: rounds.slice(0, step), planned: cycles ? { cycles, step, edit } : null, edit },
    ...(beginning !== undefined && { beginning }),
  }
}

/** What the person said while it works, which nobody takes in twice; empty for nothing. */
export function takeWords(entry: AskEntry): string {
  const words = entry.words.join('\n')
  entry.words = []
  if (words !== '') entry.feed.changed()
  return words
}

/** What those who watch hear of a try. */
function eventsFor(entry: AskEntry, todo: AskTodo, index: number, signal: AbortSignal): AskEvents {
  const ask = askOf(entry, todo)
  const { events, change } = followLive<NonNullable<AskEntry['live']>>(
    {
      live: () => entry.live,
      put(live) {
        entry.live = live
        entry.feed.changed()
      },
    },
    ({ context, recalled, isPlanned }) => ({
      taskId: ask.id,
      index,
      turn: todo.turn,
      instruction: ask.spec.text,
      context,
      recalled: [...recalled],
      rounds: [],
      streaming: '',
      calling: null,
      unread: '',
      fitted: entry.live?.fitted ?? null,
      ...(isPlanned && { cycles: [] }),
    }),
    signal,
  )
  return {
    ...events,
    round(round) {
      events.round(round)
      change((live) => ({ ...live, calling: null }))
    },
    fitted: (fit) => change((live) => ({ ...live, fitted: fit })),
    unread: (words) => change((live) => ({ ...live, unread: words })),
    calling: ({ tool, arguments: input }) =>
      change((live) => ({ ...live, calling: { tool, arguments: { ...input } }, streaming: '' })),
  }
}

/** Keeps a try that ended in the midst of what it wrote; one that had written nothing leaves no trace. Answers whether there was anything. */
export async function keepStopped(
  entry: AskEntry,
  progress: Written,
  products: AskFile[],
  { changes, environmentOf, store }: Pick<WorkPorts, 'changes' | 'environmentOf' | 'store'>,
  at: string,
): Promise<boolean> {
  const { ask } = entry.state
  if (isAnythingIn(progress)) {
    const environment = await environmentOf(specOf(ask, progress.todo))
    const attempt = stoppedAttempt(ask, progress, { environment, products, at })
    await changes.record(entry, { kind: 'tried', attempt, isNews: true, at })
  }
  await store.dropWritten(ask.id)
  return isAnythingIn(progress)
}

/** The folder as it was at the step where a try leaves another one; null where that is as its message found it. */
async function folderAtStep({ state }: AskEntry, { from }: AskTodo, store: AskStore): Promise<string | null> {
  const { id } = state.ask
  let at: { readonly attempt: number; readonly step: number } | null = from
  while (at !== null) {
    const matchText = await folderAfter(store.stepsFolder(id, at.attempt), at.step)
    if (matchText !== null) return matchText
    // What it kept of a try that it left itself was changed there.
    const rest: AskTodo['from'] = state.attempts[at.attempt]?.from ?? null
    // In a branch, a person's words stand for themselves.
    if (rest?.attempt === at.attempt) return null
    at = rest && { attempt: rest.attempt, step: Math.min(at.step, rest.step) }
  }
  return null
}

/** A try as it is worked on, in one stretch or in several with other asks in between. */
interface TryAtWork {
  readonly ask: AskInfo
  readonly todo: AskTodo
  readonly index: number
  readonly folder: string
  readonly startedAt: string
  now(): string
  readonly insists: boolean
  /** Its folder as it began; null before its first stretch. */
  folderState: FolderState | null
  keepStep: AskTry['keepStep']
  /** What it had written when it gave its place back; null where it never did. */
  held: Written | null
}

/** Waits for the model of an ask, and tells its place in line meanwhile. Resolves to what ends the visit. */
const visitModel = (
  entry: AskEntry,
  { ask: { id, title, spec }, held }: TryAtWork,
  aside: StepAside,
  ports: WorkPorts,
): Promise<() => void> =>
  ports.visitModel(
    {
      ...{ id, again: held !== null, title: `the ask “${title}”`, lane: 'ask', model: spec.model },
      // Planned work keeps no place between two steps of a plan.
      ...((spec.way === 'straight' || spec.world !== null) && { yields: () => aside.request() }),
      onWait(wait) {
        entry.wait = wait
        entry.feed.changed()
      },
    },
    aside.signal,
  )

/** Lays out the folder of a try, once. */
async function layOut(entry: AskEntry, one: TryAtWork, { store }: WorkPorts): Promise<FolderState> {
  const { ask, todo, folder, index } = one
  if (one.folderState) return one.folderState
  const { turns } = entry.state
  const after = turns[todo.turn]?.after ?? null
  const state = await prepareWork(folder, after === null ? null : store.workFolder(ask.id, after), {
    folder: store.givenFolder(ask.id, todo.turn),
    files: turns[todo.turn]?.given ?? [],
  })
  const rest = await folderAtStep(entry, todo, store)
  const begunState = rest === null ? state : await prepareWork(folder, rest, null)
  one.keepStep = keepSteps(folder, store.stepsFolder(ask.id, index), begunState)
  return (one.folderState = state)
}

/** Works on a try until it ends, or gives its place back: then it answers null, and goes on at the next call. */
async function workOn(
  entry: AskEntry,
  one: TryAtWork,
  ports: WorkPorts,
  stop: AbortSignal,
): Promise<AgentResult | null> {
  const { ask, todo, index, folder, startedAt, held } = one
  const { store, changes } = ports
  const aside = openStepAside(stop)
  const { signal } = aside
  const giveBack = await visitModel(entry, one, aside, ports)
  const writing = keepWriting(entry, { index, todo, startedAt }, store, one.now)
  try {
    entry.rests = readReference(ask.spec.model) === null ? ports.atRest() : null
    changes.show(entry, 'working')
    const folderState = await layOut(entry, one, ports)
    const first = begunOf(entry.state.attempts, todo)
    const result = await ports.play(
      {
        ...{ ask, index, folder, files: [...folderState.keys()].sort(), signal },
        goal: goalOf(entry.state, todo.turn),
        earlier: earlierOf(entry.state, todo.turn),
        shows: shownTo(entry, todo),
        begun: held ? begunAt(held, first) : first,
        hear: () => takeWords(entry),
        peek: () => entry.words.length > 0,
        insists: one.insists,
        keepStep: one.keepStep,
      },
      aside.watch(eventsFor(entry, todo, index, signal)),
    )
    stop.throwIfAborted()
    await writing.end()
    return held ? { ...result, trajectory: withCosts(result.trajectory, held) } : result
  } catch (error) {
    const progress = await writing.end()
    // What was taken over may not have been written again yet.
    if (progress && !(held && isLess(progress, held))) one.held = progress
    if (!aside.isAside()) throw error
    changes.show(entry, 'waiting')
    return null
  } finally {
    giveBack()
    entry.rests = null
    entry.feed.changed()
  }
}

/** Begins to work on asks; `insists`: although its model took the engine down last time (default true). @throws LoamError `CONFLICT` while one is worked on already */
export function createAskWork(
  { clock, jobs, logger }: Pick<Host, 'clock' | 'jobs' | 'logger'>,
  ports: WorkPorts,
): (entry: AskEntry, todo: () => AskTodo | Promise<AskTodo>, insists?: boolean) => Promise<AskInfo> {
  const { store, changes, closing } = ports
  const now = (): string => clock.now().toISOString()

  /** Resolves to how it ended, in words. `insists`: a person has just asked for it. */
  const work = async (
    entry: AskEntry,
    todo: AskTodo,
    insists: boolean,
    signal: AbortSignal,
  ): Promise<string> => {
    const ask = askOf(entry, todo)
    const index = entry.state.attempts.length
    const folder = store.workFolder(ask.id, index)
    const one: TryAtWork = {
      ...{ ask, todo, index, folder, startedAt: now(), now, insists },
      ...{ folderState: null, held: null, keepStep: () => Promise.resolve() },
    }
    try {
      let result: AgentResult | null = null
      while (result === null) result = await workOn(entry, one, ports, signal)
      one.held = null
      const { trajectory, fitted, facts = [], contextSize = null, contextUsed = null } = result
      const offers = newOffers(entry, result)
      const products = await madeFiles(folder, one.folderState ?? new Map())
      entry.live = null
      const attempt = {
        ...{ index, ...todo, fitted, trajectory: { ...trajectory, startedAt: one.startedAt } },
        ...{ made: products, facts: [...facts], offers, removed: false },
        ...{ contextSize, contextUsed, unread: result.unread ?? '' },
        ...{ misplaced: [], judgement: null, ruled: null, reading: null },
      }
      await changes.record(entry, { kind: 'tried', attempt, isNews: true, at: now() })
      await store.dropWritten(ask.id)
      return trajectory.finish === 'completed' ? 'It has answered' : 'It ended without an answer'
    } catch (error) {
      // A Loam that ends keeps it for the next start.
      if (one.held && !closing.aborted)
        await keepStopped(
          entry,
          one.held,
          await madeFiles(folder, one.folderState ?? new Map()),
          ports,
          now(),
        )
      throw error
    } finally {
      entry.live = null
      entry.feed.changed()
    }
  }

  const begin = async (entry: AskEntry, todo: AskTodo, insists: boolean): Promise<AskInfo> => {
    const { id, title, temporary } = entry.state.ask
    entry.words = []
    await changes.record(entry, { kind: 'begun', todo, at: now() })
    let leave = (): void => {}
    entry.work = new Promise((resolve) => (leave = resolve))
    const job = jobs.start(
      'ask',
      // Jobs are kept.
      temporary ? 'A temporary ask' : title,
      ({ signal, progress }) =>
        ports.follow(
          onTrail(id, () => work(entry, todo, insists, signal))
            .then((ending) => progress({ activity: ending }))
            .catch(async (error: unknown) => {
              const isStopped = isAbortError(error) || signal.aborted
              // A Loam that ends leaves it begun, which says the same at the next start.
              if (closing.aborted) throw error
              if (isStopped) await changes.record(entry, { kind: 'stopped', problem: null, at: now() })
              else {
                const problem = toErrorShape(error)
                logger.warn('An ask failed', { askId: id, code: problem.code, trails: [id] })
                await changes.record(entry, { kind: 'failed', problem, at: now() })
              }
              throw error
            })
            .finally(() => {
              Object.assign(entry, { jobId: null, work: null, wait: null })
              leave()
            })
            .then(() => ports.tried(entry)),
        ),
      { subject: id, activity: 'Working on it' },
    )
    entry.jobId = job.id
    return entry.state.ask
  }

  return async (entry, todo, insists = true) => {
    await lastMoments(entry)
    if (entry.jobId !== null || entry.beginning) throw busy()
    entry.beginning = true
    try {
      return await begin(entry, await todo(), insists)
    } finally {
      entry.beginning = false
    }
  }
}

/** A message that goes on with an attempt. */
export const turnAfter = (
  text: string,
  inputs: AskMessage['given'],
  after: number,
  at: string,
): AskMessage => ({
  text,
  given: inputs,
  after,
  at,
  removed: false,
  missing: [],
})
