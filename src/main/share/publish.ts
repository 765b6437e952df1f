import { unitsOf, type Unit } from '../../core/formats/units'
import type { Embedder } from '../../core/ground/ports'
import { LoamError } from '../../shared/errors'
import type { StoredMemory } from '../memory-store/memory'
import {
  openPublishedTable,
  type PublishedHit,
  type PublishedRow,
  type StorageOptions,
} from '../adapters/lancedb/published-table'
import { memorySourceOf } from '../items/memory-items'
import { formatSource } from '../memories/memories'
import { sha256Of } from '../bundle/manifest'

/** What publishing did. */
export interface Publication {
  readonly uri: string
  /** Rows that were new or changed, that went, and that were as they are already. */
  readonly put: number
  readonly removed: number
  readonly same: number
  /** Version that readers see now. */
  readonly version: number
}

export interface PublishOptions {
  readonly storage?: StorageOptions
  /** Rows of one version. Default 256. */
  readonly batch?: number
  /** Rows beyond which there is an index. Default 100,000. */
  readonly exactRows?: number
  readonly signal?: AbortSignal
}

const BATCH = 256

/**
 * Brings what is published of a memory up to date: its live items with their vectors, as a table that any number of readers search while it is
 * written. The writer is whoever has the memory open, so there is one. Each batch is one version: a reader sees all of it or nothing, and a writer
 * that is killed leaves the last version; publishing again goes on behind it.
 */
export async function publishMemory(
  memory: StoredMemory,
  uri: string,
  options: PublishOptions = {},
): Promise<Publication> {
  const { storage, batch = BATCH, exactRows, signal } = options
  const table = await openPublishedTable(uri, memory.embedder, {
    create: true,
    ...(storage && { storage }),
    ...(exactRows !== undefined && { exactRows }),
  })
  try {
    const recordTextMap = await table.prints()
    const seenSet = new Set<string>()
    let waiters: {
      readonly unit: Unit
      readonly key: string
      readonly line: string
      readonly print: string
    }[] = []
    const counts = { put: 0, same: 0 }
    const flush = async (): Promise<void> => {
      const vectors = await memory.embedder.embed(
        waiters.map(({ unit }) => unit.text),
        { signal },
      )
      const rows = waiters.map(({ unit, key, line, print }, i): PublishedRow => {
        const { kind, title, text, environment } = unit
        return { key, kind, title, text, environment, print, line, vector: vectors[i] ?? new Float32Array() }
      })
      await table.put(rows)
      counts.put += rows.length
      waiters = []
    }
    const source = formatSource(memory, memorySourceOf(memory))
    for await (const unit of unitsOf(source, { signal })) {
      const key = `${unit.kind}/${unit.id}`
      const line = JSON.stringify(unit.line)
      const print = sha256Of(line)
      seenSet.add(key)
      if (recordTextMap.get(key) === print) {
        counts.same++
        continue
      }
      waiters.push({ unit, key, line, print })
      if (waiters.length >= batch) await flush()
    }
    if (waiters.length > 0) await flush()
    const removals = [...recordTextMap.keys()].filter((key) => !seenSet.has(key))
    await table.remove(removals)
    await table.index()
    return { uri, ...counts, removed: removals.length, version: await table.version() }
  } finally {
    table.close()
  }
}

/** Finds what is nearest to a text in what is published. @throws LoamError `NOT_FOUND`, `VECTOR_DIMENSION` */
export async function searchPublished(
  uri: string,
  query: string,
  {
    embedder,
    k,
    storage,
  }: { readonly embedder: Embedder; readonly k: number; readonly storage?: StorageOptions },
): Promise<PublishedHit[]> {
  const table = await openPublishedTable(uri, embedder, storage ? { storage } : {})
  try {
    const [vector] = await embedder.embed([query])
    if (!vector)
      throw new LoamError('BAD_INPUT', 'There is nothing to look for.', { suggestion: 'Name some words.' })
    return await table.search(vector, k)
  } finally {
    table.close()
  }
}
