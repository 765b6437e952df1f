import { implement } from '@orpc/server'
import { experienceFormats, formatInfo } from '../../core/formats'
import { contract } from '../../shared/contract'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'

const os = implement(contract).experiences

/** The experiences of a space. */
export const experiencesRouter = (app: App) => ({
  list: os.list.handler(({ input, signal }) => app.kb.page(input, signal)),
  get: os.get.handler(({ input }) => app.kb.open(input.spaceId, input.experienceId)),
  source: os.source.handler(async ({ input }) => {
    const space = await app.spaces.open(input.spaceId)
    const id = (await space.experiences.get(input.experienceId))?.experience.trajectoryId ?? null
    const trajectory = id === null ? null : await space.trajectory(id)
    if (trajectory) return trajectory
    throw new LoamError('NOT_FOUND', 'The attempt behind this experience is not in this space.', {
      suggestion: 'It was imported; its steps are all there is.',
    })
  }),
  ofAttempt: os.ofAttempt.handler(({ input }) => app.kb.ofAttempt(input.spaceId, input.trajectoryId)),
  edit: os.edit.handler(({ input }) => app.kb.edit(input.spaceId, input.experienceId, input.edit)),
  delete: os.delete.handler(({ input }) => app.kb.remove(input.spaceId, input.experienceId)),
  restore: os.restore.handler(async ({ input }) => {
    await app.kb.restore(input.spaceId, input.experienceId)
    return app.kb.open(input.spaceId, input.experienceId)
  }),
  stats: os.stats.handler(({ input }) => app.kb.stats(input.spaceId)),
  formats: os.formats.handler(() => experienceFormats().map(formatInfo)),
  import: os.import.handler(({ input }) => ({ jobId: app.kbJobs.startImport(input) })),
  abstract: os.abstract.handler(({ input }) => ({ jobId: app.kbJobs.startAbstraction(input) })),
  report: os.report.handler(({ input }) => app.kbJobs.report(input.jobId)),
})
