import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { OWN_FORMAT, writableFormat } from '../../../core/formats'
import { countWords } from '../../../core/memory/kind-words'
import { exportReportSchema, importReportSchema } from '../../../shared/domain/format'
import { readingWords } from '../../../shared/domain/reading'
import { LoamError } from '../../../shared/errors'
import { UsageError } from '../arguments'
import { followJob } from '../follow-job'
import { tellReading } from '../tell-reading'
import { BUNDLE, exportBundle, importBundle, looksLikeBundle } from './bundle'
import type { Command, CommandContext } from './command'

/** `loam export`: a space as a file of any format. */
export const exportCommand: Command = async (context) => {
  const { args, io, host } = context
  if (args.text('format') === BUNDLE) return exportBundle(context)
  const folder = resolve(args.required('space'))
  const out = args.required('out')
  const format = writableFormat(args.text('format') ?? OWN_FORMAT).id
  // Opening would make a space of any empty folder; exporting must not.
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no space in ${folder}.`, {
      suggestion: 'Name the folder of a space.',
    })
  })
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

/** `loam import FILE --space DIR`: a file of any format into a space, which is made when it is not there. */
export const importCommand: Command = async (context) => {
  const [, file] = context.args.positionals
  if (file === undefined) throw new UsageError('Which file? loam import FILE --space DIR')
  const format = context.args.text('format')
  if (format === BUNDLE || (format === undefined && (await looksLikeBundle(file))))
    return importBundle(context, file)
  return importFile(context, [file], format ?? 'auto')
}

/** Reads files, folders and patterns into the space that `--space` names, and tells what came of every row. */
export async function importFile(
  { args, io, host }: CommandContext,
  paths: readonly string[],
  format: string,
) {
  const spaceId = resolve(args.required('space'))
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
