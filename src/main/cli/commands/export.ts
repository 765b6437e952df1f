import { resolve } from 'node:path'
import { OWN_FORMAT, writableFormat } from '../../../core/formats'
import { countWords } from '../../../core/memory/kind-words'
import { exportReportSchema, importReportSchema } from '../../../shared/domain/format'
import { readingWords } from '../../../shared/domain/reading'
import { UsageError } from '../arguments'
import { followJob } from '../follow-job'
import { tellReading } from '../tell-reading'
import { BUNDLE, exportBundle, importBundle, looksLikeBundle } from './bundle'
import type { Command, CommandContext } from './command'
import { existingFolder, folderNamed } from './space-named'

/** `loam export`: a space as a file of any format. */
export const exportCommand: Command = async (context) => {
  const { args, io, host } = context
  if (args.text('format') === BUNDLE) return exportBundle(context)
  const out = args.required('out')
  const format = writableFormat(args.text('format') ?? OWN_FORMAT).id
  const folder = await existingFolder(args)
  const reached = await host()
  const { jobId } = await reached.client.spaces.export({
    spaceId: folder,
    path: resolve(out),
    format,
    kinds: args.list('kinds') ?? null,
  })
  await followJob(reached, jobId, io)
  const report = exportReportSchema.parse(await reached.client.jobs.report({ jobId }))
  io.out(`Wrote ${countWords(report.counts)} to ${report.path}`)
  return report
}

/** `loam import FILE`: a file of any format into My memory, or into the one of `--space`, which is made when it is not there. */
export const importCommand: Command = async (context) => {
  const [, file] = context.args.positionals
  if (file === undefined) throw new UsageError('Which file? loam import FILE')
  const format = context.args.text('format')
  if (format === BUNDLE || (format === undefined && (await looksLikeBundle(file))))
    return importBundle(context, file)
  return importFile(context, [file], format ?? 'auto')
}

/** Reads files, folders and patterns into the memory that `--space` names, and tells what came of every row. */
export async function importFile(
  { args, io, host }: CommandContext,
  paths: readonly string[],
  format: string,
) {
  const spaceId = folderNamed(args)
  const reached = await host()
  const { items, jobs } = reached.client
  const { jobId } = await items.importLogs({ spaceId, format, path: paths.map((path) => resolve(path)) })
  await followJob(reached, jobId, io)
  const report = importReportSchema.parse(await jobs.report({ jobId }))
  io.out(`${readingWords(report)}.`)
  io.note(`Read as ${report.format}, written for ${report.writtenFor}.`)
  tellReading(report, io)
  for (const [kind, count] of Object.entries(report.redactions)) io.note(`Taken out: ${count} x ${kind}`)
  return report
}
