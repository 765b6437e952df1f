import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import type { BundleAbout, ServedNowInfo } from '../../shared/domain/sharing'
import type { App } from '../app'
import { importBundleFile, type BundleImportOptions } from '../share/bundle/import-bundle'
import { checkBundle, type CheckedBundle } from '../share/bundle/manifest'
import { signingKey } from '../share/bundle/signing-key'
import { writeBundle } from '../share/bundle/write-bundle'
import type { ServedNow } from '../share/serving'
import type { OnChange } from '../memories/intake-options'
import { newImportId, recordImport } from '../transfer/import-record'
import { BUNDLE } from '../transfer/imports'
import { serveKb } from './serve-kb'
import { existingMemory } from './existing-memory'
import { serveMemory } from './serve-memory'
import { serveProxy } from './serve-proxy'

/** The newest requests that are shown of each. */
const MOST_REQUESTS = 50

/** Something that is served, as the window shows it. */
export const servedInfo = ({
  id,
  what,
  since,
  said: { url, key, memory },
  requests,
}: ServedNow): ServedNowInfo => ({
  id,
  what,
  since,
  url,
  key,
  memory,
  requests: requests().slice(0, MOST_REQUESTS),
})

/** What a person starts in the window. */
export interface StartInput {
  readonly memoryId: string
  readonly what: 'memory' | 'proxy' | 'experiences'
  readonly port: number
  readonly write: boolean
  readonly hold: boolean
  readonly tokenless: boolean
  readonly model: string | null
}

/** Serves a memory until it is stopped or Loam closes. */
export async function startServing(app: App, { what, ...input }: StartInput): Promise<ServedNowInfo> {
  const givenInput = { ...input, client: null }
  const now = await app.serving.start((signal) =>
    what === 'memory'
      ? serveMemory(app, givenInput, signal)
      : what === 'experiences'
        ? serveKb(app, givenInput, signal)
        : serveProxy(app, { ...givenInput, contextSize: null, terms: {}, clients: {} }, signal),
  )
  return servedInfo(now)
}

const aboutOf = ({ manifest, signed }: CheckedBundle): BundleAbout => ({
  memory: manifest.space.name,
  createdAt: manifest.createdAt,
  counts: manifest.counts,
  licence: manifest.licence,
  provenance: manifest.provenance,
  signed: signed?.fingerprint ?? null,
  redacted: manifest.redacted,
})

/** A bundle of a memory as the window asks for it. */
export async function bundleOf(
  app: App,
  choice: {
    readonly memoryId: string
    readonly preview: boolean
    readonly kinds: readonly string[] | null
    readonly redact: boolean
    readonly sign: boolean
    readonly licence: string | null
    readonly provenance: string | null
  },
) {
  const memory = await existingMemory(app, choice.memoryId)
  const { kinds, redact, licence, provenance, preview } = choice
  const { bytes, manifest, found } = await writeBundle(memory, {
    loamVersion: app.resources.version,
    now: app.clock.now(),
    redact,
    licence,
    provenance,
    // A preview is of the words; vectors take the longest.
    vectors: !preview,
    ...(kinds !== null && { kinds }),
    ...(choice.sign && !preview && { key: await signingKey(join(app.data.path, 'signing-key.pem')) }),
  })
  const name = memory.name.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'space'
  return {
    fileName: `${name}.loam.zip`,
    data: preview ? null : Buffer.from(bytes).toString('base64'),
    bytes: bytes.length,
    counts: manifest.counts,
    found,
  }
}

/** Brings a bundle in, or says what that would do. */
export async function bundleInto(
  app: App,
  input: { readonly memoryId: string; readonly data: string } & Required<
    Pick<BundleImportOptions, 'preview' | 'conflicts' | 'answers'>
  >,
) {
  const { memoryId, data, ...options } = input
  const bundle = checkBundle(Buffer.from(data, 'base64'))
  const memory = await existingMemory(app, memoryId)
  const now = app.clock.now()
  const take = (onChange?: OnChange) =>
    importBundleFile(memory, bundle, { now, ...options, ...(onChange && { onChange }) })
  const about = { importId: newImportId(now), file: bundle.manifest.space.name, client: null }
  const report = options.preview
    ? await take()
    : await recordImport(memory, { ...about, format: BUNDLE, at: now.toISOString() }, async (onChange) => ({
        ...(await take(onChange)),
        format: BUNDLE,
      }))
  const { kinds: _, ...counts } = report
  return { about: aboutOf(bundle), report: { ...counts, conflicts: [...counts.conflicts], left: [...counts.left] } }
}

/** Takes the last import back. */
export async function takenBack(app: App, memoryId: string): Promise<{ bundle: string; at: string }> {
  await existingMemory(app, memoryId)
  const { importId, at } = await app.imports.undo(memoryId, null)
  return { bundle: importId, at }
}
