import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { instant } from './units'

/** Where a module can be added. */
export const seamSchema = z.enum([
  'method',
  'environment',
  'provider',
  'format',
  'tool-server',
  'memory-kind',
])
export type Seam = z.infer<typeof seamSchema>

/** What a module says of itself in its `manifest.json`. */
export const moduleManifestSchema = z.object({
  /** Name of its folder, and the id it has at its seam. */
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      'small letters, digits and single dashes, beginning with a letter',
    )
    .max(40),
  version: z.string().min(1).max(40),
  /** The service interface that it was written for: `1`, or `^1.2` where it needs that or a later 1.x. */
  spi: z.string().regex(/^(\d+|\^\d+\.\d+)$/, 'a version such as 1 or ^1.2'),
  seam: seamSchema,
  /** Its JavaScript file below the folder, which exports `module`. */
  entry: z.string().min(1).max(200),
  title: z.string().trim().min(1).max(80),
  licence: z.string().trim().min(1).max(80),
})
export type ModuleManifest = z.infer<typeof moduleManifestSchema>

/**
 * A module in the data folder. `off`: nobody allowed it, or a person denied it. `on`: it is in use. `changed`: its code is not what was
 * allowed. `failed`: it is off because of `problem`.
 */
export const moduleInfoSchema = moduleManifestSchema.extend({
  /** The folder or package it came from. */
  origin: z.string(),
  addedAt: instant.nullable(),
  state: z.enum(['off', 'on', 'changed', 'failed']),
  problem: loamErrorShape.nullable(),
})
export type ModuleInfo = z.infer<typeof moduleInfoSchema>
