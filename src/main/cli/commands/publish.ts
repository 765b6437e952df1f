import { publishMemory, searchPublished } from '../../share/publish'
import { mustBeOn } from '../../transfer/network'
import type { Command, CommandContext } from './command'
import { existingMemory } from '../../api/existing-memory'
import { memoryNamed } from './memory-named'
import { BOUNDS } from '../../../shared/domain/bounds'

const allowed = async ({ app }: CommandContext, uri: string): Promise<void> =>
  mustBeOn(uri, (await app()).settings().network)

/** `loam publish`: what a memory knows, for readers anywhere. */
export const publishCommand: Command = async (context) => {
  const { args, io, app } = context
  const uri = args.required('to')
  await allowed(context, uri)
  const memory = await existingMemory(await app(), memoryNamed(args))
  const publication = await publishMemory(memory, uri, { signal: io.signal })
  io.out(
    `Version ${publication.version}: ${publication.put} put, ${publication.removed} removed, ${publication.same} as they were.`,
  )
  return publication
}

/** `loam published QUERY`: searches what was published. */
export const publishedCommand: Command = async (context) => {
  const { args, io, app } = context
  const query = args.word(1, 'What for? loam published QUERY --from URI')
  const uri = args.required('from')
  await allowed(context, uri)
  const embedder = await (await app()).embedder()
  const hits = await searchPublished(uri, query, { embedder, k: args.whole('k', BOUNDS.results) ?? 5 })
  for (const { score, kind, title } of hits) io.out(`${score.toFixed(3)}  ${kind}: ${title.slice(0, 100)}`)
  return { hits }
}
