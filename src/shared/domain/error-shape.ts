import { z } from 'zod'
import { ERROR_TITLES, type ErrorCode, type LoamErrorShape } from '../errors'

/** `LoamErrorShape` where it is part of a larger shape. */
export const loamErrorShape = z.object({
  code: z.enum(Object.keys(ERROR_TITLES) as [ErrorCode, ...ErrorCode[]]),
  title: z.string(),
  cause: z.string(),
  suggestion: z.string(),
  retryable: z.boolean(),
}) satisfies z.ZodType<LoamErrorShape>
