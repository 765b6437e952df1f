import { implement } from '@orpc/server'
import { FORMATS, formatInfo } from '../../core/formats'
import { contract } from '../../shared/contract'
import { readingWords } from '../../shared/domain/reading'
import type { App } from '../app'
import { existingSpace } from './existing-space'

const os = implement(contract).items

/** What comes into a memory from outside. */
export const itemTransferRouter = (app: App) => ({
  formats: os.formats.handler(() => FORMATS.map(formatInfo)),
  previewImport: os.previewImport.handler(({ input, signal }) => app.imports.preview(input, { signal })),
  import: os.import.handler(({ input }) => ({
    jobId: app.jobs.start(
      'import',
      'Importing',
      async ({ signal, progress, tell }) => {
        const report = await app.imports.run(input, {
          signal,
          onProgress: (done, total) => progress({ done, total, activity: 'Reading' }),
        })
        tell(report)
        progress({ activity: readingWords(report) })
      },
      { unit: 'bytes', subject: input.spaceId },
    ).id,
  })),
  imports: os.imports.handler(async ({ input }) => {
    await existingSpace(app, input.spaceId)
    return app.imports.list(input.spaceId)
  }),
  undoImport: os.undoImport.handler(async ({ input: { spaceId, importId } }) => {
    await existingSpace(app, spaceId)
    return app.imports.undo(spaceId, importId)
  }),
})
