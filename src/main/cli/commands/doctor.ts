import { stat } from 'node:fs/promises'
import type { Checkup } from '../../../shared/domain/storage'
import { LoamError } from '../../../shared/errors'
import { findDataPath } from '../../ground/data-path'
import { folderHolder } from '../../ground/lock'
import { findResources } from '../../ground/resources'
import { checkDataFolder } from '../../storage/doctor'
import { FailedCheck, type Command } from './command'

/** `loam doctor`: works beside an open Loam, and without one where none can be opened any more. */
export const doctorCommand: Command = async ({ args, io, host }) => {
  const path = findDataPath(args.text('data'))
  const repair = !args.flag('dry-run')
  if (!(await stat(path).catch(() => null)))
    throw new LoamError('NOT_FOUND', `There is no data folder at ${path}.`, {
      suggestion: 'Name it with --data.',
    })
  const checkup: Checkup =
    (await folderHolder(path)) === null
      ? await checkDataFolder({ path, repair, now: new Date(), version: findResources().version })
      : await (await host()).client.storage.checkup({ repair })
  const { findings, checked, freeBytes } = checkup
  for (const { place, problem, done } of findings)
    io.out(`${place}: ${problem}${done === null ? '' : ` ${done}`}`)
  const tallies = Object.entries(checked).map(([what, count]) => `${what} ${count}`)
  io.out(`Looked at: ${tallies.join(', ')}. ${Math.floor(freeBytes / 1024 ** 2)} MB are free.`)
  if (findings.length === 0) io.out('Everything is as it should be.')
  return findings.some(({ done }) => done === null) ? new FailedCheck(checkup) : checkup
}
