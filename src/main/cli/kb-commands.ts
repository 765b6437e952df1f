import type { Declared } from './commands/command'
import { kbAbstract, kbFormats, kbStats, movedTo } from './commands/kb'
import { oldImportCommand } from './commands/import'
import { kbServe } from './commands/kb-serve'
import { one } from './declare-command'

/** What `kb import` took, for the word to its new name. */
const MOVED_IMPORT = ['memory', 'format'] as const

/** What can be done with experiences. */
export const KB_COMMANDS: readonly Declared[] = [
  one('kb import', 'PATH...', 'is now called "import"', oldImportCommand, ...MOVED_IMPORT),
  one(
    'kb abstract',
    undefined,
    'have the model write experiences from imported logs',
    kbAbstract,
    'memory',
    'model',
    'limit',
    'tau',
    'seed',
    'gpu-layers',
  ),
  one(
    'kb search',
    'QUERY',
    'now "loam memory search QUERY --kinds experience"',
    movedTo('search QUERY --kinds experience'),
    ...(['memory', 'mode', 'k', 'alpha', 'domains', 'tools'] as const),
  ),
  one('kb stats', undefined, 'how many experiences there are, by origin', kbStats, 'memory'),
  one(
    'kb restore',
    'ID',
    'now "loam memory restore experience ID"',
    movedTo('restore experience ID'),
    'memory',
  ),
  one(
    'kb serve',
    undefined,
    "serve a memory's experiences in Agent KB's own protocol on 127.0.0.1",
    kbServe,
    'memory',
    'port',
    'client',
    'write',
    'tokenless',
  ),
  one('kb formats', undefined, 'list the formats that can be read', kbFormats),
]
