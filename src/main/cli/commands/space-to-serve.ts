import { BOUNDS } from '../../../shared/domain/bounds'
import type { Arguments } from '../arguments'
import { spaceNamed } from './space-named'

/** The space that a command serves, where, and under which name; `usual` is the port where --port names none. */
export const spaceToServe = (args: Arguments, usual: number) => ({
  spaceId: spaceNamed(args),
  port: args.whole('port', BOUNDS.port) ?? usual,
  client: args.text('client') ?? null,
})
