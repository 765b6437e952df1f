import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { countWords } from '../../../shared/domain/bundle'
import { LoamError } from '../../../shared/errors'
import { replaceFile } from '../../ground/atomic-file'
import { importBundleFile } from '../../share/bundle/import-bundle'
import { CONFLICT_ANSWERS, type ConflictAnswer } from '../../share/bundle/import-plan'
import { checkBundle, type CheckedBundle } from '../../share/bundle/manifest'
import { rollBack } from '../../share/bundle/roll-back'
import { signingKey } from '../../share/bundle/signing-key'
import { writeBundle } from '../../share/bundle/write-bundle'
import { UsageError } from '../arguments'
import { FailedCheck, type Command, type CommandContext } from './command'

/** Folder of a space that is there already: a look at one must not make it. @throws LoamError `NOT_FOUND` */
async function existingFolder(named: string): Promise<string> {
  const folder = resolve(named)
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no space in ${folder}.`, {
      suggestion: 'Name the folder of a space.',
    })
  })
  return folder
}

/** What the command line calls a bundle; it is no text, so it is not in the list of formats. */
export const BUNDLE = 'bundle'
/** Most bytes of a bundle that is read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** `loam export --format bundle`: a space as one file that can be checked. */
export async function exportBundle({ args, io, app }: CommandContext): Promise<unknown> {
  const folder = await existingFolder(args.required('space'))
  const preview = args.flag('dry-run')
  const out = preview ? null : resolve(args.required('out'))
  const keyFile = args.text('sign')
  const loam = await app()
  const kinds = args.list('kinds')
  const since = args.text('since')
  if (kinds && since !== undefined) throw new UsageError('--since goes with a whole space, not with --kinds')
  const { bytes, manifest, found } = await writeBundle(await loam.spaces.open(folder), {
    loamVersion: loam.resources.version,
    now: loam.clock.now(),
    redact: args.flag('redact'),
    licence: args.text('licence') ?? null,
    provenance: args.text('provenance') ?? null,
    signal: io.signal,
    ...(kinds && { kinds }),
    ...(since !== undefined && { since: await readBundle(resolve(since)) }),
    ...(keyFile !== undefined && !preview && { key: await signingKey(resolve(keyFile)) }),
  })
  for (const [kind, count] of Object.entries(found))
    io.note(`${args.flag('redact') ? 'Taken out' : 'Found, and left in'}: ${count} x ${kind}`)
  if (out !== null) await replaceFile(out, async (file) => void (await file.writeFile(bytes)))
  io.out(
    `${out === null ? 'Would write' : 'Wrote'} ${countWords(manifest.counts)}${out === null ? '' : ` to ${out}`}`,
  )
  return {
    path: out,
    format: BUNDLE,
    counts: manifest.counts,
    commits: manifest.commits,
    bytes: bytes.length,
    found,
    redacted: args.flag('redact'),
  }
}

async function readBundle(path: string): Promise<CheckedBundle> {
  const about = await stat(path).catch(() => null)
  if (about?.isFile() !== true)
    throw new LoamError('NOT_FOUND', `${path} is not a file that can be read.`, {
      suggestion: 'Name a file that is there.',
    })
  if (about.size > MOST_BYTES)
    throw new LoamError('BAD_INPUT', `${path} is larger than ${MOST_BYTES} bytes.`, {
      suggestion: 'Export fewer kinds at a time.',
    })
  return checkBundle(await readFile(path))
}

/** Whether a file begins as archives do. */
export async function looksLikeBundle(path: string): Promise<boolean> {
  if (/\.(?:xlsx|docx|pptx)$/i.test(path)) return false
  const about = await stat(path).catch(() => null)
  return (
    about?.isFile() === true &&
    about.size <= MOST_BYTES &&
    (await readFile(path)).subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
  )
}

/** `loam import FILE` with a bundle. */
export async function importBundle({ args, io, app }: CommandContext, file: string): Promise<unknown> {
  const word = args.text('conflicts') ?? 'keep'
  const conflicts = [...CONFLICT_ANSWERS, 'ask' as const].find((known) => known === word)
  if (!conflicts) throw new UsageError(`--conflicts must be one of: ${CONFLICT_ANSWERS.join(', ')}, ask`)
  const bundle = await readBundle(resolve(file))
  const { spaces, clock } = await app()
  const space = await spaces.open(resolve(args.required('space')))
  const preview = args.flag('dry-run')
  const answers = args.text('answers')
  const done = await importBundleFile(space, bundle, {
    now: clock.now(),
    conflicts,
    ...(answers !== undefined && { answers: await answersIn(resolve(answers)) }),
    preview,
    signal: io.signal,
  })
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
  const result = { ...done, format: BUNDLE, preview, signed: bundle.signed }
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
    const { manifest, signed, sha256 } = await readBundle(resolve(file))
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
export const rollbackCommand: Command = async ({ args, io, app }) => {
  const folder = await existingFolder(args.required('space'))
  const { spaces } = await app()
  const undone = await rollBack(await spaces.open(folder), () => spaces.release(folder))
  io.out(`The import of ${undone.at} is taken back.`)
  return undone
}
