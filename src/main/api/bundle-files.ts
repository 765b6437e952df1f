import { isAbsolute } from 'node:path'
import { LoamError } from '../../shared/errors'
import type { App } from '../app'
import { replaceFile } from '../ground/atomic-file'
import { signingKey } from '../share/bundle/signing-key'
import { writeBundle } from '../share/bundle/write-bundle'
import { readBundleFile } from '../transfer/imports'
import { existingMemory } from './existing-memory'

/** What is to be in a bundle's file; the contract says what each part means. */
export interface BundleFileChoice {
  readonly memoryId: string
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

/** Writes a memory as a bundle, or only says what would be in it. */
export async function bundleToFile(app: App, choice: BundleFileChoice, signal: AbortSignal | undefined) {
  const { path, kinds, since, redact, keyFile, licence, provenance } = choice
  const out = path === null ? null : absolute(path)
  const { bytes, manifest, found } = await writeBundle(await existingMemory(app, choice.memoryId), {
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
