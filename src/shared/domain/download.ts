import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { bytes } from './units'

/** A repository of models on the hub. */
export const hubModelSchema = z.object({
  /** OWNER/NAME. */
  repo: z.string(),
  downloads: z.number(),
  likes: z.number(),
  /** As the hub names it, `apache-2.0`; null where nobody said. */
  license: z.string().nullable(),
  /** Whether its makers want terms accepted, or a person to be let in, before it can be had. */
  gated: z.boolean(),
})
export type HubModel = z.infer<typeof hubModelSchema>

/** A file of a repository. Its checksum is one of the two: large files have a SHA-256, small ones git's own. */
export const hubFileSchema = z.object({
  /** Within the repository, with slashes. */
  path: z.string(),
  sizeBytes: bytes,
  sha256: z.string().nullable(),
  gitSha1: z.string().nullable(),
})
export type HubFile = z.infer<typeof hubFileSchema>

/** Files that are one thing to download: a GGUF, the parts of one, or an encoder's folder. */
const hubChoiceSchema = z.object({
  /** What tells it from others of the repository: `Q4_K_M`, else the file's name. */
  name: z.string(),
  files: z.array(hubFileSchema).min(1),
  sizeBytes: bytes,
  /** By its size alone, before anything of it is here. */
  fit: z.enum(['fits', 'tight', 'too-large']),
})
export type HubChoice = z.infer<typeof hubChoiceSchema>

/** What can be had from a repository. */
export const hubRepoSchema = z.object({
  repo: z.string(),
  /** The commit that its files are taken from. */
  revision: z.string(),
  license: z.string().nullable(),
  gated: z.boolean(),
  /** Smallest first. */
  choices: z.array(hubChoiceSchema),
})
export type HubRepo = z.infer<typeof hubRepoSchema>

/** What a small encoder that is offered is good for, and where it comes from. */
export const offeredEmbedderSchema = z.object({
  id: z.string(),
  title: z.string(),
  about: z.string(),
  repo: z.string(),
  license: z.string(),
  /** About, in bytes; the hub says exactly. */
  sizeBytes: bytes,
})
export type OfferedEmbedder = z.infer<typeof offeredEmbedderSchema>

/** A download in the queue. */
export const downloadInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Where it comes from, in words. */
  source: z.string(),
  license: z.string().nullable(),
  sizeBytes: bytes,
  /** On disk when its state last changed; its job knows better while it runs. */
  doneBytes: bytes,
  status: z.enum(['waiting', 'running', 'paused', 'failed']),
  /** Why it failed, or what it waits for. */
  problem: loamErrorShape.nullable(),
  /** Its job while this Loam works on it. */
  jobId: z.string().nullable(),
  /** Where it will lie: a file, or a folder. */
  target: z.string(),
  /** Chosen as the embedding model once it is here. */
  asEmbedder: z.boolean(),
})
export type DownloadInfo = z.infer<typeof downloadInfoSchema>

/** Bytes that a model needs beside its weights: cache, computing, what else the program takes. */
const BESIDE = 0.6e9
const MORE = 1.12
/** How much of what is free a model may take. */
const SHARE = 0.8

/** Whether a model of some size on disk would run in so much free memory (RAM and VRAM together), roughly. */
export function roughFit(sizeBytes: number, freeBytes: number): HubChoice['fit'] {
  if (sizeBytes * MORE + BESIDE <= freeBytes * SHARE) return 'fits'
  return sizeBytes * MORE <= freeBytes ? 'tight' : 'too-large'
}

/** A fit in words. */
export const FIT_WORDS: Readonly<Record<HubChoice['fit'], string>> = {
  fits: 'fits in what is free',
  tight: 'just about fits',
  'too-large': 'needs more memory than is free',
}
