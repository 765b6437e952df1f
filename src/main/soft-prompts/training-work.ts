import { basename } from 'node:path'
import { isAbortError } from '../../core/ground/abort'
import { compareTasks, comparisonTasks } from '../../core/soft-prompts/comparison'
import type { ComparisonChoice, TrainInput, TrainingWork } from '../../shared/domain/soft-prompt-training'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { JobContext } from '../ground/jobs'
import type { SoftPromptTraining } from './soft-prompt-training'
import type { SoftPromptsDeps } from './soft-prompts-deps'
import type { SoftPromptResult } from './training-deps'
import { openSoftPromptStore, type SoftPromptStore } from './soft-prompt-store'
import type { SoftPromptFile } from './soft-prompt-file'
import type { WorkBoard, WorkReporter } from './work-board'
/** Work on soft prompts that needs the model to itself, as jobs; each memory has at most one. */
export type MemoryWork = ReturnType<typeof createMemoryWork>

/** Work shown on `board`. */
export function createMemoryWork(deps: SoftPromptsDeps, board: WorkBoard) {
  const { clock, jobs, memories } = deps
  let idleSince = clock.now().getTime()

  /** One memory has one key, whether it is named by id or folder. */
  const keyOf = (memory: string): string => memories.folder(memory)
  const softPromptStoreOf = (memory: string): SoftPromptStore => openSoftPromptStore(keyOf(memory))
  const isBusy = (memory: string): boolean => board.isBusy(keyOf(memory))

  const compared = async (
    memory: string,
    ...what: [SoftPromptFile, string, ComparisonChoice, WorkReporter, AbortSignal]
  ): Promise<void> => {
    await replay(deps, softPromptStoreOf(memory), memory, ...what)
    board.softPromptsChanged(keyOf(memory))
  }

  /** Makes a job of work that needs the model to itself. */
  const begin = (
    memory: string,
    title: string,
    about: Pick<TrainingWork, 'kind' | 'adapter' | 'scheduled'>,
    work: (report: WorkReporter, signal: AbortSignal, tell: JobContext['tell']) => Promise<void>,
  ): { jobId: string } => {
    if (isBusy(memory))
      throw new LoamError('CONFLICT', 'This memory is being consolidated already.', {
        suggestion: 'Wait until it is done, or stop it.',
      })
    const key = keyOf(memory)
    const { id } = jobs.start(
      'consolidation',
      title,
      async (context) => {
        const { signal } = context
        const report = board.reporter(key, context)
        try {
          const inTheWay = deps.atWork()
          if (inTheWay !== null) report.change({ phase: 'waiting', waitingFor: inTheWay })
          const release = await deps.waitForModel(title, signal)
          report.change({ phase: 'preparing', waitingFor: null })
          try {
            await work(report, signal, context.tell)
          } finally {
            release()
          }
          report.change({ phase: 'done', waitingFor: null })
        } catch (error) {
          const cancelled = signal.aborted || isAbortError(error)
          report.change({
            phase: cancelled ? 'cancelled' : 'failed',
            waitingFor: null,
            problem: cancelled ? null : toErrorShape(error),
          })
          if (!cancelled) deps.logger.error('A consolidation failed', { memory, error })
          throw error
        } finally {
          idleSince = clock.now().getTime()
          board.softPromptsChanged(key)
        }
      },
      { subject: memory, activity: 'Waiting for its turn' },
    )
    board.put(key, {
      ...about,
      jobId: id,
      memoryId: memory,
      phase: 'waiting',
      waitingFor: deps.atWork(),
      done: 0,
      total: null,
      etaMs: null,
      startedAt: clock.now().toISOString(),
      problem: null,
      curve: [],
      compared: [],
    })
    return { jobId: id }
  }

  const train = (
    input: TrainInput,
    scheduled: boolean,
    distilled: (
      options: Parameters<SoftPromptTraining['consolidate']>[1],
    ) => Promise<Pick<SoftPromptResult, 'file' | 'model'>>,
  ): { jobId: string } =>
    begin(
      input.memory,
      'Training a soft prompt',
      { kind: 'training', adapter: null, scheduled },
      async (report, signal, tell) => {
        const { file, model } = await distilled({ signal, onStage: (stage) => report.onStage(stage) })
        tell({ adapter: file.adapter, model })
        report.change({ adapter: basename(file.adapter), waitingFor: null })
        board.softPromptsChanged(keyOf(input.memory))
        if (input.compare && input.compare.tasks > 0)
          await compared(input.memory, file, input.stream, input.compare, report, signal)
      },
    )

  return {
    /** One memory has one key, whether it is named by id or folder. */
    keyOf,
    softPromptStoreOf,
    isBusy,
    /** Since when nothing has worked here, in milliseconds. */
    idleSince: (): number => idleSince,
    /** Something else works now. */
    noteWork() {
      idleSince = clock.now().getTime()
    },
    train,
    compare: (
      memory: string,
      file: SoftPromptFile,
      stream: string,
      choice: ComparisonChoice,
    ): { jobId: string } =>
      begin(
        memory,
        'Comparing without and with a soft prompt',
        { kind: 'comparison', adapter: basename(file.adapter), scheduled: false },
        (report, signal) => compared(memory, file, stream, choice, report, signal),
      ),
  }
}

/** Plays tasks that were not learned from without and with a soft prompt, and notes the result on it. */
async function replay(
  { clock, streams, memories, openPlayer }: SoftPromptsDeps,
  softPromptList: SoftPromptStore,
  memory: string,
  file: SoftPromptFile,
  stream: string,
  choice: ComparisonChoice,
  report: WorkReporter,
  signal: AbortSignal,
): Promise<void> {
  const from = choice.stream ?? stream
  const { tasks } = await streams.load(from)
  const bank = await memories.open(memory)
  const { trajectories, heldOut } = file.info
  const sources = await Promise.all([...trajectories, ...heldOut].map((id) => bank.trajectory(id)))
  const learnedFrom = new Set(sources.flatMap((source) => source?.task.instruction ?? []))
  const choices = comparisonTasks(tasks, learnedFrom, choice.tasks, choice.from)
  if (choices.length === 0)
    throw new LoamError('BAD_INPUT', `${from} has no tasks there that were not learned from.`, {
      suggestion: 'Choose another stream, or let it begin earlier.',
    })
  report.change({ phase: 'comparing', done: 0, total: choices.length })
  const play = await openPlayer(file, memory, from, signal)
  const compared = await compareTasks(
    choices,
    (task, withSoftPrompt) => play(task, withSoftPrompt, signal),
    (task) => report.onCompared(task, choices.length),
  )
  await softPromptList.noteComparison(basename(file.adapter), {
    at: clock.now().toISOString(),
    stream: from,
    tasks: compared,
  })
}
