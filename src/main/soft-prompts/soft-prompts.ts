import type {
  ComparisonChoice,
  TrainInput,
  TrainingPlan,
  ConsolidationView,
  ServedSoftPromptInfo,
} from '../../shared/domain/soft-prompt-training'
import { LoamError } from '../../shared/errors'
import type { Watch, WatchOptions } from '../ground/feed'
import { servedInMemory } from './choose-soft-prompt'
import { readPending } from './pending'
import { createWorkBoard } from './work-board'
import type { SoftPromptsDeps } from './soft-prompts-deps'
import { createSoftPromptDecisions, newlySolved, scheduleIsDue } from './decisions'
import { createMemoryWork } from './training-work'
/** Consolidations as people start, follow and decide on them. One works at a time; each memory has at most one. */
export type SoftPrompts = ReturnType<typeof createSoftPrompts>

const SCHEDULES_EVERY_MS = 20_000

/** Opens them; nothing is begun before it is asked for. */
export function createSoftPrompts(deps: SoftPromptsDeps) {
  const { clock, jobs, training, memories, streams } = deps
  const board = createWorkBoard(clock)
  const work = createMemoryWork(deps, board)
  const { keyOf, softPromptStoreOf, isBusy, train, compare: compareOn } = work
  let timer: NodeJS.Timeout | null = null

  const start = (input: TrainInput, scheduled: boolean) =>
    train(input, scheduled, (options) => training.consolidate({ ...input, use: false }, options))

  const beginDue = async (): Promise<void> => {
    const now = clock.now()
    if (deps.runsPending() || deps.atWork() !== null) work.noteWork()
    for (const { id } of await memories.list()) {
      const softPromptList = softPromptStoreOf(id)
      const schedule = await softPromptList.schedule()
      if (schedule.rule.kind === 'manual' || schedule.input === null || isBusy(id)) continue
      const newest = (await softPromptList.view()).items[0]?.info.createdAt ?? null
      const since = [newest, schedule.lastAt].reduce((a, b) => (a !== null && (b === null || a > b) ? a : b))
      const { environment } = (await streams.load(schedule.input.stream)).info
      const solved = await newlySolved(await memories.open(id), environment, since)
      if (!scheduleIsDue(schedule.rule, solved, now.getTime() - work.idleSince())) continue
      // Noted first: whatever comes of it, it is not tried again for the same tasks.
      await softPromptList.setSchedule({ ...schedule, lastAt: now.toISOString() })
      deps.logger.info('A schedule begins a consolidation', { memory: id, solved })
      start({ ...schedule.input, memory: id }, true)
    }
  }

  return {
    plan: (input: TrainInput): Promise<TrainingPlan> => training.plan(input),
    /** Answers at once; it waits for its turn as a job. Throws `CONFLICT` when the memory is being consolidated already. */
    start: (input: TrainInput): { jobId: string } => start(input, false),
    /** Goes on with what was interrupted. */
    async resume(memory: string): Promise<{ jobId: string }> {
      const backlog = await readPending(softPromptStoreOf(memory).folder)
      if (!backlog || isBusy(memory))
        throw new LoamError('NOT_FOUND', 'No training of this memory was interrupted.', {
          suggestion: 'Start one.',
        })
      return train({ ...backlog.input, memory }, false, (options) => training.resume(memory, options))
    },
    /** Replays tasks without and with a soft prompt, and notes the result on it. */
    async compare(memory: string, adapter: string, choice: ComparisonChoice): Promise<{ jobId: string }> {
      const file = await softPromptStoreOf(memory).get(adapter)
      const stream = choice.stream ?? file.info.comparison?.stream
      if (stream === undefined)
        throw new LoamError('BAD_INPUT', 'No stream was chosen.', { suggestion: 'Choose a task stream.' })
      return compareOn(memory, file, stream, choice)
    },
    /** Takes effect within a step; what was learned so far is kept and can be gone on with. */
    async cancel(memory: string): Promise<void> {
      const work = board.find(keyOf(memory))
      if (work && isBusy(memory)) await jobs.cancel(work.jobId)
    },
    /** What a run over this stream with this model (default: the demo model) in this memory would be served. */
    async served(memory: string, stream: string, model: string | null): Promise<ServedSoftPromptInfo | null> {
      const { environment } = (await streams.load(stream)).info
      const path = model ?? deps.demoModel
      return servedInMemory(keyOf(memory), environment, async () => ({
        path,
        sha256: (await deps.hasher.hash(path)).sha256,
      }))
    },
    ...createSoftPromptDecisions(deps, work, board),
    watch: (memory: string, options: WatchOptions): Watch<ConsolidationView> =>
      board.watch(keyOf(memory), options),
    /** Looks at all schedules from now on, every 20 seconds. */
    keepSchedules(): void {
      timer ??= setInterval(() => {
        beginDue().catch((error: unknown) => {
          deps.logger.error('The schedules could not be looked at', { error })
        })
      }, SCHEDULES_EVERY_MS)
      timer.unref()
    },
    /** Begins what is due by now. */
    beginDue,
    close(): void {
      if (timer) clearInterval(timer)
      board.close()
    },
  }
}
