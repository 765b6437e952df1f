import type { GgufHeader } from './gguf-header'

/** Begins with a file, or hands over the bytes that the reply before asked for. */
export type GgufRequest =
  | { readonly path: string; readonly sizeBytes: number; readonly arrays: readonly string[] }
  | { readonly piece: Uint8Array }

/** Bytes that are needed to go on, or what the file says. */
export type GgufReply =
  | { readonly kind: 'more'; readonly at: number; readonly length: number }
  | { readonly kind: 'header'; readonly header: GgufHeader }
