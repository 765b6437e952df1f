import { randomBytes } from 'node:crypto'
import {
  keptAttempts,
  type AskBranch,
  type AskChanges as Changed,
  type AskCheck,
  type AskDetail,
  type AskInfo,
  type AskSpec,
  type VerdictInput,
} from '../../shared/domain/ask'
import type { ItemRef } from '../../shared/domain/item'
import { LoamError } from '../../shared/errors'
import type { Watch, WatchOptions } from '../ground/feed'
import type { Host } from '../host/host'
import type { RunQueue } from '../runs/run-queue'
import { createAskEdits, type AskEdits } from './ask-edits'
import { createAskChanges, detailOf, openEntry, type AskEntry } from './ask-entry'
import { lessonsOf } from './learn-from-ask'
import { keepGiven, readAskFile, type GivenFile } from './ask-files'
import { rulesOf, type ClientRules } from '../../core/verdict/client-rules'
import { applyAskEvent, withRuled, type AskEvent, type AskState } from './ask-record'
import { withoutMisplaced } from './misplaced'
import { createReads, type AskReads } from './ask-reads'
import { createAskQueue } from './ask-queue'
import type { ImportedAsks } from '../memories/imported-chats'
import { openImportedAsks, withOwnModel, type ImportedAskPorts } from './imported-asks'
import type { AskStore } from './ask-store'
import { againOf, branchOf, sayAfter } from './conversation'
import { createFactOffers, type FactOffers, type KeepFact } from './fact-offers'
import { createAskJudging, type JudgePorts } from './judge-ask'
import { createMessageReadings, signsIn, type MessageReadings } from './message-reading'
import { openAskReview, type AskReview } from './review'
import { createAskWork, keepStopped, takeWords, turnAfter, type WorkPorts } from './work-on-ask'

/** Tasks that a person gives one at a time: worked on in view, judged, and learned from. All of it is kept on disk. */
export interface Asks extends AskEdits, AskReads, AskReview, FactOffers, ImportedAsks, MessageReadings {
  /** Keeps it, in a project (default: in none), and begins to work on it. */
  start(
    spec: AskSpec,
    files: readonly GivenFile[],
    project?: string | null,
    /** Nothing of it is written, and it teaches nothing, until it is kept. Default false. */
    isTemporary?: boolean,
  ): Promise<AskInfo>
  /** Says more, after an attempt (default: the newest). @throws LoamError `CONFLICT` while it is worked on, as do `retry` and `branch` */
  say(askId: string, text: string, files: readonly GivenFile[], after: number | null): Promise<AskInfo>
  /** Tries what was tried last once more. */
  retry(askId: string): Promise<AskInfo>
  /** Tries a message again: from a step of an attempt, with another model or memory, or in other words. */
  branch(askId: string, from: AskBranch, changes: Changed): Promise<AskInfo>
  /** Says something while it works: taken in before the next step, else it becomes the next message. @throws LoamError `CONFLICT` while nothing goes on */
  steer(askId: string, text: string): AskInfo
  /** Starts a waiting one at once; what has its place rests, and goes on after it. @throws LoamError `CONFLICT` where that cannot be */
  startNow(askId: string): AskInfo
  /** Keeps a message that is sent once those before it are answered; at once where nothing goes on. */
  queue(askId: string, text: string): Promise<AskDetail>
  /** Takes a message that waits to be sent out again, where it still waits. */
  unqueue(askId: string, index: number, text: string): Promise<AskDetail>
  stop(askId: string): Promise<AskInfo>
  /**
   * Keeps a verdict and begins to learn from it. An attempt is judged anew at any time; what was learned from the verdict before is
   * then taken out of the memory.
   */
  teach(askId: string, attempt: number, teaching: VerdictInput): Promise<AskDetail>
  /** Has a model judge an attempt; what is learned from that is marked as its word. */
  judge(askId: string, attempt: number): Promise<AskDetail>
  /** Attaches a check that judges each attempt, or takes it off; the newest attempt that nobody judged is judged by it now. */
  check(askId: string, check: AskCheck | null): Promise<AskInfo>
  rename(askId: string, title: string): Promise<AskInfo>
  pin(askId: string, pinned: boolean): Promise<AskInfo>
  archive(askId: string, archived: boolean): Promise<AskInfo>
  /** A person has seen what was answered. */
  seen(askId: string): Promise<AskInfo>
  /** A recalled item did not belong to what was asked, or did after all. */
  misplace(askId: string, attempt: number, item: ItemRef, isMisplaced: boolean): Promise<AskInfo>
  /** Moves it, and what was learned from it, into a project; null into none. */
  file(askId: string, folder: string | null): Promise<AskInfo>
  remove(askId: string): Promise<AskInfo>
  restore(askId: string): Promise<AskInfo>
  /** A file that an attempt made or, with no attempt, that came with a message. */
  readFile(
    askId: string,
    place: { readonly attempt: number | null; readonly turn: number },
    name: string,
  ): Promise<{ name: string; base64: string }>
  watch(askId: string, options: WatchOptions): Watch<AskDetail>
  /** Resolves once nothing is worked on or learned from any more. */
  settled(): Promise<void>
  /** Stops all work; what was worked on says so when Loam is opened again. */
  close(): Promise<void>
}

