import { implement } from '@orpc/server'
import { contract } from '../../shared/contract'
import { readingWords } from '../../shared/domain/reading'
import type { App } from '../app'
import { allFormats } from '../transfer/bundle-format'
import { existingMemory } from './existing-memory'

const os = implement(contract).items

/** What comes into a memory from outside, and what leaves it. */
export const itemTransferRouter = (app: App) => ({
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
        progress({ activity: readingWords(report) })
      },
      { unit: 'bytes', subject: input.memoryId },
    ).id,
  })),
  previewExport: os.previewExport.handler(async ({ input, signal }) => {
    await existingMemory(app, input.memoryId)
    return app.exports.preview(input, { signal })
  }),
  export: os.export.handler(async ({ input, signal }) => {
    await existingMemory(app, input.memoryId)
    return app.exports.run(input, { signal })
  }),
  imports: os.imports.handler(async ({ input }) => {
    await existingMemory(app, input.memoryId)
    return app.imports.list(input.memoryId)
  }),
  undoImport: os.undoImport.handler(async ({ input: { memoryId, importId } }) => {
    await existingMemory(app, memoryId)
    return app.imports.undo(memoryId, importId)
  }),
})
