import { keptSchema, type Kept } from '../../../shared/domain/storage'
import { UsageError } from '../arguments'
import type { Command } from './command'

const VERBS = ['use', 'rename', 'remove', 'trash', 'restore', 'empty', 'repair']
const KB = 1024

/** `loam storage use|rename|remove|trash|restore|empty|repair`: memories, runs and experiments as things on a disk. */
export const storageCommand: Command = async ({ args, io, host }) => {
  const [, verb = '', first, second, third] = args.positionals
  if (!VERBS.includes(verb)) throw new UsageError(`loam storage does what? One of: ${VERBS.join(', ')}`)
  const getName = (usage: string): string => {
    if (first === undefined) throw new UsageError(`Which one? loam storage ${usage}`)
    return first
  }
  const getSelection = (): Kept => {
    const read = keptSchema.safeParse({ what: first, id: second })
    if (read.success) return read.data
    throw new UsageError(`What? loam storage ${verb} memory|run|experiment ID`)
  }
  const { storage } = (await host()).client
  switch (verb) {
    case 'use': {
      const use = await storage.use()
      for (const [what, all] of Object.entries({ ...use, trash: { trash: use.trash } }))
        for (const [id, bytes] of Object.entries(all)) io.out(`${what}  ${id}  ${Math.ceil(bytes / KB)} KB`)
      return use
    }
    case 'rename':
      if (third === undefined) throw new UsageError('How? loam storage rename memory|run|experiment ID NAME')
      return storage.rename({ ...getSelection(), name: third })
    case 'remove': {
      const item = await storage.remove(getSelection())
      io.out(`In the trash as ${item.trashId}; "loam storage restore ${item.trashId}" puts it back.`)
      return item
    }
    case 'trash': {
      const items = await storage.trash()
      for (const { trashId, what, name, bytes } of items)
        io.out(`${trashId}  ${what}  ${name}  ${Math.ceil(bytes / KB)} KB`)
      return { items }
    }
    case 'restore':
      return storage.restore({ trashId: getName('restore TRASH-ID') })
    case 'empty':
      return storage.empty({ trashIds: first === undefined ? null : [first] })
    default: {
      const repair = await storage.repairMemory({ memoryId: getName('repair MEMORY-ID') })
      io.out(`${repair.kept} commits kept, ${repair.lost} lost. As it was: ${repair.evidence}`)
      return repair
    }
  }
}
