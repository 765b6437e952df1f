import { formatInfo, readableFormats } from '../../../core/formats'
import { EXPERIENCE_KIND } from '../../../core/memory/experiences/fold'
import { abstractReportSchema, kbStatsSchema } from '../../../shared/domain/experience-view'
import { modelOf } from '../arguments'
import { followJob } from '../follow-job'
import type { Command } from './command'
import { KB_PORT } from '../../api/serve-kb'
import { existingFolder, memoryToServe } from './memory-named'
import { served } from './served'
import { BOUNDS } from '../../../shared/domain/bounds'

/** `loam kb abstract`: has the model write experiences from imported logs. */
export const kbAbstract: Command = async ({ args, io, host }) => {
  const memoryId = await existingFolder(args)
  const input = {
    model: modelOf(args) ?? null,
    seed: args.whole('seed', BOUNDS.seed) ?? 1,
    limit: args.whole('limit', [1, 10_000_000]) ?? null,
    tau: args.decimal('tau', [0, 1]) ?? null,
  }
  args.gpuLayers()
  const reached = await host()
  const { jobId } = await reached.client.items.work({
    ...{ memoryId, kind: EXPERIENCE_KIND, ability: 'abstract' },
    input,
  })
  await followJob(reached, jobId, io)
  const report = abstractReportSchema.parse(await reached.client.jobs.report({ jobId }))
  io.out(`${report.written} of ${report.logs} logs became experiences.`)
  if (report.compared > 0)
    io.out(`${report.compared} from files and programs were compared with similar ones.`)
  if (report.ranked > 0) io.out(`${report.ranked} had a similar one; ${report.candidateWon} took its place.`)
  for (const { id, reason } of report.failed) io.note(`Not ${id}: ${reason}`)
  return report
}

/** `loam kb stats`. */
export const kbStats: Command = async ({ args, io, host }) => {
  const memoryId = await existingFolder(args)
  const { items } = (await host()).client
  const match = kbStatsSchema.parse(await items.view({ memoryId, kind: EXPERIENCE_KIND, ability: 'stats' }))
  io.out(`${match.live} experiences, ${match.superseded} superseded, ${match.trash} in the trash`)
  for (const [name, counts] of [
    ['Frameworks', match.byFramework],
    ['Domains', match.byDomain],
    ['Origins', match.byOrigin],
    ['Outcomes', match.byOutcome],
  ] as const)
    io.out(
      `${name}: ${Object.entries(counts)
        .map(([key, count]) => `${key} ${count}`)
        .join(', ')}`,
    )
  return match
}

/** `loam kb formats`. */
export const kbFormats: Command = ({ io }) => {
  for (const { id, title, writtenFor } of readableFormats()) io.out(`${id}  ${title}; ${writtenFor}`)
  return Promise.resolve({ formats: readableFormats().map(formatInfo) })
}

/** `loam kb serve`: experiences of one memory in Agent KB's protocol. Says its address and key once it listens. */
export const kbServe: Command = (context) => {
  const { args, io } = context
  const input = {
    ...memoryToServe(args, KB_PORT),
    write: args.flag('write'),
    tokenless: args.flag('tokenless'),
  }
  return served(
    context,
    ({ sharing }, signal) => sharing.serveKb(input, { signal }),
    async ({ first: { url, key, memory }, ended }) => {
      const { write, tokenless } = input
      const notice = { url, key, memory: memory.path, write, tokenless }
      const who = tokenless
        ? 'Any program on this machine may ask, without a key.'
        : `Authorization: Bearer ${key}`
      io.tell(args.json ? JSON.stringify(notice) : `${url}\n${who}`)
      await ended()
      return { served: memory.id, url }
    },
  )
}
