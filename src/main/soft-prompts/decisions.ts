import { isAbsolute, join } from 'node:path'
import type { TrainInput, ScheduleRule, SoftPromptListView } from '../../shared/domain/soft-prompt-training'
import { LoamError } from '../../shared/errors'
import { isProven } from '../../core/soft-prompts/plan'
import { exportSoftPrompt } from './soft-prompt-file'
import { keptSteps, readPending, removePending } from './pending'
import type { WorkBoard } from './work-board'
import type { SoftPromptsDeps } from './soft-prompts-deps'
import type { MemoryWork } from './training-work'
import type { MemoryStore } from '../../core/ground/ports'

/** Successes looked through. */
const MOST_SUCCESSES = 4096
/** Fewer solved tasks cannot be learned from. */
const LEAST_SOLVED = 2

/** Different tasks solved after `since` (ISO time; null: ever), in one environment or in all. */
export async function newlySolved(
  bank: Pick<MemoryStore, 'recentSuccesses'>,
  environment: string | null,
  since: string | null,
): Promise<number> {
  const successes = await bank.recentSuccesses(MOST_SUCCESSES, environment === null ? {} : { environment })
  const fresh = successes.filter((one) => isProven(one) && (since === null || one.finishedAt > since))
  return new Set(fresh.map(({ task }) => `${task.instruction}\n${task.context}`)).size
}

/** Whether a schedule has something to begin: `solved` new tasks, and nothing to do for `idleMs`. */
export function scheduleIsDue(rule: ScheduleRule, solved: number, idleMs: number): boolean {
  switch (rule.kind) {
    case 'manual':
      return false
    case 'solved':
      return solved >= rule.tasks
    case 'idle':
      return solved >= LEAST_SOLVED && idleMs >= rule.minutes * 60_000
  }
}

/** What people see of a memory's soft prompts and decide about them, over the work of the same memories. */
export function createSoftPromptDecisions(
  { clock, memories, exportFolder }: SoftPromptsDeps,
  { keyOf, softPromptStoreOf, isBusy }: MemoryWork,
  board: WorkBoard,
) {
  const viewOf = async (memory: string): Promise<SoftPromptListView> => {
    const softPromptList = softPromptStoreOf(memory)
    const [view, schedule, backlog] = await Promise.all([
      softPromptList.view(),
      softPromptList.schedule(),
      isBusy(memory) ? null : readPending(softPromptList.folder),
    ])
    return {
      ...view,
      schedule,
      interrupted: backlog && {
        at: backlog.at,
        input: backlog.input,
        taught: backlog.taught !== null,
        step: await keptSteps(softPromptList.folder),
        steps: backlog.taught?.settings.steps ?? 0,
      },
      newlySolved: await newlySolved(
        await memories.open(memory),
        null,
        view.items[0]?.info.createdAt ?? null,
      ),
    }
  }
  const softPromptsChanged = async (memory: string): Promise<SoftPromptListView> => {
    board.softPromptsChanged(keyOf(memory))
    return viewOf(memory)
  }

  return {
    list: viewOf,
    /** Throws away what was interrupted. */
    async forget(memory: string): Promise<SoftPromptListView> {
      await removePending(softPromptStoreOf(memory).folder)
      return softPromptsChanged(memory)
    },
    /** Puts a soft prompt to use in its environment. */
    async accept(memory: string, adapter: string): Promise<SoftPromptListView> {
      const softPromptList = softPromptStoreOf(memory)
      const { info } = await softPromptList.get(adapter)
      if (info.environment === null)
        throw new LoamError('SOFT_PROMPT', 'It does not say which environment it is for.', {
          suggestion: 'Name it for a single run instead.',
        })
      await softPromptList.use(info.environment, adapter, clock.now().toISOString())
      return softPromptsChanged(memory)
    },
    /** Uses none in this environment from now on. */
    async withdraw(memory: string, environment: string): Promise<SoftPromptListView> {
      await softPromptStoreOf(memory).use(environment, null, clock.now().toISOString())
      return softPromptsChanged(memory)
    },
    /** Back to what was in use before. Throws `CONFLICT` when there was nothing. */
    async undo(memory: string, environment: string): Promise<SoftPromptListView> {
      if (!(await softPromptStoreOf(memory).undo(environment)))
        throw new LoamError('CONFLICT', 'There is nothing before this.', { suggestion: 'Leave it as it is.' })
      return softPromptsChanged(memory)
    },
    async remove(memory: string, adapter: string): Promise<SoftPromptListView> {
      if (isBusy(memory) && board.find(keyOf(memory))?.adapter === adapter)
        throw new LoamError('CONFLICT', 'It is being tried on tasks right now.', {
          suggestion: 'Wait until that is done, or stop it.',
        })
      await softPromptStoreOf(memory).remove(adapter)
      return softPromptsChanged(memory)
    },
    async restore(memory: string, adapter: string): Promise<SoftPromptListView> {
      await softPromptStoreOf(memory).restore(adapter)
      return softPromptsChanged(memory)
    },
    /** Writes adapter, description and README. Default folder: one of its own under the data folder's exports. */
    async export(
      memory: string,
      adapter: string,
      folder: string | null,
    ): Promise<{ folder: string; files: string[] }> {
      if (folder !== null && !isAbsolute(folder))
        throw new LoamError('BAD_INPUT', `"${folder}" is not a full path.`, {
          suggestion: 'Write the folder from the root on.',
        })
      const file = await softPromptStoreOf(memory).get(adapter)
      const target = folder ?? join(exportFolder, adapter.replace(/\.gguf$/u, ''))
      return { folder: target, files: await exportSoftPrompt(file, target, folder === null) }
    },
    async setSchedule(
      memory: string,
      rule: ScheduleRule,
      input: TrainInput | null,
    ): Promise<SoftPromptListView> {
      if (rule.kind !== 'manual' && input === null)
        throw new LoamError('BAD_INPUT', 'The schedule does not say what to train.', {
          suggestion: 'Choose a stream and a model first.',
        })
      const { lastAt } = await softPromptStoreOf(memory).schedule()
      await softPromptStoreOf(memory).setSchedule({ rule, input, lastAt })
      return softPromptsChanged(memory)
    },
  }
}
