import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { formatInfo, readableFormats } from '../../../core/formats'
import { TOP_K } from '../../../core/memory/experiences/retrieve'
import { retrievalModeSchema } from '../../../shared/domain/experience'
import { LoamError } from '../../../shared/errors'
import { UsageError } from '../arguments'
import { followJob } from '../follow-job'
import type { Command } from './command'
import { importFile } from './export'
import { modelFrom } from '../../ground/model-reference'
import { BOUNDS } from '../../../shared/domain/bounds'

/** `loam kb import PATH...`: other agents' logs. */
export const kbImport: Command = async (context) => {
  const hint = 'Which log? loam kb import PATH --format F --space DIR'
  wordAfter(context.args.positionals, 'import', hint)
  const paths = context.args.positionals.slice(context.args.positionals.indexOf('import') + 1)
  return importFile(context, paths, context.args.text('format') ?? 'auto')
}

/** `loam kb abstract`: has the model write experiences from imported logs. */
export const kbAbstract: Command = async ({ args, io, host }) => {
  const spaceId = await existingSpace(args.required('space'))
  const model = args.text('model')
  const input = {
    spaceId,
    model: model === undefined ? null : modelFrom(model),
    seed: args.whole('seed', BOUNDS.seed) ?? 1,
    limit: args.whole('limit', [1, 10_000_000]) ?? null,
    tau: args.decimal('tau', [0, 1]) ?? null,
  }
  args.gpuLayers()
  const reached = await host()
  const { experiences } = reached.client
  const { jobId } = await experiences.abstract(input)
  await followJob(reached, jobId, io)
  const told = await experiences.report({ jobId })
  if (told.kind !== 'abstract') throw new Error(`Job ${jobId} wrote nothing.`)
  const { report } = told
  io.out(`${report.written} of ${report.logs} logs became experiences.`)
  if (report.compared > 0)
    io.out(`${report.compared} from files and programs were compared with similar ones.`)
  if (report.ranked > 0) io.out(`${report.ranked} had a similar one; ${report.candidateWon} took its place.`)
  for (const { id, reason } of report.failed) io.note(`Not ${id}: ${reason}`)
  return report
}

/** `loam kb search QUERY`. */
export const kbSearch: Command = async ({ args, io, host }) => {
  const text = wordAfter(args.positionals, 'search', 'What for? loam kb search --space DIR QUERY')
  const mode = retrievalModeSchema.safeParse(args.text('mode') ?? 'hybrid')
  if (!mode.success) throw new UsageError('--mode must be text, semantic or hybrid')
  const spaceId = await existingSpace(args.required('space'))
  const alpha = args.decimal('alpha', [0, 1])
  const k = args.whole('k', BOUNDS.results) ?? TOP_K
  const domains = args.list('domains')
  const tools = args.list('tools')
  const { experiences } = (await host()).client
  const found = await experiences.list({ spaceId, text, mode: mode.data, k, alpha, domains, tools, limit: k })
  const hits = found.rows.map(({ id, match, question, framework, standing }) => ({
    id,
    score: match?.score ?? 0,
    textScore: match?.textScore ?? null,
    semanticScore: match?.semanticScore ?? null,
    question,
    source: framework,
    utility: standing.utility,
  }))
  for (const { score, question, source } of hits)
    io.out(`${score.toFixed(3)}  ${question.replace(/\s+/g, ' ').slice(0, 100)}  (${source})`)
  if (hits.length === 0) io.note('Nothing was found.')
  return { hits, ms: found.ms }
}

/** `loam kb stats`. */
export const kbStats: Command = async ({ args, io, host }) => {
  const spaceId = await existingSpace(args.required('space'))
  const found = await (await host()).client.experiences.stats({ spaceId })
  io.out(`${found.live} experiences, ${found.superseded} superseded, ${found.trash} in the trash`)
  for (const [name, counts] of [
    ['Frameworks', found.byFramework],
    ['Domains', found.byDomain],
    ['Origins', found.byOrigin],
    ['Outcomes', found.byOutcome],
  ] as const)
    io.out(
      `${name}: ${Object.entries(counts)
        .map(([key, count]) => `${key} ${count}`)
        .join(', ')}`,
    )
  return found
}

/** `loam kb restore ID`. */
export const kbRestore: Command = async ({ args, io, host }) => {
  const experienceId = wordAfter(args.positionals, 'restore', 'Which one? loam kb restore ID --space DIR')
  const spaceId = await existingSpace(args.required('space'))
  const { experience, standing } = await (await host()).client.experiences.restore({ spaceId, experienceId })
  io.out(`${experienceId} is live again.`)
  return { experience, standing }
}

/** `loam kb formats`. */
export const kbFormats: Command = ({ io }) => {
  for (const { id, title, writtenFor } of readableFormats()) io.out(`${id}  ${title}; ${writtenFor}`)
  return Promise.resolve({ formats: readableFormats().map(formatInfo) })
}

function wordAfter(positionals: readonly string[], verb: string, hint: string): string {
  const word = positionals[positionals.indexOf(verb) + 1]
  if (word === undefined || word.trim() === '') throw new UsageError(hint)
  return word
}

/** Opening would make a space of any empty folder; looking must not. */
async function existingSpace(given: string): Promise<string> {
  const folder = resolve(given)
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no space in ${folder}.`, {
      suggestion: 'Name the folder of a space; "loam kb import" makes a new one.',
    })
  })
  return folder
}