/** What the asks of a host do their work with. */
export type AskPorts = {
  readonly store: AskStore
  /** Where is kept on which day the person was asked last how answers were. */
  readonly reviewFile: string
} & Pick<WorkPorts, 'play' | 'visitModel' | 'atRest' | 'environmentOf'> &
  Pick<ImportedAskPorts, 'ownModel' | 'usual'> & {
    readonly startNow: RunQueue['startNow']
    readonly keepFact: KeepFact
    /** Whether asks that waited when Loam ended are worked on now. */
    readonly resumes: boolean
  } & Omit<JudgePorts, 'changes' | 'follow' | 'closing'>

const interrupted = (): LoamError =>
  new LoamError('INTERRUPTED', 'Loam ended while it worked on this. What it had written is kept.', {
    suggestion: 'Continue, or try again.',
    retryable: true,
  })

const ASKED_HERE = { origin: null, missing: [] }

const nothingGoesOn = (): LoamError =>
  new LoamError('CONFLICT', 'It is not being worked on.', { suggestion: 'Send it as the next message.' })

const keepsItsPlace = (): LoamError =>
  new LoamError('CONFLICT', 'It cannot start now: what has its place cannot rest.', {
    suggestion: 'Wait until that is done, or stop it.',
  })

/** Opens the asks of a host. What was written when it stopped is kept, asks that waited go on, and judgements that were not learned from are learned from now. */
export async function openAskList(
  host: Pick<Host, 'clock' | 'logger' | 'jobs'>,
  ports: AskPorts,
): Promise<Asks> {
  const [{ clock, logger, jobs }, { store }] = [host, ports]
  const entries = new Map<string, AskEntry>()
  const closing = new AbortController()
  const now = (): string => clock.now().toISOString()

  const find = (askId: string): AskEntry => {
    const entry = entries.get(askId)
    if (entry) return entry
    throw new LoamError('NOT_FOUND', `There is no ask "${askId}".`, { suggestion: 'Pick one from the list.' })
  }
  const hold = (state: AskState): AskEntry => {
    const entry = openEntry(state)
    entries.set(state.ask.id, entry)
    return entry
  }
  const { follow, settled } = followed()
  const allStates = (): AskState[] => [...entries.values()].map(({ state }) => state)
  const learning = rulesOfAsks(() => entries.values())
  const changes = createAskChanges(store, learning)
  const { record } = changes
  const shared = { ...ports, changes, follow, closing: closing.signal }
  const judging = createAskJudging(host, shared, () => entries.values())
  const getTrial = async (entry: AskEntry): Promise<void> => {
    const words = takeWords(entry)
    // What came too late for the last step is the next message.
    if (words !== '') await sayMore(entry, words, [], null)
    else {
      await judging.byCheck(entry)
      await queue.next(entry)
    }
  }
  const queue = createAskQueue(record, now, (entry, text) => sayMore(entry, text, [], null))
  const play: WorkPorts['play'] = (one, events) => ports.play(withoutMisplaced(one, entries.values()), events)
  const work = createAskWork(host, { ...shared, play, tried: getTrial })
  const begin: typeof work = (entry, todo, insists) =>
    work(entry, async () => withOwnModel(entry, await todo(), ports), insists)

  const sayMore = (entry: AskEntry, text: string, files: readonly GivenFile[], after: number | null) =>
    begin(entry, async () => {
      const at = after ?? keptAttempts(entry.state).at(-1)?.index ?? -1
      const todo = await withOwnModel(entry, sayAfter(entry.state, at, text), ports)
      const inputs = await keepGiven(store.givenFolder(entry.state.ask.id, todo.turn), files)
      await record(entry, { kind: 'said', turn: turnAfter(text, inputs, at, now()), at: now() })
      await judging.byNext(entry, at)
      return todo
    })

  for (const state of await readAll(store, logger)) hold(state)
  for (const entry of entries.values()) {
    const state = (entry.state = withRuled(entry.state, learning.rules()))
    if (state.ask.status === 'waiting' && !(await wasWritten(entry, shared, logger, now())))
      if (ports.resumes) await begin(entry, () => entry.state.todo, false)
    judging.resume(entry)
  }

  const review = await openAskReview(ports.reviewFile, clock, allStates, learning.rules)
  return {
    ...review,
    ...createMessageReadings(find, allStates, record),
    ...createMarks(find, record, now),
    ...createFactOffers(find, record, ports.keepFact, now),
    ...openImportedAsks({ store, record, entries, add: hold, usual: ports.usual }),
    ...createAskEdits({ find, record, detail: detailOf, add: hold, store, now }),
    ...createVerdicts(find, judging, follow, (entry, check) =>
      record(entry, { kind: 'checked', check, at: now() }),
    ),
    ...createQueueCalls(find, queue),
    ...createReads(find, () => [...entries.values()]),
    async start(wishes, files, project = null, isTemporary = false) {
      const spec = isTemporary ? { ...wishes, remember: false } : wishes
      const id = `ask-${now().slice(0, 10)}-${randomBytes(5).toString('hex')}`
      if (isTemporary) store.hold(id)
      const inputs = await keepGiven(store.givenFolder(id), files)
      const own = { ...ASKED_HERE, id, spec, given: inputs, folder: project, temporary: isTemporary }
      const request: AskEvent = { kind: 'asked', ...own, at: now() }
      const state = applyAskEvent(null, request)
      if (!state) throw new Error('An ask begins with what is asked.')
      await store.append(id, request)
      return begin(hold(state), () => state.todo)
    },
    say: (askId, text, files, after) => sayMore(find(askId), text, files, after),
    retry(askId) {
      const entry = find(askId)
      return begin(entry, () => againOf(entry.state))
    },
    branch(askId, from, change) {
      const entry = find(askId)
      return begin(entry, () => branchOf(entry.state, from, change))
    },
    steer: (askId, text) => steerEntry(find(askId), text),
    startNow(askId) {
      const { state } = find(askId)
      if (!ports.startNow(askId)) throw keepsItsPlace()
      return state.ask
    },
    async stop(askId) {
      const entry = find(askId)
      if (entry.jobId !== null) await jobs.cancel(entry.jobId)
      return entry.state.ask
    },
    async file(askId, folder) {
      await ports.move(lessonsOf(find(askId).state), folder)
      return record(find(askId), { kind: 'filed', folder, at: now() })
    },
    async remove(askId) {
      const entry = find(askId)
      if (entry.jobId !== null) await jobs.cancel(entry.jobId)
      return record(entry, { kind: 'deleted', deleted: true, at: now() })
    },
    readFile: (askId, place, name) => readAskFile(folderOf(store, find(askId), place), name),
    watch: (askId, options) => find(askId).feed.watch(options),
    settled,
    async close() {
      closing.abort()
      for (const { jobId } of entries.values()) if (jobId !== null) void jobs.cancel(jobId)
      await settled()
      await store.clear()
      for (const { feed } of entries.values()) feed.close()
    },
  }
}

