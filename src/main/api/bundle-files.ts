import { readFile, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'
import { replaceFile } from '../ground/atomic-file'
import { importBundleFile, type BundleImport, type BundleImportOptions } from '../share/bundle/import-bundle'
import { checkBundle, type CheckedBundle } from '../share/bundle/manifest'
import { signingKey } from '../share/bundle/signing-key'
import { writeBundle } from '../share/bundle/write-bundle'
import { existingSpace } from './existing-space'

/** Most bytes of a bundle that is read. */
const MOST_BYTES = 1024 * 1024 * 1024

/** A bundle's file, checked. @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
export async function readBundleFile(path: string): Promise<CheckedBundle> {
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

/** What is to be in a bundle's file; the contract says what each part means. */
export interface BundleFileChoice {
  readonly spaceId: string
  readonly path: string | null
  readonly kinds: readonly string[] | null
  readonly since: string | null
  readonly redact: boolean
  readonly keyFile: string | null
  readonly licence: string | null
  readonly provenance: string | null
}

const absolute = (path: string): string => {
  if (isAbsolute(path)) return path
  throw new LoamError('BAD_INPUT', `${path} is not a full path.`, {
    suggestion: 'Name the file from the root of the disk on.',
  })
}

/** Writes a space as a bundle, or only says what would be in it. */
export async function bundleToFile(app: App, choice: BundleFileChoice, signal: AbortSignal | undefined) {
  const { path, kinds, since, redact, keyFile, licence, provenance } = choice
  const out = path === null ? null : absolute(path)
  const { bytes, manifest, found } = await writeBundle(await existingSpace(app, choice.spaceId), {
    loamVersion: app.resources.version,
    now: app.clock.now(),
    redact,
    licence,
    provenance,
    signal,
    ...(kinds !== null && { kinds }),
    ...(since !== null && { since: await readBundleFile(absolute(since)) }),
    ...(keyFile !== null && out !== null && { key: await signingKey(absolute(keyFile)) }),
  })
  if (out !== null) await replaceFile(out, async (file) => void (await file.writeFile(bytes)))
  return {
    path: out,
    counts: manifest.counts,
    commits: manifest.commits,
    bytes: bytes.length,
    found,
    redacted: redact,
  }
}

/** What became of a bundle, with lists of its own. */
export const importReport = (report: BundleImport) => ({
  ...report,
  conflicts: report.conflicts.map((one) => ({ ...one, parts: one.parts.map((part) => ({ ...part })) })),
  left: report.left.map((one) => ({ ...one })),
})

/** Brings a bundle's file into a space, which is made where there is none. */
export async function fileIntoSpace(
  app: App,
  given: { readonly spaceId: string; readonly path: string } & Required<
    Pick<BundleImportOptions, 'preview' | 'conflicts' | 'answers'>
  >,
  signal: AbortSignal | undefined,
) {
  const { spaceId, path, ...options } = given
  const bundle = await readBundleFile(absolute(path))
  const report = await importBundleFile(await app.spaces.open(spaceId), bundle, {
    now: app.clock.now(),
    ...options,
    signal,
  })
  return { signed: bundle.signed, report: importReport(report) }
}
