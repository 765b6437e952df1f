import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MY_MEMORY } from '../../../shared/domain/memory-info'
import { BOUNDS } from '../../../shared/domain/bounds'
import { LoamError } from '../../../shared/errors'
import type { Arguments } from '../arguments'

/** The memory of --memory, whose names are folders by now. Default: My memory. */
export const memoryNamed = (args: Arguments): string => args.text('memory') ?? MY_MEMORY

/** The folder of --memory, which need not be there yet. Default: My memory. */
export function folderNamed(args: Arguments): string {
  const inputText = args.text('memory')
  return inputText === undefined || inputText === MY_MEMORY ? MY_MEMORY : resolve(inputText)
}

/** As `folderNamed`, but it has to be named. @throws UsageError */
export function requiredFolder(args: Arguments): string {
  args.required('memory')
  return folderNamed(args)
}

/** As `folderNamed`, but the memory has to be there: looking makes no memory of an empty folder. @throws LoamError `NOT_FOUND` */
export async function existingFolder(args: Arguments): Promise<string> {
  const folder = folderNamed(args)
  if (folder !== MY_MEMORY && !existsSync(join(folder, 'space.json')))
    throw new LoamError('NOT_FOUND', `There is no memory in ${folder}.`, {
      suggestion: 'Name the folder of a memory; "loam import" makes a new one.',
    })
  return folder
}

/** The memory that a command serves, where, and under which name; `usual` is the port where --port names none. */
export const memoryToServe = (args: Arguments, usual: number) => ({
  memoryId: memoryNamed(args),
  port: args.whole('port', BOUNDS.port) ?? usual,
  client: args.text('client') ?? null,
})
