import { keptSchema, type Kept } from '../../../shared/domain/storage'
import { BACKUP_WHY, backupChangeWords } from '../../../shared/domain/backup'
import { UsageError } from '../arguments'
import type { ConsoleIo } from '../console-io'
import type { ReachedHost } from '../own-host'
import type { Command } from './command'

const VERBS = [
  'use',
  'rename',
  'remove',
  'trash',
  'restore',
  'empty',
  'repair',
  'back-up',
  'backups',
  'go-back',
  'stay',
]
const KB = 1024

/** `loam storage VERB`: memories, runs and experiments as things on a disk, and copies of all of it. */
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
    throw new UsageError(`What? loam storage ${verb} memory|run|experiment|stream ID`)
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
      if (third === undefined)
        throw new UsageError('How? loam storage rename memory|run|experiment|stream ID NAME')
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
    case 'back-up': {
      const copy = await storage.backUp()
      io.out(copy.path)
      return copy
    }
    case 'backups': {
      const all = await storage.backups()
      for (const { name, at, why, bytes } of all.backups)
        io.out(`${name}  ${at}  ${BACKUP_WHY[why]}  ${Math.ceil(bytes / KB)} KB`)
      if (all.returnsTo !== null) io.note(`Loam goes back to ${all.returnsTo} when it starts next.`)
      return all
    }
    case 'go-back':
      return goBack(storage, getName('go-back NAME'), args.flag('dry-run'), io)
    case 'stay': {
      const all = await storage.goBack({ name: null })
      io.out('Loam stays with what it has.')
      return all
    }
    default: {
      const repair = await storage.repairMemory({ memoryId: getName('repair MEMORY-ID') })
      io.out(`${repair.kept} commits kept, ${repair.lost} lost. As it was: ${repair.evidence}`)
      return repair
    }
  }
}

/** Says what going back to a backup changes and, unless it is only looked at, has the next start do it. */
async function goBack(
  storage: ReachedHost['client']['storage'],
  name: string,
  isLook: boolean,
  io: Pick<ConsoleIo, 'out' | 'note'>,
) {
  const { changes } = await storage.previewBackup({ name })
  const lines = changes.flatMap((change) => backupChangeWords(change) ?? [])
  for (const line of lines) io.out(line)
  if (lines.length === 0) io.out('Memories, asks, runs and experiments stay as they are.')
  if (isLook) return { changes }
  const { returnsTo } = await storage.goBack({ name })
  io.note(
    'Loam goes back to it when it starts next, and backs up what is there first. Not after all: loam storage stay',
  )
  return { changes, returnsTo }
}
