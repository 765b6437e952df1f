import { z } from 'zod'
import { rubricSchema } from '../../../shared/domain/guide'
import { trajectorySchema } from '../../../shared/domain/trajectory'

/** First line of an exported memory. */
export const exportHeaderSchema = z.object({
  format: z.literal('loam-space'),
  version: z.literal(1),
  space: z.object({ id: z.string(), name: z.string(), createdAt: z.string() }),
  embedder: z.object({ id: z.string(), dimension: z.number().int().positive() }),
  exportedAt: z.string(),
})
export type ExportHeader = z.infer<typeof exportHeaderSchema>

/** What a header says of its memory. */
export interface HeaderSource {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly embedder: { readonly id: string; readonly dimension: number }
}

export const headerOf = ({ id, name, createdAt, embedder }: HeaderSource, now: Date): ExportHeader => ({
  format: 'loam-space',
  version: 1,
  space: { id, name, createdAt },
  embedder: { id: embedder.id, dimension: embedder.dimension },
  exportedAt: now.toISOString(),
})

/** Lines beside those that the kinds of memory write themselves. */
export const exportLineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('trajectory'), trajectory: trajectorySchema }),
  /** A person's rubrics for an environment. */
  z.object({
    kind: z.literal('rubrics'),
    environment: z.string().min(1),
    rubrics: z.array(rubricSchema).min(1).max(12),
  }),
])
export type ExportLine = z.infer<typeof exportLineSchema>
