import type { Declared } from './commands/command'
import { later, one } from './commands/declare'

// Each file is read when one of its commands runs.
const memoriesFile = () => import('./commands/memories')
const memoryFile = () => import('./commands/memory')
const myMemoryFile = () => import('./commands/my-memory')
const rememberFile = () => import('./commands/remember')
const doctorFile = () => import('./commands/doctor')
const storageFile = () => import('./commands/storage')

const ITEM = 'KIND ID'
const KEPT = 'memory|run|experiment|stream ID'

/** Commands about memories, what they hold, and what lies on the disk. */
export const MEMORY_COMMANDS: readonly Declared[] = [
  one('memories', undefined, 'list the memories of the data folder', later(memoriesFile, 'memoriesCommand')),
  one('memories new', 'NAME', 'make an empty memory', later(memoriesFile, 'newMemory')),
  one(
    'remember',
    'TEXT',
    'keep a fact about you, a person, a project or a thing',
    later(rememberFile, 'rememberCommand'),
    'about until project memory',
  ),
  one(
    'memory list',
    '[KIND]',
    'what a memory remembers, of every kind',
    later(memoryFile, 'memoryCommand'),
    'memory limit',
  ),
  one(
    'memory search',
    'QUERY',
    'items that fit a text, best first; --set FACET=LABEL narrows it',
    later(memoryFile, 'memoryCommand'),
    'memory kinds mode k alpha set',
  ),
  one('memory show', ITEM, 'one item in full', later(memoryFile, 'memoryCommand'), 'memory'),
  one(
    'memory add',
    'KIND',
    'write an item by hand (--set statement=TEXT)',
    later(memoryFile, 'memoryCommand'),
    'memory set project',
  ),
  one('memory edit', ITEM, 'change fields of an item', later(memoryFile, 'memoryCommand'), 'memory set'),
  one('memory pin', ITEM, 'recall it before others', later(memoryFile, 'memoryCommand'), 'memory'),
  one('memory mute', ITEM, 'recall it no more', later(memoryFile, 'memoryCommand'), 'memory'),
  one('memory unmark', ITEM, 'take pin or mute back', later(memoryFile, 'memoryCommand'), 'memory'),
  one('memory delete', ITEM, 'delete it; nothing is erased', later(memoryFile, 'memoryCommand'), 'memory'),
  one('memory restore', ITEM, 'make it live again', later(memoryFile, 'memoryCommand'), 'memory'),
  one(
    'memory waiting',
    '[KIND]',
    'what waits in quarantine for your word',
    later(memoryFile, 'memoryCommand'),
    'memory limit',
  ),
  one(
    'memory release',
    undefined,
    'take it out',
    later(memoryFile, 'memoryCommand'),
    'memory signer import program',
  ),
  one(
    'memory history',
    ITEM,
    'how it read before, and what it replaced',
    later(memoryFile, 'memoryCommand'),
    'memory',
  ),
  one(
    'memory move',
    ITEM,
    'put it into another memory (--to DIR)',
    later(memoryFile, 'memoryCommand'),
    'memory to copy',
  ),
  one(
    'memory mine',
    undefined,
    'My memory, and what is still to be said about it',
    later(myMemoryFile, 'mineCommand'),
  ),
  one(
    'memory decide',
    'ID',
    'say which memory is yours, where Loam cannot know',
    later(myMemoryFile, 'decideCommand'),
  ),
  one(
    'memory take',
    'ID',
    'take items of a lab memory into My memory; --dry-run says what that brings',
    later(myMemoryFile, 'takeCommand'),
    'kinds project dry-run',
  ),
  one('memory takes', undefined, 'what was taken into My memory', later(myMemoryFile, 'takesCommand')),
  one(
    'memory untake',
    'TAKE-ID',
    'take out again what a taking brought',
    later(myMemoryFile, 'untakeCommand'),
  ),
  one(
    'storage use',
    undefined,
    'what memories, runs, experiments and the trash take on disk',
    later(storageFile, 'storageCommand'),
  ),
  one('storage rename', `${KEPT} NAME`, 'give another name', later(storageFile, 'storageCommand')),
  one('storage remove', KEPT, 'throw into the trash', later(storageFile, 'storageCommand')),
  one('storage trash', undefined, 'what is in the trash', later(storageFile, 'storageCommand')),
  one('storage restore', 'TRASH-ID', 'put back from the trash', later(storageFile, 'storageCommand')),
  one(
    'storage empty',
    '[TRASH-ID]',
    'delete for good what is in the trash',
    later(storageFile, 'storageCommand'),
  ),
  one(
    'storage repair',
    'SPACE-ID',
    'make a damaged memory one that opens, from what is whole',
    later(storageFile, 'storageCommand'),
  ),
  one(
    'storage back-up',
    undefined,
    'copy the data folder into its backups',
    later(storageFile, 'storageCommand'),
  ),
  one('storage backups', undefined, 'list the backups', later(storageFile, 'storageCommand')),
  one(
    'storage go-back',
    'NAME',
    'have the next start go back to a backup; --dry-run says what that changes',
    later(storageFile, 'storageCommand'),
    'dry-run',
  ),
  one('storage stay', undefined, 'go back to no backup after all', later(storageFile, 'storageCommand')),
  one(
    'doctor',
    undefined,
    'check every kind of file of the data folder and repair what is damaged; --dry-run only looks',
    later(doctorFile, 'doctorCommand'),
    'dry-run',
  ),
]
