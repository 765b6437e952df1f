import { countWords } from '../../../core/memory/kind-words'
import type { Take } from '../../../shared/domain/take'
import type { Command } from './command'

/** `loam memory mine`: My memory, and what is still to be said about it. */
export const mineCommand: Command = async ({ io, host }) => {
  const mine = await (await host()).client.memories.mine()
  const { memory, candidates, lost, offers } = mine
  io.out(`${memory.id}  ${memory.name}  ${countWords(memory.items)}  ${memory.path}`)
  if (lost !== null) io.note(`The folder of ${lost}, which was My memory, is gone. A backup has it.`)
  for (const { id, name, items } of candidates)
    io.note(`Is "${name}" (${countWords(items)}) your memory? loam memory decide ${id}`)
  if (candidates.length > 0) io.note(`None of them: loam memory decide ${memory.id}`)
  for (const { id, name } of offers)
    io.note(`"${name}" can be taken into My memory: loam memory take ${id} --dry-run`)
  return mine
}

/** `loam memory decide ID`: which memory is the person's own. */
export const decideCommand: Command = async ({ args, io, host }) => {
  const memoryId = args.word(2, 'Which one? "loam memory mine" lists them.')
  const mine = await (await host()).client.memories.decideMine({ memoryId })
  io.out(`My memory is ${mine.memory.name} (${mine.memory.id}).`)
  return mine
}

/** `loam memory take ID`: items of a lab memory into My memory; with --dry-run says what that would bring. */
export const takeCommand: Command = async ({ args, io, host }) => {
  const from = args.word(2, 'From which memory? loam memory take ID')
  const kinds = args.list('kinds') ?? null
  const { memories } = (await host()).client
  if (args.flag('dry-run')) {
    const preview = await memories.previewTake({ from })
    for (const { kind, title, fresh, same, differs, usual } of preview.kinds) {
      const skipped = usual ? '' : `, only with --kinds ${kind}`
      io.out(`${title}: ${fresh} new, ${same} already there, ${differs} that read differently${skipped}`)
    }
    return preview
  }
  const claim = await memories.take({ from, kinds, project: args.text('project') ?? null })
  io.out(`${claim.items.length} items taken. Undo: loam memory untake ${claim.id}`)
  return claim
}

/** `loam memory takes`: what was taken into My memory. */
export const takesCommand: Command = async ({ io, host }) => {
  const takes = await (await host()).client.memories.takes()
  for (const take of takes) io.out(`${take.id}  ${take.at}  ${take.fromName}: ${stateOf(take)}`)
  return { takes }
}

/** `loam memory untake TAKE-ID`: takes out of My memory what one taking brought. */
export const untakeCommand: Command = async ({ args, io, host }) => {
  const takeId = args.word(2, 'Which one? "loam memory takes" lists them.')
  const take = await (await host()).client.memories.undoTake({ takeId })
  io.out(`${take.fromName}: ${stateOf(take)}`)
  return take
}

const stateOf = ({ items, done, undoneAt }: Take): string =>
  `${items.length} items${undoneAt !== null ? ', undone' : done ? '' : ', interrupted'}`
