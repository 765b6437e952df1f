import type { LineValue } from '../ground/isolate/foreign-text'
import type { BundleAbout } from './manifest'

/** What the isolate that reads a bundle is asked: first to open one, then for lines of its files. */
export type BundleRequest =
  /** A file in the folder that it may read. */
  | { readonly open: string }
  /** The first lines of a file of the bundle, as they are or as values. `id` names the reading in what follows. */
  | { readonly id: number; readonly read: string; readonly as: 'lines' | 'values' }
  | { readonly id: number; readonly goOn: true }
  | { readonly id: number; readonly leave: true }

export type BundleReply =
  | BundleAbout
  /** Null: there are no more. */
  | { readonly lines: readonly string[] | null }
  | { readonly values: readonly LineValue[] | null }
