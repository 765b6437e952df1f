import type { Declared } from './commands/command'
import { memoryCommand } from './commands/memory'
import { decideCommand, mineCommand, takeCommand, takesCommand, untakeCommand } from './commands/my-memory'
import { one } from './one-command'

const ITEM = 'KIND ID'

/** What can be done with the items of a memory, and with My memory itself. */
export const MEMORY_COMMANDS: readonly Declared[] = [
  one('memory list', '[KIND]', 'what a space remembers, of every kind', memoryCommand, 'space', 'limit'),
  one(
    'memory search',
    'QUERY',
    'items that fit a text, best first; --set FACET=LABEL narrows it',
    memoryCommand,
    'space',
    'kinds',
    'mode',
    'k',
    'alpha',
    'set',
  ),
  one('memory show', ITEM, 'one item in full', memoryCommand, 'space'),
  one('memory edit', ITEM, 'change fields of an item', memoryCommand, 'space', 'set'),
  one('memory pin', ITEM, 'recall it before others', memoryCommand, 'space'),
  one('memory mute', ITEM, 'recall it no more', memoryCommand, 'space'),
  one('memory unmark', ITEM, 'take pin or mute back', memoryCommand, 'space'),
  one('memory delete', ITEM, 'delete it; nothing is erased', memoryCommand, 'space'),
  one('memory restore', ITEM, 'make it live again', memoryCommand, 'space'),
  one('memory history', ITEM, 'how it read before, and what it replaced', memoryCommand, 'space'),
  one('memory move', ITEM, 'put it into another memory (--to DIR)', memoryCommand, 'space', 'to', 'copy'),
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
