import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'

const os = implement(contract).softPrompts

/** Soft prompts: training, trying, and deciding which one a memory uses. */
export const softPromptsRouter = ({ softPrompts }: App) => ({
  plan: os.plan.handler(({ input }) => softPrompts.plan(input)),
  start: os.start.handler(({ input }) => softPrompts.start(input)),
  resume: os.resume.handler(({ input }) => softPrompts.resume(input.memoryId)),
  compare: os.compare.handler(({ input }) =>
    softPrompts.compare(input.memoryId, input.adapter, input.choice),
  ),
  cancel: os.cancel.handler(async ({ input }) => {
    await softPrompts.cancel(input.memoryId)
  }),
  forget: os.forget.handler(({ input }) => softPrompts.forget(input.memoryId)),
  watch: os.watch.handler(({ input, signal }) =>
    softPrompts.watch(input.memoryId, { since: input.since, signal }),
  ),
  list: os.list.handler(({ input }) => softPrompts.list(input.memoryId)),
  served: os.served.handler(({ input }) => softPrompts.served(input.memoryId, input.stream, input.model)),
  accept: os.accept.handler(({ input }) => softPrompts.accept(input.memoryId, input.adapter)),
  withdraw: os.withdraw.handler(({ input }) => softPrompts.withdraw(input.memoryId, input.environment)),
  undo: os.undo.handler(({ input }) => softPrompts.undo(input.memoryId, input.environment)),
  remove: os.remove.handler(({ input }) => softPrompts.remove(input.memoryId, input.adapter)),
  restore: os.restore.handler(({ input }) => softPrompts.restore(input.memoryId, input.adapter)),
  export: os.export.handler(({ input }) => softPrompts.export(input.memoryId, input.adapter, input.folder)),
  setSchedule: os.setSchedule.handler(({ input }) =>
    softPrompts.setSchedule(input.memoryId, input.rule, input.input),
  ),
})
