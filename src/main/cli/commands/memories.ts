import { countWords } from '../../../core/memory/kind-words'
import { MY_MEMORY, type MemoryInfo } from '../../../shared/domain/memory-info'
import { LoamError } from '../../../shared/errors'
import type { Command } from './command'

const lineOf = ({ id, name, items, path }: MemoryInfo, mine: string): string =>
  `${id}  ${name}  ${countWords(items)}  ${path}${id === mine ? '  (My memory)' : ''}`

/** `loam memories`: the memories of the data folder, and which of them is My memory. */
export const memoriesCommand: Command = async ({ io, host }) => {
  const { memories: area } = (await host()).client
  const { memory: mine } = await area.mine()
  const memories = await area.list()
  for (const memory of memories) io.out(lineOf(memory, mine.id))
  io.note(`Choose one by its name or id: --memory NAME. Without it, and as "${MY_MEMORY}", it is My memory.`)
  return { memories, mine: mine.id }
}

/** `loam memories new NAME`: makes an empty memory. @throws LoamError `BAD_INPUT` for a name that commands could not tell from another's */
export const newMemory: Command = async ({ args, io, host }) => {
  const name = args.word(2, 'How is it called? loam memories new NAME')
  const { memories } = (await host()).client
  if ((await memories.list()).some((one) => one.name.toLowerCase() === name.toLowerCase()))
    throw new LoamError('BAD_INPUT', `A memory is called "${name}" already.`, {
      suggestion: 'Choose another name; "loam memories" lists them.',
    })
  const memory = await memories.create({ name })
  io.out(`${memory.id}  ${memory.name}  ${memory.path}`)
  return memory
}
