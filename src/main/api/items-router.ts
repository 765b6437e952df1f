import { implement } from '@orpc/server'
import { z } from 'zod'
import { experienceFormats, formatInfo } from '../../core/formats'
import { contract } from '../../shared/contract'
import type { ItemOrigin } from '../../shared/domain/item'
import type { App } from '../app'
import { memorySourceOf } from '../items/memory-items'
import { lifetimeOfItems } from '../items/memory-lifetime'
import { topicsOfItems } from '../items/memory-topics'
import { itemTransferRouter } from './item-transfer-router'
import { calibrated } from '../../core/retrieval/calibration'

const os = implement(contract).items

/** The items of a memory, of every kind. */
export const itemsRouter = (app: App) => {
  const { memory, kbJobs, spaces, embedder, imports } = app
  return {
    ...itemTransferRouter(app),
    kinds: os.kinds.handler(() => memory.kinds()),
    list: os.list.handler(({ input, signal }) => memory.list(input, signal)),
    show: os.show.handler(async ({ input }) => {
      const item = await memory.get(input.spaceId, input)
      const origin = await imports.originOf(input.spaceId, input)
      return { ...item, origin, facts: [...item.facts, ...originFacts(origin)] }
    }),
    history: os.history.handler(({ input }) => memory.history(input.spaceId, input)),
    recalls: os.recalls.handler(({ input }) => memory.recalls(input.spaceId, input, input.limit)),
    attempt: os.attempt.handler(({ input }) => memory.attempt(input.spaceId, input.trajectoryId)),
    edit: os.edit.handler(({ input: { spaceId, values, ...ref } }) => memory.edit(spaceId, ref, values)),
    mark: os.mark.handler(({ input: { spaceId, mark, ...ref } }) => memory.mark(spaceId, ref, mark)),
    delete: os.delete.handler(({ input: { spaceId, ...ref } }) => memory.remove(spaceId, ref)),
    restore: os.restore.handler(({ input: { spaceId, ...ref } }) => memory.restore(spaceId, ref)),
    undo: os.undo.handler(({ input }) => memory.undo(input.spaceId, input.steps)),
    apply: os.apply.handler(({ input }) => memory.undo(input.spaceId, input.steps)),
    merge: os.merge.handler(({ input }) => memory.merge(input.spaceId, input.items, input.values)),
    move: os.move.handler(({ input: { spaceId, items, toSpaceId, copy } }) =>
      memory.move(spaceId, items, toSpaceId, copy),
    ),
    view: os.view.handler(({ input, signal }) => memory.ability({ ...input, does: 'view' }, signal)),
    work: os.work.handler(async ({ input, signal }) =>
      z.object({ jobId: z.string() }).parse(await memory.ability({ ...input, does: 'work' }, signal)),
    ),
    lifetime: os.lifetime.handler(async ({ input }) =>
      lifetimeOfItems(await spaces.open(input.spaceId), input.limit),
    ),
    topics: os.topics.handler(async ({ input, signal }) => {
      const space = await spaces.open(input.spaceId)
      return topicsOfItems(memorySourceOf(space), await calibrated(await embedder(), space, signal), signal)
    }),
    exportText: os.exportText.handler(({ input }) =>
      memory.exportText(input.spaceId, input.items, input.kinds),
    ),
    logFormats: os.logFormats.handler(() => experienceFormats().map(formatInfo)),
    importLogs: os.importLogs.handler(({ input }) => ({ jobId: kbJobs.startImport(input) })),
    importText: os.importText.handler(({ input }) => memory.importText(input.spaceId, input.text)),
  }
}

/** Where an item came from, in words. */
const originFacts = (origin: ItemOrigin | null) =>
  origin === null
    ? []
    : [
        {
          label: 'Imported from',
          value: `${origin.file} (${origin.format}), ${origin.at.slice(0, 10)}${origin.client === null ? '' : `, by ${origin.client}`}`,
        },
      ]
