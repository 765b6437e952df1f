import { resolve } from 'node:path'
import { OWN_FORMAT, writableFormat } from '../../../core/formats'
import { countWords } from '../../../core/memory/kind-words'
import { exportReportSchema } from '../../../shared/domain/format'
import { followJob } from '../follow-job'
import { BUNDLE } from '../../transfer/imports'
import { exportBundle } from './bundle'
import type { Command } from './command'
import { existingFolder } from './memory-named'

/** `loam export`: a memory as a file of any format. */
export const exportCommand: Command = async (context) => {
  const { args, io, host } = context
  if (args.text('format') === BUNDLE) return exportBundle(context)
  const out = args.required('out')
  const format = writableFormat(args.text('format') ?? OWN_FORMAT).id
  const folder = await existingFolder(args)
  const reached = await host()
  const { jobId } = await reached.client.memories.export({
    memoryId: folder,
    path: resolve(out),
    format,
    kinds: args.list('kinds') ?? null,
  })
  await followJob(reached, jobId, io)
  const report = exportReportSchema.parse(await reached.client.jobs.report({ jobId }))
  io.out(`Wrote ${countWords(report.counts)} to ${report.path}`)
  return report
}
