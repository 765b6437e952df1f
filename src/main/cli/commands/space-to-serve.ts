import type { Arguments } from '../arguments'
import { spaceNamed } from './space-named'

/** The space that a command serves, where, and under which name; `usual` is the port where --port names none. */
export const spaceToServe = (args: Arguments, usual: number) => ({
  spaceId: spaceNamed(args),
  port: args.whole('port', 0, 65_535) ?? usual,
  client: args.text('client') ?? null,
})
