import { isAbsolute, join } from 'node:path'
import type { ConsolidateInput, ScheduleRule, ShelfView } from '../../shared/domain/consolidation'
import { LoamError } from '../../shared/errors'
import { exportSoftPrompt } from './export'
import { newlySolved } from './due'
import { keptSteps, readPending, removePending } from './pending'
import type { WorkBoard } from './work-board'
import type { ConsolidationsDeps } from './consolidations-deps'
import type { SpaceWork } from './consolidation-work'
/** What people see of a space's soft prompts and decide about them. */
export interface ShelfDecisions {
  /** Throws away what was interrupted. */
  forget(space: string): Promise<ShelfView>
  shelf(space: string): Promise<ShelfView>
  /** Puts a soft prompt to use in its environment. */
  accept(space: string, adapter: string): Promise<ShelfView>
  /** Uses none in this environment from now on. */
  withdraw(space: string, environment: string): Promise<ShelfView>
  /** Back to what was in use before. Throws `CONFLICT` when there was nothing. */
  undo(space: string, environment: string): Promise<ShelfView>
  remove(space: string, adapter: string): Promise<ShelfView>
  restore(space: string, adapter: string): Promise<ShelfView>
  /** Writes adapter, description and README. Default folder: one of its own under the data folder's exports. */
  export(space: string, adapter: string, folder: string | null): Promise<{ folder: string; files: string[] }>
  setSchedule(space: string, rule: ScheduleRule, input: ConsolidateInput | null): Promise<ShelfView>
}

/** Over the work of the same spaces. */
export function createShelfDecisions(
  { clock, spaces, exportFolder }: ConsolidationsDeps,
  { keyOf, shelfOf, isBusy }: SpaceWork,
  board: WorkBoard,
): ShelfDecisions {
  const viewOf = async (space: string): Promise<ShelfView> => {
    const shelf = shelfOf(space)
    const [view, schedule, pending] = await Promise.all([
      shelf.view(),
      shelf.schedule(),
      isBusy(space) ? null : readPending(shelf.folder),
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
      newlySolved: await newlySolved(await spaces.open(space), null, view.items[0]?.info.createdAt ?? null),
    }
  }
  const shelfChanged = async (space: string): Promise<ShelfView> => {
    board.shelfChanged(keyOf(space))
    return viewOf(space)
  }

  return {
    shelf: viewOf,
    async forget(space) {
      await removePending(shelfOf(space).folder)
      return shelfChanged(space)
    },
    async accept(space, adapter) {
      const shelf = shelfOf(space)
      const { info } = await shelf.get(adapter)
      if (info.environment === null)
        throw new LoamError('SOFT_PROMPT', 'It does not say which environment it is for.', {
          suggestion: 'Name it for a single run instead.',
        })
      await shelf.use(info.environment, adapter, clock.now().toISOString())
      return shelfChanged(space)
    },
    async withdraw(space, environment) {
      await shelfOf(space).use(environment, null, clock.now().toISOString())
      return shelfChanged(space)
    },
    async undo(space, environment) {
      if (!(await shelfOf(space).undo(environment)))
        throw new LoamError('CONFLICT', 'There is nothing before this.', { suggestion: 'Leave it as it is.' })
      return shelfChanged(space)
    },
    async remove(space, adapter) {
      if (isBusy(space) && board.find(keyOf(space))?.adapter === adapter)
        throw new LoamError('CONFLICT', 'It is being tried on tasks right now.', {
          suggestion: 'Wait until that is done, or stop it.',
        })
      await shelfOf(space).remove(adapter)
      return shelfChanged(space)
    },
    async restore(space, adapter) {
      await shelfOf(space).restore(adapter)
      return shelfChanged(space)
    },
    async export(space, adapter, folder) {
      if (folder !== null && !isAbsolute(folder))
        throw new LoamError('BAD_INPUT', `"${folder}" is not a full path.`, {
          suggestion: 'Write the folder from the root on.',
        })
      const file = await shelfOf(space).get(adapter)
      const target = folder ?? join(exportFolder, adapter.replace(/\.gguf$/u, ''))
      return { folder: target, files: await exportSoftPrompt(file, target) }
    },
    async setSchedule(space, rule, input) {
      if (rule.kind !== 'manual' && input === null)
        throw new LoamError('BAD_INPUT', 'The schedule does not say what to train.', {
          suggestion: 'Choose a stream and a model first.',
        })
      const { lastAt } = await shelfOf(space).schedule()
      await shelfOf(space).setSchedule({ rule, input, lastAt })
      return shelfChanged(space)
    },
  }
}
