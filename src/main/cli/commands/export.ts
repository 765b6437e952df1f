import { resolve } from 'node:path'
import { OWN_FORMAT, writableFormat } from '../../../core/formats'
import { countWords } from '../../../core/memory/kind-words'
import { writtenCounts, type ExportKind } from '../../../shared/domain/item-transfer'
import { LoamError } from '../../../shared/errors'
import { openBundleFile } from '../../bundle/open-bundle'
import { BUNDLE } from '../../transfer/bundle-format'
import { UsageError } from '../arguments'
import type { ConsoleIo } from '../console-io'
import { FailedCheck, type Command, type CommandContext } from './command'
import { memoryNamed } from './memory-named'
import { publishMemory, searchPublished } from '../../share/publish'
import { mustBeOn } from '../../transfer/network'
import { existingMemory } from '../../api/serve-one-memory'
import { BOUNDS } from '../../../shared/domain/bounds'

const allowed = async ({ app }: CommandContext, uri: string): Promise<void> =>
  mustBeOn(uri, (await app()).settings().network)

/** `loam publish`: what a memory knows, for readers anywhere. */
export const publishCommand: Command = async (context) => {
  const { args, io, app } = context
  const uri = args.required('to')
  await allowed(context, uri)
  const memory = await existingMemory(await app(), memoryNamed(args))
  const publication = await publishMemory(memory, uri, { signal: io.signal })
  io.out(
    `Version ${publication.version}: ${publication.put} put, ${publication.removed} removed, ${publication.same} as they were.`,
  )
  return publication
}

/** `loam published QUERY`: searches what was published. */
export const publishedCommand: Command = async (context) => {
  const { args, io, app } = context
  const query = args.word(1, 'What for? loam published QUERY --from URI')
  const uri = args.required('from')
  await allowed(context, uri)
  const embedder = await (await app()).embedder()
  const hits = await searchPublished(uri, query, { embedder, k: args.whole('k', BOUNDS.results) ?? 5 })
  for (const { score, kind, title } of hits) io.out(`${score.toFixed(3)}  ${kind}: ${title.slice(0, 100)}`)
  return { hits }
}

/** `loam export`: a memory, or some of it, as a file of any format; with `--dry-run` only what that would hold. */
export const exportCommand: Command = async ({ args, io, host }) => {
  const format = args.text('format') ?? OWN_FORMAT
  if (format !== BUNDLE) writableFormat(format)
  const preview = args.flag('dry-run')
  const path = preview ? null : resolve(args.required('out'))
  const pathOf = (name: 'since' | 'sign'): string | null => {
    const inputText = args.text(name)
    return inputText === undefined ? null : resolve(inputText)
  }
  const [kinds, since] = [args.list('kinds') ?? null, pathOf('since')]
  if (kinds && since !== null) throw new UsageError('--since goes with a whole memory, not with --kinds')
  const { items } = (await host()).client
  const redact = args.flag('redact')
  const choice = {
    ...{ memoryId: memoryNamed(args), format, kinds, since, redact, sign: pathOf('sign') ?? false },
    project: args.text('project') ?? null,
    licence: args.text('licence') ?? null,
    provenance: args.text('provenance') ?? null,
  }
  const output = preview
    ? { ...(await items.previewExport(choice, { signal: io.signal })), path: null }
    : await items.export({ ...choice, path, replace: args.flag('replace') }, { signal: io.signal })
  for (const [kind, count] of Object.entries(output.secrets))
    io.note(`${redact ? 'Taken out' : 'Found, and left in'}: ${count} x ${kind}`)
  tellHeldBack(output.kinds, io)
  const counts = writtenCounts(output.kinds)
  io.out(
    `${path === null ? 'Would write' : 'Wrote'} ${countWords(counts)}${path === null ? '' : ` to ${path}`}`,
  )
  return { ...output, counts, redacted: redact }
}

function tellHeldBack(kinds: readonly ExportKind[], io: ConsoleIo): void {
  for (const { kind, total, written, why } of kinds)
    if (why !== null) io.note(`Stays: ${countWords({ [kind]: total - written })} (${why})`)
}

/** `loam verify-bundle FILE`. */
export const verifyBundleCommand: Command = async ({ args, io }) => {
  const file = args.word(1, 'Which file? loam verify-bundle FILE')
  try {
    const bundle = await openBundleFile(resolve(file))
    await bundle.close()
    const { manifest, signed, sha256 } = bundle
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
