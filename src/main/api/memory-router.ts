import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import type { App } from '../app'
import { memorySourceOf } from '../memory/memory-items'
import { lifetimeOfMemory } from '../memory/memory-lifetime'
import { topicsOfMemory } from '../memory/memory-topics'
import { calibrated } from '../../core/retrieval/calibration'

const os = implement(contract).memory

/** All kinds of memory of a space in one place. */
export const memoryRouter = ({ memory, spaces, embedder }: App) => ({
  kinds: os.kinds.handler(() => memory.kinds()),
  list: os.list.handler(({ input }) => memory.list(input)),
  get: os.get.handler(({ input }) => memory.get(input.spaceId, input)),
  recalls: os.recalls.handler(({ input }) => memory.recalls(input.spaceId, input, input.limit)),
  attempt: os.attempt.handler(({ input }) => memory.attempt(input.spaceId, input.trajectoryId)),
  edit: os.edit.handler(({ input: { spaceId, values, ...ref } }) => memory.edit(spaceId, ref, values)),
  mark: os.mark.handler(({ input: { spaceId, mark, ...ref } }) => memory.mark(spaceId, ref, mark)),
  remove: os.remove.handler(({ input: { spaceId, ...ref } }) => memory.remove(spaceId, ref)),
  restore: os.restore.handler(({ input: { spaceId, ...ref } }) => memory.restore(spaceId, ref)),
  undo: os.undo.handler(({ input }) => memory.undo(input.spaceId, input.steps)),
  apply: os.apply.handler(({ input }) => memory.undo(input.spaceId, input.steps)),
  merge: os.merge.handler(({ input }) => memory.merge(input.spaceId, input.items, input.values)),
  lifetime: os.lifetime.handler(async ({ input }) =>
    lifetimeOfMemory(await spaces.open(input.spaceId), input.limit),
  ),
  topics: os.topics.handler(async ({ input, signal }) => {
    const space = await spaces.open(input.spaceId)
    return topicsOfMemory(memorySourceOf(space), await calibrated(await embedder(), space, signal), signal)
  }),
  exportText: os.exportText.handler(({ input }) =>
    memory.exportText(input.spaceId, input.items, input.kinds),
  ),
  importText: os.importText.handler(({ input }) => memory.importText(input.spaceId, input.text)),
})
