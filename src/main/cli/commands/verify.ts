import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ENVIRONMENTS, findEnvironment } from '../../../core/tasks'
import type { Verdict } from '../../../core/ground/environment-module'
import type { Verification } from '../../../shared/domain/task'
import { leftCount } from '../../../shared/domain/reading'
import { LoamError } from '../../../shared/errors'
import type { ReadRecordings } from '../../../core/ground/recording'
import { regradeRecordings } from '../../../core/streams/regrade'
import { recordedModel } from '../../providers/recorded/recorded-model'
import { settingFields } from '../../../core/ground/settings'
import { createEnvironments } from '../../streams/environments'
import { outsideOf } from '../../streams/outside'
import { openCredentials } from '../../ground/credentials'
import { findDataPath } from '../../ground/data-path'
import { loadSettings } from '../../ground/settings-file'
import { findResources } from '../../ground/resources'
import { hashTasks, openStreamLibrary } from '../../streams/stream-library'
import { readRecordingsApart } from '../../ground/isolate/foreign-rows'
import { keepVerification, VERIFIED } from '../../streams/verifications'
import { UsageError, type Arguments } from '../arguments'
import { readChanges } from '../read-changes'
import { tellReading } from '../console-io'
import { FailedCheck, type Command } from './command'

const recordingsOf = async (file: string): Promise<ReadRecordings> => {
  const path = resolve(file)
  return readRecordingsApart(path).catch((error: unknown) => {
    if (error instanceof LoamError) throw error
    throw new LoamError('NOT_FOUND', `${path} cannot be read: ${(error as Error).message}`, {
      suggestion: 'Name a file that is there.',
    })
  })
}

// Neither command needs a data folder, so both also work while another Loam is open.
async function openEnvironments(args: Arguments) {
  const resources = findResources()
  const streams = openStreamLibrary(resources.streams, resources.streams)
  // Read alone, so what is kept there for tasks counts here as well.
  const data = findDataPath(args.text('data'))
  const { network } = await loadSettings(join(data, 'settings.json'))
  const outside = outsideOf(() => network, openCredentials(join(data, 'credentials.json')))
  const filesOf = (stream: string) => streams.filesOf(stream)
  return { streams, environments: createEnvironments(resources.prompts, filesOf, outside) }
}

/** A report with disagreements in it is printed like any other, but the command fails. */
const getCheck = <R>(report: R, disagreements: number): R | FailedCheck =>
  disagreements === 0 ? report : new FailedCheck(report)

/** `loam verify-env ENVIRONMENT FILE|STREAM`: plays every task's own solution, under the environment's settings. */
export const verifyCommand: Command = async ({ args, io }) => {
  const [, environment = ''] = args.positionals
  const records = ENVIRONMENTS.map(({ id }) => id)
  if (!records.includes(environment))
    throw new UsageError(`Which environment? There are: ${records.join(', ')}`)
  const stream = args.word(2, `Which data set? loam verify-env ${environment} FILE`)
  const { streams, environments } = await openEnvironments(args)
  const { tasks, info } = await streams.load(stream)
  if (info.environment !== environment)
    throw new UsageError(`${stream} is a stream for ${info.environment}, not for ${environment}`)
  const changes = readChanges(args)
  const verify = await findEnvironment(environment).verifier(environments.world, changes)
  const failures: { id: string; why: string }[] = []
  const unknown: { id: string; why: string }[] = []
  const all: { readonly id: string; readonly verdict: Verdict }[] = []
  for (const task of tasks) all.push({ id: task.id, verdict: await verify(task) })
  for (const { id, verdict } of all) {
    if (verdict.kind !== 'agrees')
      (verdict.kind === 'unknown' ? unknown : failures).push({ id, why: verdict.why })
  }
  const total = tasks.length
  const agree = total - failures.length - unknown.length
  io.out(
    `${agree} of ${total} tasks are solved by their own solution, ${unknown.length} cannot be told, ${leftCount(info.reading)} rows left out`,
  )
  for (const { id, why } of failures) io.out(`Not ${id}: ${why}`)
  for (const { id, why } of unknown) io.note(`Unknown ${id}: ${why}`)
  tellReading(info.reading, io)
  // Addresses may have a password in them.
  const settings = Object.entries(changes).flatMap(([group, values]) =>
    Object.entries(values).map(([key, value]) =>
      /@|:\/\//.test(String(value)) ? `${group}.${key}` : `${group}.${key}=${value}`,
    ),
  )
  const verified = { at: new Date().toISOString(), settings, tried: total, agree, unknown: unknown.length }
  await remember(args, info.id, await hashTasks(tasks), verified)
  const means = meanScores(all.map(({ verdict }) => verdict))
  // Rounded down: 398 of 400 are not 100%.
  for (const [name, mean] of Object.entries(means)) io.out(`${name}: ${Math.floor(mean * 1000) / 10}%`)
  const report = {
    ...{ total, agree, unknown: unknown.length, failures, unknowns: unknown, reading: info.reading },
    ...(Object.keys(means).length > 0 && { scores: means }),
  }
  return getCheck(report, failures.length)
}

/** Keeps the figure for the stream's page where Loam keeps its data, or is told to. */
async function remember(
  args: Arguments,
  ...selection: [stream: string, tasks: string, verified: Verification]
) {
  const namedName = args.text('data')
  const data = findDataPath(namedName)
  const names = await readdir(data).catch((): string[] => [])
  const isNew = namedName !== undefined && names.every((name) => name === VERIFIED)
  if (isNew || names.includes('format.json')) await keepVerification(data, ...selection)
}

/** The mean of each part that verdicts are made of, by its name. */
function meanScores(verdicts: readonly Verdict[]): Readonly<Record<string, number>> {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { name, value } of verdicts.flatMap(({ scores }) => scores ?? [])) {
    const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 }
    sums.set(name, { sum: sum + value, count: count + 1 })
  }
  return Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, sum / count]))
}

/** `loam regrade FILE --dataset FILE`. */
export const regradeCommand: Command = async ({ args, io }) => {
  const file = args.word(1, 'Which sessions? loam regrade FILE --dataset FILE')
  const { streams, environments } = await openEnvironments(args)
  const { tasks, info } = await streams.load(resolve(args.required('dataset')))
  const { settings } = findEnvironment(info.environment)
  // Records were made when only the published form of replies was read.
  const asPublished = settingFields(settings).some(({ key }) => key === 'replies')
  const environment = await environments.acting(
    info.environment,
    asPublished ? { [settings.id]: { replies: 'text' } } : {},
  )
  const report = await regradeRecordings(environment, await recordingsOf(file), tasks, (recordings) =>
    recordedModel(file, file, recordings),
  )
  io.out(`${report.agree} of ${report.total} rewards agree, ${leftCount(report.reading)} rows left out`)
  for (const { id, why } of report.disagreements) io.out(`Not ${id}: ${why}`)
  tellReading(report.reading, io)
  return getCheck(report, report.disagreements.length)
}
