import type { z } from 'zod'
import { isRecord } from '../../core/ground/record'
import { readIfThere, replaceFile } from './atomic-file'
import { noteDamage } from './record-file'
import { sealedFile, sumMatches } from './sealed'

/** Tells a derived file from a record, which has a copy. */
const DERIVED = 'derived'

/** What a derived file says. `damaged`: it is not as it was written. */
type Content = { readonly kind: 'whole'; readonly value: unknown } | { readonly kind: 'absent' | 'damaged' }

/**
 * What Loam worked out and can work out again, as JSON with its own checksum (`sum`, CRC-32) and no copy; null where there is none, or none that can be
 * used. Damage is told by `damageIn`. Files of earlier versions, which have no checksum, are read as they stand.
 */
export async function readDerived<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const content = await contentOf(path)
  if (content.kind === 'absent') return null
  const read = content.kind === 'whole' ? schema.safeParse(content.value) : null
  if (read?.success) return read.data
  if (content.kind === 'damaged')
    noteDamage(path, `${path} was damaged; it is made again, and nothing is lost.`)
  return null
}

/** Replaces a derived file all at once. Default `mode`: for its owner alone. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
export const writeDerived = (path: string, value: object, mode = 0o600): Promise<void> =>
  replaceFile(
    path,
    sealedFile({ [DERIVED]: true, ...(Array.isArray(value) ? { list: value as unknown[] } : value) }),
    mode,
  )

/** Whether a file is a derived one, and as it was written. */
export async function derivedState(path: string): Promise<'whole' | 'damaged' | 'none'> {
  const text = path.endsWith('.json') ? await readIfThere(path).catch(() => null) : null
  if (text === null || !text.startsWith(`{\n  "${DERIVED}": true`)) return 'none'
  return (await contentOf(path)).kind === 'whole' ? 'whole' : 'damaged'
}

async function contentOf(path: string): Promise<Content> {
  try {
    const text = await readIfThere(path)
    if (text === null) return { kind: 'absent' }
    const content: unknown = JSON.parse(text)
    if (!isRecord(content) || !(DERIVED in content || 'sum' in content))
      return { kind: 'whole', value: content }
    const { sum, ...rest } = content
    if (!sumMatches(rest, sum)) return { kind: 'damaged' }
    const { [DERIVED]: _mark, ...value } = rest
    const isList = Array.isArray(value['list']) && Object.keys(value).length === 1
    return { kind: 'whole', value: isList ? value['list'] : value }
  } catch {
    // A folder in its place, a file that nobody may read, words that are no JSON: it is made again.
    return { kind: 'damaged' }
  }
}
