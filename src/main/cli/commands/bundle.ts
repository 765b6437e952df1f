import { resolve } from 'node:path'
import { countWords } from '../../../core/memory/kind-words'
import { LoamError } from '../../../shared/errors'
import { readBundleFile } from '../../transfer/bundle-format'
import { UsageError } from '../arguments'
import { FailedCheck, type Command } from './command'

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
