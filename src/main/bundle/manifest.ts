import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { LineValue } from '../ground/isolate/foreign-text'

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

/** A key that vouches for the one that took its place: it signed that one's bytes. Keys are SPKI, DER, base64. */
export const rotationSchema = z.strictObject({
  from: z.string().max(400),
  to: z.string().max(400),
  signature: z.string().max(400),
})
export type Rotation = z.infer<typeof rotationSchema>

/** What a key signs of the one that takes its place. */
export const rotationText = (to: string): Uint8Array => Buffer.from(`loam-key-rotation\n${to}`)

/** Who signed a bundle: the SHA-256 of the public key. */
export interface BundleSigned {
  readonly fingerprint: string
  /** Keys whose place it took and that vouch for it, the latest first. */
  readonly former: readonly string[]
}

/** What is known of a bundle whose every byte is as its manifest says. */
export interface BundleAbout {
  readonly manifest: BundleManifest
  /** Null where nobody signed it. */
  readonly signed: BundleSigned | null
  /** Of the manifest's bytes: names the bundle. */
  readonly sha256: string
}

/** A checked bundle, whose files are read piece by piece; one that is not in it has no lines. */
export interface CheckedBundle extends BundleAbout {
  /** Lines of a JSONL file of it. @throws LoamError `BAD_INPUT` for bytes that are no text */
  lines(path: string): AsyncGenerator<string>
  /** Their values, read in an isolate. */
  values(path: string): AsyncGenerator<LineValue>
}

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
export const fingerprintOf = (publicKey: string): string => sha256Of(Buffer.from(publicKey, 'base64'))
