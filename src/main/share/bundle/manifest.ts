import { createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { LoamError } from '../../../shared/errors'
import { badArchive, readZip } from './read-zip'

export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'signature.json'
/** The journal's commits, a line each: what brings a memory back whole. */
export const HISTORY = 'history.jsonl'
/** Lines of a kind of memory, of attempts, and of rubrics. */
export const dataFile = (kind: string): string => `data/${kind}.jsonl`
export const BUNDLE_VERSION = 1

const count = z.number().int().min(0)

/** What a bundle says of itself: format version 1. */
export const manifestSchema = z.strictObject({
  format: z.literal('loam-bundle'),
  version: z.literal(BUNDLE_VERSION),
  /** Version of the Loam that wrote it. */
  loam: z.string().max(80),
  createdAt: z.string().max(40),
  space: z.strictObject({
    id: z.string().max(200),
    name: z.string().max(1000),
    createdAt: z.string().max(40),
  }),
  encoder: z.strictObject({ id: z.string().max(400), dimension: count }),
  /** Models whose attempts are in it. */
  models: z.array(z.string().max(1000)).max(10_000),
  /** SPDX id or words; null where the person named none. */
  licence: z.string().max(400).nullable(),
  /** Where it comes from, in the person's words; null where they said nothing. */
  provenance: z.string().max(10_000).nullable(),
  /** Lines of each data file, by kind. */
  counts: z.record(z.string().max(80), count),
  /** Commits in the history; null without one. */
  commits: count.nullable(),
  /** Of a bundle that holds only what is new since an earlier one: the commits that its history goes on behind. */
  since: z
    .strictObject({
      /** Which bundle that was. */
      bundle: z.string().regex(/^[0-9a-f]{64}$/),
      commits: count,
      /** SHA-256 of those commits' lines. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    })
    .optional(),
  /** Secrets of each kind that were taken out before it was written. */
  redacted: z.record(z.string(), count),
  files: z
    .array(
      z.strictObject({ path: z.string().max(255), bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    )
    .max(10_000),
})
export type BundleManifest = z.infer<typeof manifestSchema>

const signatureSchema = z.strictObject({
  algorithm: z.literal('ed25519'),
  /** SPKI, DER, base64. */
  publicKey: z.string().max(400),
  signature: z.string().max(400),
})

/** Who signed a bundle: the SHA-256 of the public key. */
export interface BundleSigned {
  readonly fingerprint: string
}

/** A bundle whose every byte is as its manifest says. */
export interface CheckedBundle {
  readonly manifest: BundleManifest
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Null where nobody signed it. */
  readonly signed: BundleSigned | null
  /** Of the manifest's bytes: names the bundle. */
  readonly sha256: string
}

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
const fingerprintOf = (publicKey: string): string => sha256Of(Buffer.from(publicKey, 'base64'))

const MOST_MANIFEST_BYTES = 8 * 1024 * 1024

/**
 * Reads and checks a bundle: archive, manifest, every file's size and SHA-256, no file beside them, every count, and the signature where
 * there is one. Nothing is written anywhere.
 * @throws LoamError `BAD_INPUT`, `DATA_FORMAT_NEWER`
 */
export function checkBundle(bytes: Uint8Array): CheckedBundle {
  const files = readZip(bytes)
  const raw = files.get(MANIFEST)
  if (!raw || raw.length > MOST_MANIFEST_BYTES)
    throw badArchive('The archive holds no manifest, so it is no Loam bundle.')
  const manifest = readManifest(raw)
  const noticeMap = new Map(manifest.files.map((file) => [file.path, file]))
  if (noticeMap.size !== manifest.files.length) throw badArchive('The manifest names a file twice.')
  for (const [path, data] of files) {
    if (path === MANIFEST || path === SIGNATURE) continue
    const file = noticeMap.get(path)
    if (!file) throw badArchive(`${path} is not in the manifest.`)
    if (file.bytes !== data.length || file.sha256 !== sha256Of(data))
      throw badArchive(`${path} was changed since the bundle was written.`)
  }
  for (const path of noticeMap.keys()) if (!files.has(path)) throw badArchive(`${path} is missing.`)
  for (const [kind, lines] of Object.entries(manifest.counts))
    if (linesIn(files.get(dataFile(kind))) !== lines)
      throw badArchive(`The manifest counts ${lines} of the kind ${kind}; the file holds another number.`)
  if (manifest.commits !== null && linesIn(files.get(HISTORY)) !== manifest.commits)
    throw badArchive('The manifest counts another number of commits.')
  return { manifest, files, signed: signerOf(raw, files.get(SIGNATURE)), sha256: sha256Of(raw) }
}

function readManifest(raw: Uint8Array): BundleManifest {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    throw badArchive('The manifest cannot be read.')
  }
  const version = z.object({ format: z.literal('loam-bundle'), version: z.number() }).safeParse(value)
    .data?.version
  if (version !== undefined && version > BUNDLE_VERSION)
    throw new LoamError(
      'DATA_FORMAT_NEWER',
      `The bundle has version ${version}; this Loam knows up to ${BUNDLE_VERSION}.`,
      { suggestion: 'Open it with the newer Loam that wrote it. Nothing was changed.' },
    )
  const manifest = manifestSchema.safeParse(value)
  if (manifest.success) return manifest.data
  const [issue] = manifest.error.issues
  throw badArchive(`The manifest has another form at "${issue?.path.join('.') ?? ''}".`)
}

function linesIn(data: Uint8Array | undefined): number {
  if (!data) return 0
  let lines = 0
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines++
  return lines
}

/** @throws LoamError `BAD_INPUT` for a signature that does not fit */
function signerOf(manifest: Uint8Array, raw: Uint8Array | undefined): BundleSigned | null {
  if (!raw) return null
  try {
    const { publicKey, signature } = signatureSchema.parse(JSON.parse(Buffer.from(raw).toString('utf8')))
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType === 'ed25519' && verify(null, manifest, key, Buffer.from(signature, 'base64')))
      return { fingerprint: fingerprintOf(publicKey) }
  } catch {
    // Told below.
  }
  throw badArchive('The signature does not fit the manifest: the bundle was changed, or signed wrongly.')
}

/** Lines of a JSONL file of a bundle. @throws LoamError `BAD_INPUT` for bytes that are no text */
export function linesOf({ files }: Pick<CheckedBundle, 'files'>, path: string): string[] {
  const data = files.get(path)
  if (!data) return []
  try {
    return new TextDecoder('utf-8', { fatal: true })
      .decode(data)
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    throw badArchive(`${path} holds bytes that are no text.`)
  }
}
