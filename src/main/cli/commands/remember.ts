import { facts } from '../../../core/memory/facts/kind'
import type { Command } from './command'
import { memoryNamed } from './memory-named'

/** `loam remember TEXT`: keeps a fact, as a person says it. */
export const rememberCommand: Command = async ({ args, io, host }) => {
  const statement = args.word(1, 'What? loam remember "The spare key is with Ines."')
  const values = { statement, about: args.text('about') ?? '', until: args.text('until') ?? '' }
  const { items } = (await host()).client
  const project = args.text('project') ?? null
  const fact = { memoryId: memoryNamed(args), kind: facts.info.id }
  const { item, undo } = await items.add({ ...fact, values, project })
  io.out(undo.length > 0 ? `${item.id}: ${item.title}` : `That is known already (${item.id}).`)
  const earlier = undo.length > 0 ? (await items.history({ ...fact, id: item.id })).at(-2) : undefined
  if (earlier) io.out(`It takes the place of: ${earlier.title}`)
  return item
}
