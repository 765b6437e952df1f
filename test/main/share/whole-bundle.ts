import { lineValue } from '../../../src/main/adapters/isolate/work/texts'
import { checkBundle } from '../../../src/main/bundle/check-bundle'
import type { CheckedBundle } from '../../../src/main/bundle/manifest'
import type { Bytes } from '../../../src/main/ground/zip-entries'
import { writeBundle, type BundleChoice, type BundleFacts } from '../../../src/main/share/bundle/write-bundle'
import type { StoredMemory } from '../../../src/main/memory-store/memory'

/** A bundle in one piece, and what is known of it. */
export async function wholeBundle(
  memory: StoredMemory,
  choice: BundleChoice,
): Promise<BundleFacts & { readonly bytes: Uint8Array }> {
  const pieces: Uint8Array[] = []
  const told: BundleFacts[] = []
  for await (const piece of writeBundle(memory, choice, (facts) => told.push(facts))) pieces.push(piece)
  return { ...(told[0] as BundleFacts), bytes: Buffer.concat(pieces) }
}

const bytesInMemory = (bytes: Uint8Array): Bytes => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { size: view.length, read: (at, length) => view.subarray(at, at + length) }
}

/** A bundle that was checked in this process, as an isolate checks it. */
export async function checkedBundle(bytes: Uint8Array): Promise<CheckedBundle> {
  const { about, lines: batches } = await checkBundle(bytesInMemory(bytes))
  return {
    ...about,
    async *lines(path) {
      for await (const lines of batches(path)) yield* lines
    },
    async *values(path) {
      for await (const lines of batches(path)) yield* lines.map(lineValue)
    },
  }
}
