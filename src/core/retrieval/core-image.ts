import type { LaterWords } from './later-words'
import { Postings } from './postings'
import { RowIds } from './row-ids'
import { SearchCore } from './search-core'
import { TermTable } from './term-table'
import type { VectorSearch } from './vector-search'
import { WordSearch } from './word-search'

/** What is said of a core beside its columns. */
export interface ImageHead {
  readonly dimension: number
  /** Rows, those that were taken out among them. */
  readonly size: number
  readonly terms: number
  /** Names of environments, by number. */
  readonly environments: readonly string[]
  /** Rows that are marked deleted. */
  readonly deleted: number
  /** Bytes of each column. Those of terms, postings and codes come first: they are read when they are asked for. */
  readonly columns: readonly number[]
}

/** A core as it is written: its columns as they lie in memory, and no vectors. */
export interface CoreImage {
  readonly head: ImageHead
  /** Good until the core changes. */
  readonly columns: readonly Uint8Array[]
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The image of a core that is tidy. */
export function imageOf(core: SearchCore): CoreImage {
  const { words, vectors, ids, flags, environments, names, deletedCount: deleted } = core.parts
  const { postings, lengths, removals, size } = words.columns
  if (postings.tailLength > 0) throw new Error('Only a core that is tidy has an image.')
  postings.readAll()
  const { starts, bytes, slots } = ids.columns
  const columns = [
    ...[postings.table.data, postings.words, vectors.codeView()],
    ...[lengths, removals, starts, bytes, slots, flags, environments, vectors.signView()],
  ].map(bytesOf)
  return {
    head: {
      ...{ dimension: core.dimension, size, terms: postings.table.size, environments: names, deleted },
      columns: columns.map(({ length }) => length),
    },
    columns,
  }
}

/**
 * A core of an image, which it goes on with. `columns`: those between codes and signs, each beginning at a multiple of 4 bytes; `vectors` has signs
 * already, and knows where codes are.
 */
export function coreOf(
  head: ImageHead,
  columns: readonly Uint8Array<ArrayBuffer>[],
  { terms, postings }: { readonly terms: LaterWords; readonly postings: LaterWords },
  vectors: VectorSearch,
): SearchCore {
  const column = (number: number): Uint8Array<ArrayBuffer> => columns[number] ?? new Uint8Array()
  const words = (number: number): Uint32Array<ArrayBuffer> => {
    const { buffer, byteOffset, byteLength } = column(number)
    return new Uint32Array(buffer, byteOffset, byteLength / 4)
  }
  const { size } = head
  return new SearchCore(head.dimension, {
    words: new WordSearch(undefined, {
      postings: new Postings(new TermTable(terms.words, head.terms, terms), postings.words, postings),
      ...{ lengths: words(0), removals: column(1), size },
    }),
    vectors,
    ids: new RowIds({ starts: words(2), bytes: column(3), slots: words(4) }),
    flags: column(5),
    environments: words(6),
    names: head.environments,
    deletedCount: head.deleted,
  })
}
