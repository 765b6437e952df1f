import type { Declared } from './commands/command'
import { importCommand, importsCommand, rollbackCommand, undoImportCommand } from './commands/import'
import { one } from './declare-command'

/** How items come into a memory from outside, and out of it again. */
export const IMPORT_COMMANDS: readonly Declared[] = [
  one(
    'import',
    '[PATH...]',
    'read files, folders, patterns, bundles or what was published (--from) into a memory, recognised by content',
    importCommand,
    'memory',
    'format',
    'kinds',
    'on-conflict',
    'conflicts',
    'answers',
    'dry-run',
    'from',
  ),
  one('imports', undefined, 'what was imported into a memory', importsCommand, 'memory'),
  one('imports undo', '[ID]', 'undo an import as a whole; without ID the last', undoImportCommand, 'memory'),
  one('rollback', undefined, 'is now called "imports undo"', rollbackCommand, 'memory'),
]
