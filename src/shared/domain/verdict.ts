import { z } from 'zod'

/** What is said of an attempt: 1 is solved, 0 is not. */
export const verdictSchema = z.union([z.literal(0), z.literal(1)])