/** Reads all asks of a folder, and warns of what could not be read. */
async function readAll(store: AskStore, logger: Host['logger']): Promise<readonly AskState[]> {
  await store.clear()
  const { states, damagedLines, gaps, cuts } = await store.loadAll()
  if (gaps.length > 0) logger.warn('Asks could not be read: restore them from a backup', { asks: gaps })
  if (cuts.length > 0)
    logger.warn('The last lines of asks are missing: restore them from a backup', { asks: cuts })
  if (damagedLines > 0) logger.warn('Lines of asks could not be read and were left out', { damagedLines })
  return states
}

/** What next messages are read by: learned from the person's own verdicts, anew after each. */
function rulesOfAsks(entries: () => Iterable<AskEntry>) {
  let rules: ClientRules | null = null
  const getRules = () => (rules ??= rulesOf(signsIn([...entries()].map(({ state }) => state))))
  return {
    rules: getRules,
    judged(): void {
      rules = null
      // What a reading weighs may be more or less now, wherever there is one.
      for (const entry of entries())
        if (entry.state.attempts.some(({ reading }) => reading !== null)) {
          entry.state = withRuled(entry.state, getRules())
          entry.feed.changed()
        }
    },
  }
}

/** Verdicts of a person, of the ask's model and of a check. */
const createVerdicts = (
  find: (askId: string) => AskEntry,
  judging: ReturnType<typeof createAskJudging>,
  follow: <T>(work: Promise<T>) => Promise<T>,
  keepCheck: (entry: AskEntry, check: AskCheck | null) => Promise<AskInfo>,
): Pick<Asks, 'teach' | 'judge' | 'check'> => ({
  async teach(askId, index, teaching) {
    const entry = find(askId)
    await judging.teach(entry, index, teaching)
    return detailOf(entry)
  },
  async judge(askId, index) {
    const entry = find(askId)
    await follow(judging.byModel(entry, index))
    return detailOf(entry)
  },
  async check(askId, check) {
    const entry = find(askId)
    await keepCheck(entry, check)
    if (entry.jobId === null) await follow(judging.byCheck(entry))
    return entry.state.ask
  },
})

