import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { countWords } from '../../../core/memory/kind-words'
import { LoamError } from '../../../shared/errors'
import { readBundleFile } from '../../api/bundle-files'
import { CONFLICT_ANSWERS, type ConflictAnswer } from '../../share/bundle/import-plan'
import { UsageError } from '../arguments'
import { FailedCheck, type Command, type CommandContext } from './command'
import { folderNamed, spaceNamed } from './space-named'

/** What the command line calls a bundle; it is no text, so it is not in the list of formats. */
export const BUNDLE = 'bundle'
/** `loam export --format bundle`: a space as one file that can be checked. */
export async function exportBundle({ args, io, host }: CommandContext): Promise<unknown> {
  const spaceId = spaceNamed(args)
  const preview = args.flag('dry-run')
  const path = preview ? null : resolve(args.required('out'))
  const kinds = args.list('kinds') ?? null
  const pathOf = (name: 'since' | 'sign'): string | null => {
    const given = args.text(name)
    return given === undefined ? null : resolve(given)
  }
  const since = pathOf('since')
  if (kinds && since !== null) throw new UsageError('--since goes with a whole space, not with --kinds')
  const { sharing } = (await host()).client
  const written = await sharing.writeBundle(
    {
      ...{ spaceId, path, since, kinds, keyFile: pathOf('sign') },
      redact: args.flag('redact'),
      licence: args.text('licence') ?? null,
      provenance: args.text('provenance') ?? null,
    },
    { signal: io.signal },
  )
  for (const [kind, count] of Object.entries(written.found))
    io.note(`${written.redacted ? 'Taken out' : 'Found, and left in'}: ${count} x ${kind}`)
  io.out(
    `${path === null ? 'Would write' : 'Wrote'} ${countWords(written.counts)}${path === null ? '' : ` to ${path}`}`,
  )
  return { ...written, format: BUNDLE }
}

/** Whether a file begins as archives do. */
export async function looksLikeBundle(path: string): Promise<boolean> {
  if (/\.(?:xlsx|docx|pptx)$/i.test(path)) return false
  const about = await stat(path).catch(() => null)
  return (
    about?.isFile() === true && (await readFile(path)).subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
  )
}

/** `loam import FILE` with a bundle. */
export async function importBundle({ args, io, host }: CommandContext, file: string): Promise<unknown> {
  const word = args.text('conflicts') ?? 'keep'
  const conflicts = [...CONFLICT_ANSWERS, 'ask' as const].find((known) => known === word)
  if (!conflicts) throw new UsageError(`--conflicts must be one of: ${CONFLICT_ANSWERS.join(', ')}, ask`)
  const preview = args.flag('dry-run')
  const answers = args.text('answers')
  const { sharing } = (await host()).client
  const { signed, report: done } = await sharing.readBundle(
    {
      ...{ spaceId: folderNamed(args), path: resolve(file), conflicts, preview },
      ...(answers !== undefined && { answers: await answersIn(resolve(answers)) }),
    },
    { signal: io.signal },
  )
  const asked = done.conflicts.filter(({ answer }) => answer === 'ask')
  io.out(
    `${preview || asked.length > 0 ? 'Would import' : 'Imported'} ${done.imported} of ${done.rows}: ${done.duplicates} were there, ${done.conflicts.length} read differently, ${done.left.length} left out.`,
  )
  for (const { kind, id, answer, parts } of done.conflicts) {
    io.note(`${kind}/${id}: ${answer}`)
    for (const { part, mine, theirs } of preview || answer === 'ask' ? parts : [])
      io.note(`  ${part}\n    here:  ${mine.slice(0, 200)}\n    there: ${theirs.slice(0, 200)}`)
  }
  for (const { file: where, line, why } of done.left) io.note(`${where}, line ${line}: ${why}`)
  const result = { ...done, format: BUNDLE, preview, signed }
  return asked.length > 0 && !preview ? new FailedCheck(result) : result
}

/** A person's answers, by `kind/id`. @throws LoamError `BAD_INPUT` */
async function answersIn(path: string): Promise<Record<string, ConflictAnswer>> {
  try {
    return z.record(z.string(), z.enum(CONFLICT_ANSWERS)).parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw new LoamError('BAD_INPUT', `${path} holds no answers to conflicts.`, {
      suggestion: 'Write {"KIND/ID": "keep"}, "take" or "both" for each that --conflicts ask names.',
      underlying: error,
    })
  }
}

/** `loam verify-bundle FILE`. */
export const verifyBundleCommand: Command = async ({ args, io }) => {
  const [, file] = args.positionals
  if (file === undefined) throw new UsageError('Which file? loam verify-bundle FILE')
  try {
    const { manifest, signed, sha256 } = await readBundleFile(resolve(file))
    const { files, ...about } = manifest
    io.out(
      `Whole: ${files.length} files, ${countWords(manifest.counts)}; ${signed ? `signed by ${signed.fingerprint}` : 'nobody signed it'}.`,
    )
    return { ok: true, sha256, signed, files: files.length, ...about }
  } catch (error) {
    if (!(error instanceof LoamError) || error.code === 'NOT_FOUND') throw error
    io.out(error.why)
    return new FailedCheck({ ok: false, problem: error.why, code: error.code })
  }
}

/** `loam rollback --space DIR`: takes the last import of a bundle back. */
export const rollbackCommand: Command = async ({ args, io, host }) => {
  const { sharing } = (await host()).client
  const undone = await sharing.rollBack({ spaceId: spaceNamed(args) })
  io.out(`The import of ${undone.at} is taken back.`)
  return undone
}
