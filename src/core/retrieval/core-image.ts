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
  /** Bytes of each column. The last one has the codes of the vectors. */
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
  const { words, vectors, ids, flags, environments, names } = core.parts
  const { postings, lengths, removals, size } = words.columns
  if (postings.tailLength > 0) throw new Error('Only a core that is tidy has an image.')
  const { starts, bytes, slots } = ids.columns
  const columns = [
    ...[postings.table.data, postings.words, lengths, removals, starts, bytes, slots, flags, environments],
    vectors.codeView(),
  ].map(bytesOf)
  return {
    head: {
      ...{ dimension: core.dimension, size, terms: postings.table.size, environments: names },
      columns: columns.map(({ length }) => length),
    },
    columns,
  }
}

/** A core of the columns of an image, which it goes on with; each but the last begins at a multiple of 4 bytes. `vectors` has their codes already. */
export function coreOf(
  head: ImageHead,
  columns: readonly Uint8Array<ArrayBuffer>[],
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
      postings: new Postings(new TermTable(words(0), head.terms), words(1)),
      ...{ lengths: words(2), removals: column(3), size },
    }),
    vectors,
    ids: new RowIds({ starts: words(4), bytes: column(5), slots: words(6) }),
    flags: column(7),
    environments: words(8),
    names: head.environments,
  })
}
