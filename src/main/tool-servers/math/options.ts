import { z } from 'zod'
import { timeLimit } from '../options'

/** What it can be started with. */
export const options = z.strictObject({ timeLimit })
export type MathOptions = z.output<typeof options>
