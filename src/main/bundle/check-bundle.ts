import { createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { LoamError } from '../../shared/errors'
import {
  BUNDLE_VERSION,
  dataFile,
  fingerprintOf,
  HISTORY,
  MANIFEST,
  manifestSchema,
  rotationSchema,
  rotationText,
  sha256Of,
  SIGNATURE,
  type BundleAbout,
  type BundleManifest,
  type BundleSigned,
  type Rotation,
} from './manifest'
import type { Bytes } from '../ground/zip-entries'
import { badArchive, readZip, type ZipFile } from './read-zip'

const signatureSchema = z.strictObject({
  algorithm: z.literal('ed25519'),
  /** SPKI, DER, base64. */
  publicKey: z.string().max(400),
  signature: z.string().max(400),
  /** How the key came to take the place of earlier ones, oldest first. */
  rotations: z.array(rotationSchema).max(100).optional(),
})

/** Most bytes of the manifest, and of the signature. */
const MOST_MANIFEST_BYTES = 8 * 1024 * 1024
/** Most bytes of a line, so that who takes lines in never has a long one to read at once. */
const LONGEST_LINE = 16 * 1024 * 1024

/** A bundle that was checked, with the lines of its files some at a time. */
export interface ReadBundle {
  readonly about: BundleAbout
  /** @throws LoamError `BAD_INPUT` for bytes that are no text */
  lines(path: string): AsyncGenerator<string[]>
}

/**
 * Reads and checks a bundle: archive, manifest, every file's size and SHA-256, no file beside them, every count, and the signature where
 * there is one. Nothing is written anywhere, and a piece of a file is in memory at a time.
 * @throws LoamError `BAD_INPUT`, `DATA_FORMAT_NEWER`
 */
export async function checkBundle(bytes: Bytes): Promise<ReadBundle> {
  const files = readZip(bytes)
  const raw = await wholeOf(files.get(MANIFEST))
  if (!raw) throw badArchive('The archive holds no manifest, so it is no Loam bundle.')
  const manifest = readManifest(raw)
  const noticeMap = new Map(manifest.files.map((file) => [file.path, file]))
  if (noticeMap.size !== manifest.files.length) throw badArchive('The manifest names a file twice.')
  for (const path of noticeMap.keys()) if (!files.has(path)) throw badArchive(`${path} is missing.`)
  const lineCounts = new Map<string, number>()
  for (const [path, packed] of files) {
    if (path === MANIFEST || path === SIGNATURE) continue
    const file = noticeMap.get(path)
    if (!file) throw badArchive(`${path} is not in the manifest.`)
    const { sha256, lines } = await printOf(packed)
    if (file.bytes !== packed.size || file.sha256 !== sha256)
      throw badArchive(`${path} was changed since the bundle was written.`)
    lineCounts.set(path, lines)
  }
  for (const [kind, lines] of Object.entries(manifest.counts))
    if ((lineCounts.get(dataFile(kind)) ?? 0) !== lines)
      throw badArchive(`The manifest counts ${lines} of the kind ${kind}; the file holds another number.`)
  if (manifest.commits !== null && (lineCounts.get(HISTORY) ?? 0) !== manifest.commits)
    throw badArchive('The manifest counts another number of commits.')
  const signed = files.has(SIGNATURE) ? signerOf(raw, await wholeOf(files.get(SIGNATURE))) : null
  return {
    about: { manifest, signed, sha256: sha256Of(raw) },
    lines: (path) => linesOf(files.get(path)),
  }
}

/** The bytes of a small file; null for one that is not there or is not small. */
async function wholeOf(file: ZipFile | undefined): Promise<Buffer | null> {
  if (!file || file.size > MOST_MANIFEST_BYTES) return null
  const pieces: Buffer[] = []
  for await (const piece of file.pieces()) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** What a file's bytes come to, and how many lines end in it. @throws LoamError `BAD_INPUT` for a line that is too long */
async function printOf(file: ZipFile): Promise<{ readonly sha256: string; readonly lines: number }> {
  const hash = createHash('sha256')
  // Only files of lines are read as such.
  const longest = file.name.endsWith('.jsonl') ? LONGEST_LINE : Infinity
  let [lines, place, lineAt] = [0, 0, 0]
  for await (const piece of file.pieces()) {
    hash.update(piece)
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) {
      if (place + at - lineAt > longest) throw lineTooLong()
      lines++
      lineAt = place + at + 1
    }
    place += piece.length
    if (place - lineAt > longest) throw lineTooLong()
  }
  return { sha256: hash.digest('hex'), lines }
}

const lineTooLong = (): LoamError => badArchive(`A line of it has more than ${LONGEST_LINE} bytes.`)

/** Lines that are handed on at once: as many as have so many characters. */
const PER_BATCH = 512 * 1024

async function* linesOf(file: ZipFile | undefined): AsyncGenerator<string[]> {
  if (!file) return
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (piece?: Buffer): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch {
      throw badArchive(`${file.name} holds bytes that are no text.`)
    }
  }
  let [batch, size, rest]: [string[], number, string] = [[], 0, '']
  for await (const piece of file.pieces()) {
    const parts = decode(piece).split('\n')
    parts[0] = rest + (parts[0] ?? '')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (line === '') continue
      if (batch.length > 0 && size + line.length > PER_BATCH) {
        yield batch
        ;[batch, size] = [[], 0]
      }
      batch.push(line)
      size += line.length
    }
  }
  rest += decode()
  if (rest !== '') batch.push(rest)
  if (batch.length > 0) yield batch
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

const isSigned = (bytes: Uint8Array, publicKey: string, signature: string): boolean => {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature, 'base64'))
}

/** The keys before a key, each vouching for the next, the latest first. A link that does not hold ends the row. */
function formerOf(publicKey: string, rotations: readonly Rotation[]): string[] {
  const former: string[] = []
  let current = publicKey
  for (const { from, to, signature } of rotations.toReversed()) {
    if (to !== current || !isSigned(rotationText(to), from, signature)) break
    former.push(fingerprintOf(from))
    current = from
  }
  return former
}

/** @throws LoamError `BAD_INPUT` for a signature that does not fit */
function signerOf(manifest: Uint8Array, raw: Uint8Array | null): BundleSigned {
  try {
    const {
      publicKey,
      signature,
      rotations = [],
    } = signatureSchema.parse(JSON.parse(Buffer.from(raw ?? []).toString('utf8')))
    if (isSigned(manifest, publicKey, signature))
      return { fingerprint: fingerprintOf(publicKey), former: formerOf(publicKey, rotations) }
  } catch {
    // Told below.
  }
  throw badArchive('The signature does not fit the manifest: the bundle was changed, or signed wrongly.')
}
