import { LoamError } from '../../../shared/errors'
import { publishSpace, searchPublished } from '../../share/publish'
import { UsageError } from '../arguments'
import type { Command, CommandContext } from './command'
import { existingSpace } from '../../api/existing-space'
import { spaceNamed } from './space-named'
import { BOUNDS } from '../../../shared/domain/bounds'

const IS_STORE = /^[a-z][a-z0-9+]{1,9}:\/\//i

/** An address of an object store is spoken to only while the network is on. @throws LoamError `NETWORK_OFF` */
async function allowed({ app }: CommandContext, uri: string): Promise<void> {
  if (!IS_STORE.test(uri) || (await app()).settings().network) return
  throw new LoamError('NETWORK_OFF', `${uri} is reached over the network, which is off.`, {
    suggestion: 'Turn the network on in Settings, or name a folder.',
  })
}

/** `loam publish`: what a space knows, for readers anywhere. */
export const publishCommand: Command = async (context) => {
  const { args, io, app } = context
  const uri = args.required('to')
  await allowed(context, uri)
  const space = await existingSpace(await app(), spaceNamed(args))
  const done = await publishSpace(space, uri, { signal: io.signal })
  io.out(`Version ${done.version}: ${done.put} put, ${done.removed} removed, ${done.same} as they were.`)
  return done
}

/** `loam published QUERY`: searches what was published. */
export const publishedCommand: Command = async (context) => {
  const { args, io, app } = context
  const [, query] = context.args.positionals
  if (query === undefined) throw new UsageError('What for? loam published QUERY --from URI')
  const uri = args.required('from')
  await allowed(context, uri)
  const embedder = await (await app()).embedder()
  const hits = await searchPublished(uri, query, { embedder, k: args.whole('k', BOUNDS.results) ?? 5 })
  for (const { score, kind, title } of hits) io.out(`${score.toFixed(3)}  ${kind}: ${title.slice(0, 100)}`)
  return { hits }
}
