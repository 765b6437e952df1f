import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { LAB_DB } from '../../../core/tasks/lab-db/environment'
import { regradeSessions } from '../../../core/tasks/lab-db/regrade'
import { verifyLabDb } from '../../../core/tasks/lab-db/verify'
import { LoamError } from '../../../shared/errors'
import { createEnvironments } from '../../environments'
import { findResources } from '../../resources'
import { UsageError } from '../arguments'
import type { Command } from './command'

const readText = async (file: string): Promise<string> => {
  const path = resolve(file)
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new LoamError('NOT_FOUND', `${path} cannot be read: ${(error as Error).message}`, {
      suggestion: 'Name a file that is there.',
    })
  })
}

// Neither command needs a data folder, so both also work while another Loam is open.
const sqlEngine = () => createEnvironments(findResources().prompts).sqlEngine()

/** `loam verify-env lab-db FILE`. */
export const verifyCommand: Command = async ({ args, io }) => {
  args.only('verify-env')
  const [, environment, file] = args.positionals
  if (environment !== LAB_DB) throw new UsageError(`Which environment? This Loam has: ${LAB_DB}`)
  if (file === undefined) throw new UsageError('Which data set? loam verify-env lab-db FILE')
  const report = verifyLabDb(await sqlEngine(), await readText(file), resolve(file))
  io.out(
    `${report.agree} of ${report.total} entries agree with their gold answer, ${report.skipped} rows skipped`,
  )
  if (report.disagreeIds.length > 0) io.out(`Not: ${report.disagreeIds.join(', ')}`)
  return report
}

/** `loam regrade FILE --dataset FILE`. */
export const regradeCommand: Command = async ({ args, io }) => {
  args.only('regrade', 'dataset')
  const [, file] = args.positionals
  if (file === undefined) throw new UsageError('Which sessions? loam regrade FILE --dataset FILE')
  const dataset = args.required('dataset')
  const report = regradeSessions(await sqlEngine(), await readText(file), await readText(dataset))
  io.out(`${report.agree} of ${report.total} rewards agree, ${report.skipped.length} lines skipped`)
  for (const { line, reason } of report.skipped) io.note(`Line ${line}: ${reason}`)
  return report
}
