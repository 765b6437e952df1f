import { z } from 'zod'
import { root, timeLimit } from '../options'

/** What it can be started with. */
export const options = z.strictObject({ root: root('A folder to read.'), timeLimit })
export type DocumentsOptions = z.output<typeof options>
