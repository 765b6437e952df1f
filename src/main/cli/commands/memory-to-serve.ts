import { BOUNDS } from '../../../shared/domain/bounds'
import type { Arguments } from '../arguments'
import { memoryNamed } from './memory-named'

/** The memory that a command serves, where, and under which name; `usual` is the port where --port names none. */
export const memoryToServe = (args: Arguments, usual: number) => ({
  memoryId: memoryNamed(args),
  port: args.whole('port', BOUNDS.port) ?? usual,
  client: args.text('client') ?? null,
})