function steerEntry(entry: AskEntry, text: string): AskInfo {
  if (entry.jobId === null) throw nothingGoesOn()
  entry.words = [...entry.words, text]
  entry.feed.changed()
  return entry.state.ask
}

/** Messages that wait to be sent. */
const createQueueCalls = (
  find: (askId: string) => AskEntry,
  queue: ReturnType<typeof createAskQueue>,
): Pick<Asks, 'queue' | 'unqueue'> => ({
  async queue(askId, text) {
    await queue.add(find(askId), text)
    return detailOf(find(askId))
  },
  async unqueue(askId, index, text) {
    await queue.takeOut(find(askId), index, text)
    return detailOf(find(askId))
  },
})

/** What is kept of an ask that changes nothing of what was said in it. */
const createMarks = (
  find: (askId: string) => AskEntry,
  record: (entry: AskEntry, event: AskEvent) => Promise<AskInfo>,
  now: () => string,
): Pick<Asks, 'rename' | 'pin' | 'archive' | 'seen' | 'restore' | 'misplace'> => ({
  misplace(askId, attempt, item, isMisplaced) {
    const entry = find(askId)
    const before = entry.state.attempts[attempt]?.misplaced ?? []
    const others = before.filter(({ kind, id }) => kind !== item.kind || id !== item.id)
    const items = [...others, ...(isMisplaced ? [item] : [])]
    return record(entry, { kind: 'misplaced', attempt, items, at: now() })
  },
  rename: (askId, title) => record(find(askId), { kind: 'titled', title, at: now() }),
  pin: (askId, pinned) => record(find(askId), { kind: 'pinned', pinned, at: now() }),
  archive: (askId, archived) => record(find(askId), { kind: 'archived', archived, at: now() }),
  restore: (askId) => record(find(askId), { kind: 'deleted', deleted: false, at: now() }),
  async seen(askId) {
    const entry = find(askId)
    return entry.state.ask.unread ? record(entry, { kind: 'seen', at: now() }) : entry.state.ask
  },
})

/** Keeps what an ask had written when Loam ended. False where that is nothing: it can be begun anew. */
async function wasWritten(
  entry: AskEntry,
  ports: Parameters<typeof keepStopped>[3],
  logger: Host['logger'],
  at: string,
): Promise<boolean> {
  const { ask, attempts } = entry.state
  const progress = await ports.store.readWritten(ask.id)
  const keep = async (): Promise<boolean> => {
    if (progress?.index !== attempts.length) return false
    try {
      return await keepStopped(entry, progress, [], ports, progress.at ?? progress.startedAt)
    } catch (error) {
      logger.warn('What an ask had written could not be kept', { askId: ask.id, error })
      return true
    }
  }
  const isOver = (await keep()) || ask.deletedAt !== null
  if (isOver) await ports.changes.record(entry, { kind: 'stopped', problem: interrupted().toShape(), at })
  return isOver
}

/** Where the files of an attempt lie, or those that came with a message. */
const folderOf = (
  { workFolder, givenFolder }: AskStore,
  { state: { ask } }: AskEntry,
  { attempt, turn }: { readonly attempt: number | null; readonly turn: number },
): string => (attempt === null ? givenFolder(ask.id, turn) : workFolder(ask.id, attempt))

/** Work that goes on, so that it can be waited for. */
function followed() {
  const working = new Set<Promise<unknown>>()
  return {
    follow<T>(work: Promise<T>): Promise<T> {
      working.add(work)
      void work.catch(() => undefined).finally(() => working.delete(work))
      return work
    },
    async settled(): Promise<void> {
      while (working.size > 0) await Promise.allSettled([...working])
    },
  }
}
