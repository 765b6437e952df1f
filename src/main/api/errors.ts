import { mapEventIterator } from '@orpc/client'
import { ORPCError, ValidationError } from '@orpc/server'
import { isIterator } from '../../shared/client-errors'
import type { ErrorCode, LoamErrorShape } from '../../shared/errors'
import { LoamError, toErrorShape } from '../../shared/errors'
import { currentTrail, newTrail, onTrail } from '../ground/trail'

/** HTTP status of each code that has a fitting one; everything else is 500. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  BAD_INPUT: 400,
  CONTEXT_OVERFLOW: 400,
  GRAMMAR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  MODEL_NOT_FOUND: 404,
  CONFLICT: 409,
  CANCELLED: 499,
  MODEL_SERVER: 502,
  ENGINE_BUSY: 503,
}

/** The HTTP status that goes with an error. */
export const statusOf = (code: ErrorCode): number => STATUS[code] ?? 500

/** A bug with the id that its lines in the log carry. */
const withTrail = (shape: LoamErrorShape, trail: string | undefined): LoamErrorShape =>
  shape.code !== 'INTERNAL' || trail === undefined
    ? shape
    : { ...shape, suggestion: `Try again. If it keeps happening, look for ${trail} in the log.` }

/** Turns anything a procedure threw into the contract's one error: code `LOAM`, `data` the error shape. `trail`: what the log calls the work. */
export function toRpcError(error: unknown, trail?: string): ORPCError<'LOAM', LoamErrorShape> {
  const shape = withTrail(error instanceof ORPCError ? shapeOfRpcError(error) : toErrorShape(error), trail)
  return new ORPCError('LOAM', {
    status: statusOf(shape.code),
    message: `${shape.title}: ${shape.cause}`,
    data: shape,
    cause: error,
  })
}

function shapeOfRpcError(error: ORPCError<string, unknown>): LoamErrorShape {
  if (error.code === 'LOAM') return error.data as LoamErrorShape
  const issues = error.cause instanceof ValidationError ? describe(error.cause) : error.message
  if (error.code === 'BAD_REQUEST') {
    return new LoamError('BAD_INPUT', issues, { suggestion: 'Check the values and try again.' }).toShape()
  }
  return toErrorShape(new Error(issues))
}

/** "tasks: Too small; seed: Expected number". */
function describe(error: ValidationError): string {
  return error.issues
    .map((issue) => {
      const path = issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
      return path ? `${path}: ${issue.message}` : issue.message
    })
    .join('; ')
}

/** What an interceptor of a procedure call is given, as far as it is used here. */
interface ProcedureCall {
  next: () => Promise<unknown>
  readonly path: readonly string[]
}

/**
 * Interceptor for a handler's or a server-side client's procedure calls. Every failure, also one in the middle of a feed, leaves
 * as the one error; those that are bugs (`INTERNAL`) are told to `onBug` first.
 */
export function mapServerErrors(onBug: (error: unknown, path: string) => void = () => undefined) {
  const watched = async ({ next, path }: ProcedureCall): Promise<unknown> => {
    const trail = currentTrail() ?? newTrail()
    const convert = (error: unknown) => {
      const converted = toRpcError(error, trail)
      if (converted.data.code === 'INTERNAL') onTrail(trail, () => onBug(error, path.join('.')))
      return converted
    }
    try {
      const output = await next()
      if (!isIterator(output)) return output
      return mapEventIterator(output, {
        value: async (value) => value,
        error: async (error) => convert(error),
      })
    } catch (error) {
      throw convert(error)
    }
  }
  return (call: ProcedureCall): Promise<unknown> => onTrail(newTrail(), () => watched(call))
}
