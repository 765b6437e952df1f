import type { CaseRecord } from '../../shared/domain/case'
import type { StoredExperience } from '../../shared/domain/experience'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { Recognise, Recognition } from '../ground/recognition'
import type { Found, ReadContext } from '../memory/experiences/import/log'
import type { MemorySource } from '../memory/items/kind'
import type { HeaderSource } from './loam/lines'

/** A memory as formats read it. Everything comes in order of arrival. */
export interface FormatSource extends HeaderSource {
  /** Every kind of memory; see `MEMORY_KINDS`. */
  readonly memory: MemorySource
  trajectories(): AsyncIterable<Trajectory>
  cases(options: { includeDeleted: boolean }): AsyncIterable<CaseRecord>
  readonly experiences: {
    entries(): Iterable<{ readonly id: string }>
    get(id: string): Promise<StoredExperience | null>
  }
  /** The memory's own encoder, for files that carry vectors. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]>
}

export interface WriteOptions {
  readonly now: () => Date
  /** Kinds of memory by id, `attempts` and `rubrics`. Default: all but parts of a person's own files (`leavingKinds`). */
  readonly kinds?: readonly string[] | null | undefined
  /** Which items of these kinds. Default: all. */
  readonly includes?: (kind: string, id: string) => boolean
  /** What people deleted, too. Default false. */
  readonly includeDeleted?: boolean
  readonly signal?: AbortSignal
}

/** A piece of a written file. */
export interface FormatPart {
  readonly text: string
  /** What it holds, in the plural (`cases`, `lessons`), for the count that is told; null for what is none, such as a header. */
  readonly holds: string | null
  /** How many of that. Default 1. */
  readonly count?: number
  /** Of a format that is a folder: the file that it goes to the end of, with slashes. */
  readonly file?: string
  /** Of a file that is no text: its bytes, in the place of `text`. */
  readonly bytes?: Uint8Array
}

/** A file format that a memory can be written as, read from, or both. */
export interface Format {
  /** Small letters and dashes: what the command line calls it. */
  readonly id: string
  readonly title: string
  /** The version of the other program that it was written for. */
  readonly writtenFor: string
  /** What of a memory is in the file, for the person who chooses. */
  readonly keeps: string
  /** What of a memory is not; for a format that is only read, what of the file is not taken in. */
  readonly loses: string
  /** How much a file looks like one of these. Default: it is not recognised, and has to be named. */
  readonly recognise?: Recognise
  /** The same, asked in another process; in the place of `recognise`. */
  readonly recogniseApart?: (head: string, name: string) => Promise<Recognition>
  /** Both, or neither: the name of the file (its memory's name made fit for one, or a fixed one), and the pieces of it. */
  readonly fileName?: (memory: { readonly fileName: string; readonly time: string }) => string
  readonly write?: (source: FormatSource, options: WriteOptions) => AsyncGenerator<FormatPart>
  /** What is written. `folder`: every part names its file. `binary`: one file that is no text. Default `text`. */
  readonly written?: 'text' | 'binary' | 'folder'
  /** Lines that what is written stands between, in a file that may hold more: that is kept, and what stood between them goes. */
  readonly section?: { readonly begin: string; readonly end: string }
  /** Reads the text piece by piece; never throws for what is in it. */
  readonly read?: (text: AsyncIterable<string>, context: ReadContext) => AsyncGenerator<Found>
  /** What is added to a file's name for the file beside it that is read with it. Default: none. */
  readonly beside?: string
  /** The name of the file in the same folder that is read with a text, of at most a mebibyte. Default: none. */
  readonly sibling?: string
  /** Reads a file that is no text, in the place of `read`; never throws for what is in it. */
  readonly readBytes?: (bytes: Uint8Array, context: ReadContext) => AsyncGenerator<Found>
}
