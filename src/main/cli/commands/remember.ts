import { facts } from '../../../core/memory/facts/kind'
import type { Command } from './command'
import { memoryNamed } from './memory-named'

/** `loam remember TEXT`: keeps a fact, as a person says it. */
export const rememberCommand: Command = async ({ args, io, host }) => {
  const statement = args.word(1, 'What? loam remember "The spare key is with Ines."')
  const values = { statement, about: args.text('about') ?? '', until: args.text('until') ?? '' }
  const { items } = (await host()).client
  const project = args.text('project') ?? null
  const { item, undo } = await items.add({
    memoryId: memoryNamed(args),
    kind: facts.info.id,
    values,
    project,
  })
  io.out(undo.length > 0 ? `${item.id}: ${item.title}` : `That is known already (${item.id}).`)
  return item
}
