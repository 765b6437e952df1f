import { join } from 'node:path'
import { moduleList } from '../../core/ground/module-list'

/** Folders of the modules from outside that are in use. Each may bring `prompts` and `streams`. */
export const MODULE_FOLDERS = moduleList<string>([])

/** The folders of one name that modules in use bring. */
export const broughtFolders = (name: 'prompts' | 'streams'): string[] =>
  MODULE_FOLDERS.map((folder) => join(folder, name))
