import { attemptId } from '../../core/ground/identity'
import {
  applyRunEvent,
  runHead,
  stepOf,
  type RunEvent,
  type RunState,
  newRunState,
} from '../../core/lab/run-record'
import type { RunInfo } from '../../shared/domain/run'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { LoadedRun } from './read-run'
import {
  entryHead,
  entryInfo,
  interruptedError,
  isOver,
  newEntry,
  type RunEntry,
  type RunPart,
  damagedError,
} from './run-entry'
import type { RunQueueDeps } from './run-queue-deps'
import type { MemoryStore, Clock } from '../../core/ground/ports'
import type { Logger } from '../ground/logger'
import { damageWords, repairedEvents } from './repair-run'
import type { RunStore } from './run-store'

/** The runs of a data folder as they are held, and how their changes are kept and told. */
export interface RunEntries {
  readonly all: ReadonlyMap<string, RunEntry>
  /** Runs whose record is lost, as people see them. */
  readonly lost: ReadonlyMap<string, RunInfo>
  /** @throws LoamError `NOT_FOUND`, or why its record is lost */
  find(runId: string): RunEntry
  tell(entry: RunEntry, part?: RunPart): void
  /** Applies an event, keeps it and tells of it. */
  record(entry: RunEntry, event: RunEvent): Promise<void>
  setStatus(entry: RunEntry, status: RunInfo['status'], problem?: LoamError | null): Promise<void>
  /** Resolves once the run's status is one of these. */
  until(runId: string, statuses: readonly RunInfo['status'][]): Promise<RunInfo>
  /** Adds a run that is new. */
  add(state: RunState): RunEntry
  remove(runId: string): void
  mend(entry: RunEntry): Promise<void>
  /** Takes in a run as its folder tells it; one that was going is paused, with the steps the journal has. */
  take(run: LoadedRun): Promise<void>
}

