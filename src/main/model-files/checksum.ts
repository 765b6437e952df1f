import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** What a file has to be: its SHA-256, or the SHA-1 that git calls its blob by. Lower-case hex. */
export type Checksum =
  { readonly kind: 'sha256'; readonly hex: string } | { readonly kind: 'git-blob'; readonly hex: string }

/** Whether a file is what it should be. `onBlock` is called now and then. AbortError when `signal` fires. */
export async function matches(
  path: string,
  { kind, hex }: Checksum,
  onBlock: () => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const hash = createHash(kind === 'sha256' ? 'sha256' : 'sha1')
  if (kind === 'git-blob') hash.update(`blob ${(await stat(path)).size}\0`)
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    hash.update(chunk as Buffer)
    onBlock()
  }
  return hash.digest('hex') === hex
}
