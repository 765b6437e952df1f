import { MY_MEMORY, type MemoryInfo } from '../../../shared/domain/memory-info'
import type { Command } from './command'

const lineOf = ({ id, name, cases, path }: MemoryInfo, mine: string): string =>
  `${id}  ${name}  ${cases} cases  ${path}${id === mine ? '  (My memory)' : ''}`

/** `loam memories`: the memories of the data folder, and which of them is My memory. */
export const memoriesCommand: Command = async ({ io, host }) => {
  const { memories: area } = (await host()).client
  const { memory: mine } = await area.mine()
  const memories = await area.list()
  for (const memory of memories) io.out(lineOf(memory, mine.id))
  io.note(`Choose one by its name or id: --memory NAME. Without it, and as "${MY_MEMORY}", it is My memory.`)
  return { memories, mine: mine.id }
}

/** `loam memories new NAME`: makes an empty memory. */
export const newMemory: Command = async ({ args, io, host }) => {
  const name = args.word(2, 'How is it called? loam memories new NAME')
  const memory = await (await host()).client.memories.create({ name })
  io.out(`${memory.id}  ${memory.name}  ${memory.path}`)
  return memory
}