/** Reads what the data folder has. */
export async function loadRunEntries(deps: RunQueueDeps): Promise<RunEntries> {
  const { store, clock, logger } = deps
  const entries = new Map<string, RunEntry>()
  let lostMap = new Map<string, RunInfo>()

  const add = (run: RunState | RunInfo): RunEntry => {
    const entry = newEntry(run, readNow)
    entries.set(entry.id, entry)
    return entry
  }

  const find = (runId: string): RunEntry => {
    const entry = entries.get(runId)
    const removal = lostMap.get(runId)?.problem
    if (removal) throw LoamError.fromShape(removal)
    if (!entry) {
      throw new LoamError('NOT_FOUND', `There is no run "${runId}".`, {
        suggestion: 'Pick one from the list of runs.',
      })
    }
    return entry
  }

  const tell = (entry: RunEntry, part: RunPart = 'run'): void => {
    deps.publish(entry.id, part)
  }

  const record = async (entry: RunEntry, event: RunEvent): Promise<void> => {
    entry.state = applyRunEvent(entry.state, event)
    entry.unwritten++
    try {
      await store.append(entry.id, event).finally(() => entry.unwritten--)
      if (isOver(entryHead(entry))) await summarise(entry)
    } finally {
      tell(entry)
      if (event.kind === 'status') for (const wake of entry.waiting.splice(0)) wake()
    }
  }

  /** Lets a run that is over rest. One with a fault is read anew at every start, so that the fault is seen. */
  const summarise = async (entry: RunEntry): Promise<void> => {
    const { state, damage } = entry
    if (damage !== null) return
    const info = { ...runHead(state), rewards: [...state.rewards] }
    // Its folder tells all of it only once everything is written.
    if (entry.unwritten === 0) entry.rest(info)
    await store.summarise(info)
  }

  const until = async (runId: string, statuses: readonly RunInfo['status'][]): Promise<RunInfo> => {
    const entry = find(runId)
    while (!statuses.includes(entryHead(entry).status)) {
      await new Promise<void>((resolve) => entry.waiting.push(resolve))
    }
    return entryInfo(entry)
  }

  const setStatus = (
    entry: RunEntry,
    status: RunInfo['status'],
    problem: LoamError | null = null,
  ): Promise<void> =>
    record(entry, {
      kind: 'status',
      status,
      problem: problem?.toShape() ?? null,
      at: clock.now().toISOString(),
    })

  /** Adds the steps that the journal holds and events.jsonl does not. */
  const recover = async (entry: RunEntry): Promise<void> => {
    const { id, config, total } = entry.state.record
    const bank = await deps.openStore(config.memoryId)
    while (entry.state.steps.length < total) {
      const selection = await bank.trajectory(attemptId(id, entry.state.steps.length))
      if (!selection) return
      await record(entry, stepOf(selection))
    }
  }

  const mend = (entry: RunEntry): Promise<void> => mendRun(entry, { ...deps, storeOf: deps.openStore })

  /** Takes in a run as its folder tells it; one that was going is paused, with the steps the journal has. */
  const take = async (run: LoadedRun): Promise<void> => {
    const entry = add(run.state)
    entry.damage = run.damage
    if (!(await mendOrSay(entry, mend, deps))) return
    const { state } = entry
    const { id: runId, total } = state.record
    if (isOver(state)) await summarise(entry)
    if (state.status !== 'running' && state.status !== 'queued') return
    try {
      await recover(entry)
    } catch (error) {
      // The journal is asked again when the run is resumed; until then it is known as far as its events go.
      logger.error('The journal of an interrupted run could not be asked', { runId, error })
    }
    if (state.steps.length === total && total > 0) await setStatus(entry, 'done')
    else await setStatus(entry, 'paused', interruptedError())
  }

  /** Reads a run that was known by its summary; what is found wrong with it then is put right at once. */
  const readNow = (entry: RunEntry): RunState => {
    const run = store.loadNow(entry.id)
    entry.damage = run.damage
    if (run.damage !== null)
      // What mends it looks at the state that is answered here.
      queueMicrotask(() => void mendOrSay(entry, mend, deps).then(() => tell(entry)))
    return run.state
  }

  const { runs, unreadable } = await store.loadAll()
  lostMap = new Map(unreadable.map(({ info }) => [info.id, info]))
  for (const { folder, info } of unreadable)
    logger.warn('A run could not be read', { folder, cause: info.problem?.cause })
  for (const run of runs)
    if ('info' in run) add(run.info)
    else await take(run)

  return {
    all: entries,
    lost: lostMap,
    find,
    tell,
    record,
    setStatus,
    until,
    add,
    remove(runId) {
      entries.delete(runId)
      lostMap.delete(runId)
    },
    mend,
    take,
  }
}

/** What putting a run right takes. */
interface MendDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly logger: Logger
  storeOf(memoryId: string): Promise<Pick<MemoryStore, 'trajectory'>>
}

/** Puts a damaged folder right, from what can still be read and the journal of the run's memory. */
async function mendRun(entry: RunEntry, { store, clock, logger, storeOf }: MendDeps): Promise<void> {
  const { damage, state } = entry
  if (!damage) return
  const { record } = state
  const events = await repairedEvents(record, damage, await storeOf(record.config.memoryId))
  await store.rewrite(record, events, clock.now())
  entry.state = events.reduce(applyRunEvent, newRunState(record))
  entry.damage = null
  entry.repaired = `${damageWords(damage)}. It was put right from its memory's journal.`
  logger.warn('A damaged run was put right', { runId: record.id, damage: damageWords(damage) })
}

/** As `mendRun`; where that fails the run rests and says why. Answers whether it is whole. */
async function mendOrSay(
  entry: RunEntry,
  mend: (entry: RunEntry) => Promise<void>,
  { clock, logger }: Pick<MendDeps, 'clock' | 'logger'>,
): Promise<boolean> {
  try {
    await mend(entry)
    return true
  } catch (error) {
    const what = entry.damage ? damageWords(entry.damage) : ''
    const problem = damagedError(what, toErrorShape(error).cause).toShape()
    logger.error('A damaged run could not be put right', { runId: entry.id, error })
    // In memory alone: what is left of the file stays as it is.
    applyRunEvent(entry.state, { kind: 'status', status: 'paused', problem, at: clock.now().toISOString() })
    return false
  }
}
