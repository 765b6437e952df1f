import { isAbsolute, join } from 'node:path'
import type { ConsolidateInput, ScheduleRule, ShelfView } from '../../shared/domain/consolidation'
import { LoamError } from '../../shared/errors'
import { exportSoftPrompt } from './export'
import { newlySolved } from './due'
import { keptSteps, readPending, removePending } from './pending'
import type { WorkBoard } from './work-board'
import type { ConsolidationsDeps } from './consolidations-deps'
import type { MemoryWork } from './consolidation-work'
/** What people see of a memory's soft prompts and decide about them. */
export interface ShelfDecisions {
  /** Throws away what was interrupted. */
  forget(memory: string): Promise<ShelfView>
  shelf(memory: string): Promise<ShelfView>
  /** Puts a soft prompt to use in its environment. */
  accept(memory: string, adapter: string): Promise<ShelfView>
  /** Uses none in this environment from now on. */
  withdraw(memory: string, environment: string): Promise<ShelfView>
  /** Back to what was in use before. Throws `CONFLICT` when there was nothing. */
  undo(memory: string, environment: string): Promise<ShelfView>
  remove(memory: string, adapter: string): Promise<ShelfView>
  restore(memory: string, adapter: string): Promise<ShelfView>
  /** Writes adapter, description and README. Default folder: one of its own under the data folder's exports. */
  export(memory: string, adapter: string, folder: string | null): Promise<{ folder: string; files: string[] }>
  setSchedule(memory: string, rule: ScheduleRule, input: ConsolidateInput | null): Promise<ShelfView>
}

/** Over the work of the same memories. */
export function createShelfDecisions(
  { clock, memories, exportFolder }: ConsolidationsDeps,
  { keyOf, shelfOf, isBusy }: MemoryWork,
  board: WorkBoard,
): ShelfDecisions {
  const viewOf = async (memory: string): Promise<ShelfView> => {
    const shelf = shelfOf(memory)
    const [view, schedule, pending] = await Promise.all([
      shelf.view(),
      shelf.schedule(),
      isBusy(memory) ? null : readPending(shelf.folder),
    ])
    return {
      ...view,
      schedule,
      interrupted: pending && {
        at: pending.at,
        input: pending.input,
        taught: pending.taught !== null,
        step: await keptSteps(shelf.folder),
        steps: pending.taught?.settings.steps ?? 0,
      },
      newlySolved: await newlySolved(await memories.open(memory), null, view.items[0]?.info.createdAt ?? null),
    }
  }
  const shelfChanged = async (memory: string): Promise<ShelfView> => {
    board.shelfChanged(keyOf(memory))
    return viewOf(memory)
  }

  return {
    shelf: viewOf,
    async forget(memory) {
      await removePending(shelfOf(memory).folder)
      return shelfChanged(memory)
    },
    async accept(memory, adapter) {
      const shelf = shelfOf(memory)
      const { info } = await shelf.get(adapter)
      if (info.environment === null)
        throw new LoamError('SOFT_PROMPT', 'It does not say which environment it is for.', {
          suggestion: 'Name it for a single run instead.',
        })
      await shelf.use(info.environment, adapter, clock.now().toISOString())
      return shelfChanged(memory)
    },
    async withdraw(memory, environment) {
      await shelfOf(memory).use(environment, null, clock.now().toISOString())
      return shelfChanged(memory)
    },
    async undo(memory, environment) {
      if (!(await shelfOf(memory).undo(environment)))
        throw new LoamError('CONFLICT', 'There is nothing before this.', { suggestion: 'Leave it as it is.' })
      return shelfChanged(memory)
    },
    async remove(memory, adapter) {
      if (isBusy(memory) && board.find(keyOf(memory))?.adapter === adapter)
        throw new LoamError('CONFLICT', 'It is being tried on tasks right now.', {
          suggestion: 'Wait until that is done, or stop it.',
        })
      await shelfOf(memory).remove(adapter)
      return shelfChanged(memory)
    },
    async restore(memory, adapter) {
      await shelfOf(memory).restore(adapter)
      return shelfChanged(memory)
    },
    async export(memory, adapter, folder) {
      if (folder !== null && !isAbsolute(folder))
        throw new LoamError('BAD_INPUT', `"${folder}" is not a full path.`, {
          suggestion: 'Write the folder from the root on.',
        })
      const file = await shelfOf(memory).get(adapter)
      const target = folder ?? join(exportFolder, adapter.replace(/\.gguf$/u, ''))
      return { folder: target, files: await exportSoftPrompt(file, target) }
    },
    async setSchedule(memory, rule, input) {
      if (rule.kind !== 'manual' && input === null)
        throw new LoamError('BAD_INPUT', 'The schedule does not say what to train.', {
          suggestion: 'Choose a stream and a model first.',
        })
      const { lastAt } = await shelfOf(memory).schedule()
      await shelfOf(memory).setSchedule({ rule, input, lastAt })
      return shelfChanged(memory)
    },
  }
}
