import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Arguments } from '../arguments'

/** The space of --space: the folder where there is one of that name, else an id. @throws UsageError when none is named */
export function spaceNamed(args: Arguments): string {
  const given = args.required('space')
  return existsSync(given) ? resolve(given) : given
}
