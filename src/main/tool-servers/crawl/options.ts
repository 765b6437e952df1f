import { z } from 'zod'
import { onOff } from '../../../core/ground/settings'
import { network, timeLimit } from '../options'

/** What it can be started with. */
export const options = z.strictObject({
  network,
  allowPrivate: onOff(false, {
    title: 'Private pages',
    help: 'It may read pages on this machine and the local network.',
  }),
  timeLimit,
})
export type CrawlOptions = z.output<typeof options>
