import { resolve } from 'node:path'
import { countWords } from '../../../core/memory/kind-words'
import { LoamError } from '../../../shared/errors'
import { BUNDLE, readBundleFile } from '../../transfer/imports'
import { UsageError } from '../arguments'
import { FailedCheck, type Command, type CommandContext } from './command'
import { memoryNamed } from './memory-named'

/** `loam export --format bundle`: a memory as one file that can be checked. */
export async function exportBundle({ args, io, host }: CommandContext): Promise<unknown> {
  const memoryId = memoryNamed(args)
  const preview = args.flag('dry-run')
  const path = preview ? null : resolve(args.required('out'))
  const kinds = args.list('kinds') ?? null
  const pathOf = (name: 'since' | 'sign'): string | null => {
    const inputText = args.text(name)
    return inputText === undefined ? null : resolve(inputText)
  }
  const since = pathOf('since')
  if (kinds && since !== null) throw new UsageError('--since goes with a whole memory, not with --kinds')
  const { sharing } = (await host()).client
  const output = await sharing.writeBundle(
    {
      ...{ memoryId, path, since, kinds, keyFile: pathOf('sign') },
      redact: args.flag('redact'),
      licence: args.text('licence') ?? null,
      provenance: args.text('provenance') ?? null,
    },
    { signal: io.signal },
  )
  for (const [kind, count] of Object.entries(output.found))
    io.note(`${output.redacted ? 'Taken out' : 'Found, and left in'}: ${count} x ${kind}`)
  io.out(
    `${path === null ? 'Would write' : 'Wrote'} ${countWords(output.counts)}${path === null ? '' : ` to ${path}`}`,
  )
  return { ...output, format: BUNDLE }
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
