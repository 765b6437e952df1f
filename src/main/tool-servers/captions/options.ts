import { z } from 'zod'
import { root } from '../options'

/** What it can be started with. */
export const options = z.strictObject({
  root: root('A folder whose pictures, recordings and films may be described.'),
})
export type CaptionsOptions = z.output<typeof options>
