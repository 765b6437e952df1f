import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract).consolidation

/** Soft prompts: training, trying, and deciding which one a memory uses. */
export const consolidationRouter = ({ consolidations }: App) => ({
  plan: os.plan.handler(({ input }) => consolidations.plan(input)),
  start: os.start.handler(({ input }) => consolidations.start(input)),
  resume: os.resume.handler(({ input }) => consolidations.resume(input.memoryId)),
  compare: os.compare.handler(({ input }) =>
    consolidations.compare(input.memoryId, input.adapter, input.choice),
  ),
  cancel: os.cancel.handler(async ({ input }) => {
    await consolidations.cancel(input.memoryId)
  }),
  forget: os.forget.handler(({ input }) => consolidations.forget(input.memoryId)),
  watch: os.watch.handler(({ input, signal }) =>
    consolidations.watch(input.memoryId, { since: input.since, signal }),
  ),
  shelf: os.shelf.handler(({ input }) => consolidations.shelf(input.memoryId)),
  served: os.served.handler(({ input }) => consolidations.served(input.memoryId, input.stream, input.model)),
  accept: os.accept.handler(({ input }) => consolidations.accept(input.memoryId, input.adapter)),
  withdraw: os.withdraw.handler(({ input }) => consolidations.withdraw(input.memoryId, input.environment)),
  undo: os.undo.handler(({ input }) => consolidations.undo(input.memoryId, input.environment)),
  remove: os.remove.handler(({ input }) => consolidations.remove(input.memoryId, input.adapter)),
  restore: os.restore.handler(({ input }) => consolidations.restore(input.memoryId, input.adapter)),
  export: os.export.handler(({ input }) => consolidations.export(input.memoryId, input.adapter, input.folder)),
  setSchedule: os.setSchedule.handler(({ input }) =>
    consolidations.setSchedule(input.memoryId, input.rule, input.input),
  ),
})
