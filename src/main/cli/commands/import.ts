import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { waitingWords, type ImportReport } from '../../../shared/domain/format'
import {
  CONFLICT_ANSWERS,
  conflictAnswerSchema,
  importResultSchema,
  type ConflictAnswer,
} from '../../../shared/domain/item-transfer'
import { readingWords } from '../../../shared/domain/reading'
import { LoamError } from '../../../shared/errors'
import { UsageError, type Arguments } from '../arguments'
import { tellReading, type ConsoleIo } from '../console-io'
import { followJob } from '../follow-job'
import { FailedCheck, type Command, type CommandContext } from './command'
import { folderNamed, memoryNamed } from './memory-named'

/** `loam import PATH...`: files, folders, patterns and published memories into My memory, or into the one of `--memory`, which is made when it is not there. */
export const importCommand: Command = (context) => {
  const [, ...paths] = context.args.positionals
  return importPaths(context, paths)
}

/** `loam kb import`, as it was called. */
export const oldImportCommand: Command = (context) => {
  const { args, io } = context
  io.note('"loam kb import" is now called "loam import".')
  return importPaths(context, args.positionals.slice(args.positionals.indexOf('import') + 1))
}

async function importPaths({ args, io, host }: CommandContext, paths: readonly string[]): Promise<unknown> {
  const from = args.text('from')
  if (paths.length === 0 && from === undefined) throw new UsageError('Which file? loam import PATH')
  const memoryId = folderNamed(args)
  const preview = args.flag('dry-run')
  const onConflict = answerGiven(args, io)
  const answers = args.text('answers')
  const choice = {
    memoryId,
    source:
      from === undefined
        ? { from: 'paths' as const, paths: paths.map((path) => resolve(path)) }
        : { from: 'published' as const, address: from },
    format: args.text('format') ?? 'auto',
    kinds: args.list('kinds') ?? null,
    onConflict: onConflict === 'ask' ? ('keep' as const) : onConflict,
    answers: answers === undefined ? {} : await answersIn(resolve(answers)),
    project: args.text('project') ?? null,
    client: 'loam import',
  }
  const reached = await host()
  const { items } = reached.client
  const looked =
    preview || onConflict === 'ask' ? await items.previewImport(choice, { signal: io.signal }) : null
  if (looked && (preview || looked.conflicts.length > 0)) {
    tell(looked, io, 'would be read')
    const result = { ...looked, preview: true }
    return preview ? result : new FailedCheck(result)
  }
  const { jobId } = await items.import(choice)
  await followJob(reached, jobId, io)
  const report = importResultSchema.parse(await reached.client.jobs.report({ jobId }))
  tell(report, io, 'read')
  if (report.waiting > 0 && report.importId !== null)
    io.note(`Take them out with: loam memory release --import ${report.importId}`)
  if (report.importId !== null) io.note(`Undo it with: loam imports undo ${report.importId}`)
  return report
}

function tell(report: ImportReport, io: ConsoleIo, verb: string): void {
  io.out(`${readingWords(report).replace(/ read\b/, ` ${verb}`)}.`)
  for (const { title, rows, fresh, duplicates, conflicts, skipped, samples } of report.kinds) {
    const parts = [
      ...(fresh > 0 ? [`${fresh} new`] : []),
      ...(duplicates > 0 ? [`${duplicates} there already`] : []),
      ...(conflicts > 0 ? [`${conflicts} read differently`] : []),
      ...(skipped > 0 ? [`${skipped} not chosen`] : []),
    ]
    io.out(`  ${title}: ${rows} (${parts.join(', ')})`)
    for (const sample of samples) io.note(`    ${sample.title.slice(0, 100)}`)
  }
  for (const { kind, id, answer, parts } of report.conflicts) {
    io.note(`${kind}/${id}: ${answer}`)
    for (const { part, mine, theirs } of parts)
      io.note(`  ${part}\n    here:  ${mine.slice(0, 200)}\n    there: ${theirs.slice(0, 200)}`)
  }
  if (report.format !== '') io.note(`Read as ${report.format}, written for ${report.writtenFor}.`)
  tellReading(report, io)
  if (report.waiting > 0) io.note(waitingWords(report))
  for (const [kind, count] of Object.entries(report.redactions)) io.note(`Taken out: ${count} x ${kind}`)
}

/** `--conflicts` is what `--on-conflict` was called. */
function answerGiven(args: Arguments, io: ConsoleIo): ConflictAnswer | 'ask' {
  const old = args.text('conflicts')
  if (old !== undefined) io.note('--conflicts is now called --on-conflict.')
  const word = args.text('on-conflict') ?? old ?? 'keep'
  const answer = [...CONFLICT_ANSWERS, 'ask' as const].find((one) => one === word)
  if (answer) return answer
  throw new UsageError(`--on-conflict must be one of: ${CONFLICT_ANSWERS.join(', ')}, ask`)
}

/** A person's answers, by `kind/id`. @throws LoamError `BAD_INPUT` */
async function answersIn(path: string): Promise<Record<string, ConflictAnswer>> {
  try {
    return z.record(z.string(), conflictAnswerSchema).parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw new LoamError('BAD_INPUT', `${path} holds no answers to conflicts.`, {
      suggestion: 'Write {"KIND/ID": "keep"}, "take" or "both" for each that a dry run names.',
      underlying: error,
    })
  }
}

/** `loam imports`: what was imported into a memory. */
export const importsCommand: Command = async ({ args, io, host }) => {
  const imports = await (await host()).client.items.imports({ memoryId: memoryNamed(args) })
  for (const { importId, at, file, format, imported, undoneAt, goneOnWith } of imports) {
    const standing =
      undoneAt !== null ? '  (undone)' : goneOnWith > 0 ? `  (${goneOnWith} asks gone on with)` : ''
    io.out(`${importId}  ${at.slice(0, 16)}  ${imported} of ${file} as ${format}${standing}`)
  }
  return { imports }
}

/** `loam rollback`, as it was called. */
export const rollbackCommand: Command = (context) => {
  context.io.note('"loam rollback" is now called "loam imports undo".')
  return undoImportCommand(context)
}

/** `loam imports undo [ID]`: undoes an import as a whole. */
export const undoImportCommand: Command = async ({ args, io, host }) => {
  const [, , importId = null] = args.positionals
  const { items } = (await host()).client
  const memoryId = memoryNamed(args)
  const match = (await items.imports({ memoryId })).find((one) =>
    importId === null ? one.undoneAt === null : one.importId === importId,
  )
  if (match && match.goneOnWith > 0)
    io.note(
      `${match.goneOnWith} of its asks were gone on with. They stay; "loam asks remove ID" takes one away.`,
    )
  const undone = await items.undoImport({ memoryId, importId })
  io.out(`The import of ${undone.file === '' ? undone.at : undone.file} is undone.`)
  for (const { kind, count, why } of undone.stays) io.note(`${count} ${kind}: ${why}`)
  return undone
}
