import type { MemoryFileReply, MemoryFileRequest } from '../adapters/isolate/work/memory-file'
import type { Recognition } from '../../core/ground/recognition'

/** A format's module, where its code lies. */
export interface FormatCode {
  readonly folder: string
  readonly title: string
  readonly entry: string
  readonly checksum: string
}

/** What an isolate is asked for: how much a text looks like the format, or what is in a file. */
export type FormatRequest = { readonly code: FormatCode } & (
  | { readonly head: string; readonly name: string }
  | { readonly reading: MemoryFileRequest }
)

export type FormatReply = { readonly recognition: Recognition } | { readonly reading: MemoryFileReply }
