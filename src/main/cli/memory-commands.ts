import type { Declared } from './commands/command'
import { memoryCommand } from './commands/memory'
import { decideCommand, mineCommand, takeCommand, takesCommand, untakeCommand } from './commands/my-memory'
import { one } from './declare-command'

const ITEM = 'KIND ID'

/** What can be done with the items of a memory, and with My memory itself. */
export const MEMORY_COMMANDS: readonly Declared[] = [
  one('memory list', '[KIND]', 'what a memory remembers, of every kind', memoryCommand, 'memory', 'limit'),
  one(
    'memory search',
    'QUERY',
    'items that fit a text, best first; --set FACET=LABEL narrows it',
    memoryCommand,
    'memory',
    'kinds',
    'mode',
    'k',
    'alpha',
    'set',
  ),
  one('memory show', ITEM, 'one item in full', memoryCommand, 'memory'),
  one('memory edit', ITEM, 'change fields of an item', memoryCommand, 'memory', 'set'),
  one('memory pin', ITEM, 'recall it before others', memoryCommand, 'memory'),
  one('memory mute', ITEM, 'recall it no more', memoryCommand, 'memory'),
  one('memory unmark', ITEM, 'take pin or mute back', memoryCommand, 'memory'),
  one('memory delete', ITEM, 'delete it; nothing is erased', memoryCommand, 'memory'),
  one('memory restore', ITEM, 'make it live again', memoryCommand, 'memory'),
  one('memory history', ITEM, 'how it read before, and what it replaced', memoryCommand, 'memory'),
  one('memory move', ITEM, 'put it into another memory (--to DIR)', memoryCommand, 'memory', 'to', 'copy'),
  one('memory mine', undefined, 'My memory, and what is still to be said about it', mineCommand),
  one('memory decide', 'ID', 'say which memory is yours, where Loam cannot know', decideCommand),
  one(
    'memory take',
    'ID',
    'take items of a lab memory into My memory; --dry-run says what that brings',
    takeCommand,
    'kinds',
    'project',
    'dry-run',
  ),
  one('memory takes', undefined, 'what was taken into My memory', takesCommand),
  one('memory untake', 'TAKE-ID', 'take out again what a taking brought', untakeCommand),
]
