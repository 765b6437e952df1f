import { z } from 'zod'
import { jobInfoSchema } from '../domain/job'
import { changing, following, onlyOne, reading } from './procedure'

/** Long work. */
export const jobs = {
  list: reading('Long work, newest first.').output(z.array(jobInfoSchema)),
  report: reading('What a job had to tell when it was done; null when that is nothing.')
    .input(z.object({ jobId: z.string() }))
    .output(z.unknown()),
  cancel: changing('Cancels long work.')
    .input(z.object({ jobId: z.string() }))
    .output(jobInfoSchema),
  watch: following('Follows all long work.', onlyOne, z.array(jobInfoSchema)),
}
