import type { Declared } from './commands/command'
import { conformCommand } from './commands/conform'
import { addModule, allowModule, denyModule, listModules, removeModule } from './commands/modules'
import { one } from './declare-command'

/** Modules from outside, and the rules of their seams. */
export const MODULE_COMMANDS: readonly Declared[] = [
  one(
    'module add',
    'PATH|PACKAGE',
    'copy a method, environment, provider, format, tool server or memory kind into Loam',
    addModule,
  ),
  one('module list', undefined, 'list modules, where they are from and which are in use', listModules),
  one('module allow', 'NAME', 'put a module to use; its code runs inside Loam', allowModule),
  one('module deny', 'NAME', 'take a module out of use', denyModule),
  one('module remove', 'NAME', 'delete a module', removeModule),
  one('conform', 'SEAM PATH', 'run the suite of a seam over the module in a folder', conformCommand),
]
