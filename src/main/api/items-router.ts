import { implement } from '@orpc/server'
import { z } from 'zod'
import { contract } from '../../shared/contract'
import type { ItemOrigin } from '../../shared/domain/item'
import type { App } from '../app'
import { memorySourceOf } from '../items/memory-items'
import { lifetimeOfItems } from '../items/memory-lifetime'
import { topicsOfItems } from '../items/memory-topics'
import { readingWords } from '../../shared/domain/reading'
import { allFormats } from '../transfer/bundle-format'
import { existingMemory } from './serve-one-memory'
import { calibrated } from '../../core/retrieval/calibration'

const os = implement(contract).items

/** What comes into a memory from outside, and what leaves it. */
const itemTransferRouter = (app: App) => ({
  formats: os.formats.handler(allFormats),
  previewImport: os.previewImport.handler(({ input, signal }) => app.imports.preview(input, { signal })),
  import: os.import.handler(({ input }) => ({
    jobId: app.jobs.start(
      'import',
      'Importing',
      async ({ signal, progress, tell }) => {
        const report = await app.imports.run(input, {
          signal,
          onProgress: (doneCount, total) => progress({ done: doneCount, total, activity: 'Reading' }),
        })
        tell(report)
        const { waiting } = report
        progress({
          activity: `${readingWords(report)}${waiting > 0 ? `, ${waiting} waiting in quarantine` : ''}`,
          ...(report.importId !== null && { importId: report.importId }),
        })
        // What the next search would wait for.
        if (report.importId !== null) await (await app.memories.open(input.memoryId)).texts?.ready({ signal })
      },
      { unit: 'bytes', subject: input.memoryId },
    ).id,
  })),
  watched: os.watched.handler(() => app.watchedLogs.list()),
  takeWatched: os.takeWatched.handler(() => ({ jobId: app.watchedLogs.takeNow().id })),
  previewExport: os.previewExport.handler(async ({ input, signal }) => {
    await existingMemory(app, input.memoryId)
    return app.exports.preview(input, { signal })
  }),
  export: os.export.handler(async ({ input, signal }) => {
    await existingMemory(app, input.memoryId)
    return app.exports.run(input, { signal })
  }),
  download: os.download.handler(async ({ input, signal }) => {
    await existingMemory(app, input.memoryId)
    const whole = { project: null, since: null, licence: null, provenance: null, path: null, replace: false }
    return app.exports.run({ ...input, ...whole, redact: true, sign: false }, { signal })
  }),
  imports: os.imports.handler(async ({ input }) => {
    await existingMemory(app, input.memoryId)
    return app.imports.list(input.memoryId)
  }),
  undoImport: os.undoImport.handler(async ({ input: { memoryId, importId } }) => {
    await existingMemory(app, memoryId)
    const undone = await app.imports.undo(memoryId, importId)
    app.jobs.markUndone(undone.importId)
    return undone
  }),
})

/** The items of a memory, of every kind. */
export const itemsRouter = (app: App) => {
  const { memory: items, memories, embedder, imports } = app
  return {
    ...itemTransferRouter(app),
    kinds: os.kinds.handler(() => items.kinds()),
    list: os.list.handler(async ({ input, signal }) => {
      const page = await items.list(input, signal)
      return { ...page, rows: app.asks.withUnjudged(page.rows, memories.resolve(input.memoryId)) }
    }),
    show: os.show.handler(async ({ input }) => {
      const item = await items.get(input.memoryId, input)
      const origin = await imports.originOf(input.memoryId, input)
      const [row = item] = app.asks.withUnjudged([item], memories.resolve(input.memoryId))
      return { ...row, origin, facts: [...item.facts, ...originFacts(origin)] }
    }),
    history: os.history.handler(({ input }) => items.history(input.memoryId, input)),
    recalls: os.recalls.handler(({ input }) => items.recalls(input.memoryId, input, input.limit)),
    attempt: os.attempt.handler(({ input }) => items.attempt(input.memoryId, input.trajectoryId)),
    add: os.add.handler(({ input: { memoryId, kind, values, project } }) =>
      items.add(memoryId, kind, values, project),
    ),
    edit: os.edit.handler(({ input: { memoryId, values, ...ref } }) => items.edit(memoryId, ref, values)),
    mark: os.mark.handler(({ input: { memoryId, mark, ...ref } }) => items.mark(memoryId, ref, mark)),
    delete: os.delete.handler(({ input: { memoryId, ...ref } }) => items.remove(memoryId, ref)),
    restore: os.restore.handler(({ input: { memoryId, ...ref } }) => items.restore(memoryId, ref)),
    release: os.release.handler(async ({ input }) => ({
      items: await items.release(input.memoryId, input.from),
    })),
    undo: os.undo.handler(({ input }) => items.undo(input.memoryId, input.steps)),
    apply: os.apply.handler(({ input }) => items.undo(input.memoryId, input.steps)),
    merge: os.merge.handler(({ input }) => items.merge(input.memoryId, input.items, input.values)),
    move: os.move.handler(({ input: { memoryId, items: refs, toMemoryId, copy } }) =>
      items.move(memoryId, refs, toMemoryId, copy),
    ),
    view: os.view.handler(({ input, signal }) => items.ability({ ...input, does: 'view' }, signal)),
    work: os.work.handler(async ({ input, signal }) =>
      z.object({ jobId: z.string() }).parse(await items.ability({ ...input, does: 'work' }, signal)),
    ),
    lifetime: os.lifetime.handler(async ({ input }) =>
      lifetimeOfItems(await memories.open(input.memoryId), input.limit),
    ),
    topics: os.topics.handler(async ({ input, signal }) => {
      const memory = await memories.open(input.memoryId)
      return topicsOfItems(memorySourceOf(memory), await calibrated(await embedder(), memory, signal), signal)
    }),
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
