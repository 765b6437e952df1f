import { z } from 'zod'
import {
  conceptEditSchema,
  conceptSchema,
  guideVersionSchema,
  insightSchema,
  rubricSchema,
  treeNodeSchema,
} from '../../../shared/domain/guide'
import { buildOutcomeSchema, buildSchema } from '../../../shared/domain/guide-build'

const id = z.string().min(1)

/** What a memory's journal records about concept documents and the searches they come from. */
export const conceptEventSchemas = [
  z.object({ kind: z.literal('build-started'), build: buildSchema }),
  z.object({ kind: z.literal('insights-added'), buildId: id, insights: z.array(insightSchema) }),
  /** The meta-concepts as clustering found them. */
  z.object({
    kind: z.literal('concepts-found'),
    buildId: id,
    concepts: z.array(conceptSchema),
    at: z.string(),
  }),
  /** A person's change before the search, the n-th from 0, and what the concepts are after it. */
  z.object({
    kind: z.literal('concepts-edited'),
    buildId: id,
    n: z.number().int().nonnegative(),
    edit: conceptEditSchema,
    concepts: z.array(conceptSchema),
    at: z.string(),
  }),
  /** The search begins; from here on the concepts stay as they are. */
  z.object({ kind: z.literal('concepts-frozen'), buildId: id, at: z.string() }),
  z.object({ kind: z.literal('document-written'), version: guideVersionSchema }),
  z.object({ kind: z.literal('node-scored'), buildId: id, node: treeNodeSchema }),
  z.object({ kind: z.literal('build-ended'), buildId: id, outcome: buildOutcomeSchema }),
  /** A version became what agents read, or stopped being it. */
  z.object({
    kind: z.literal('document-decided'),
    conceptId: id,
    versionId: id,
    accepted: z.boolean(),
    by: z.enum(['search', 'person']),
    at: z.string(),
  }),
  /** A version won a search and waits for a person's decision. */
  z.object({
    kind: z.literal('document-proposed'),
    conceptId: id,
    versionId: id,
    at: z.string(),
  }),
  /** A person's rubrics for an environment, in the place of the ones that ship with Loam. */
  z.object({
    kind: z.literal('rubrics-changed'),
    environment: id,
    rubrics: z.array(rubricSchema).min(1).max(12),
    at: z.string(),
  }),
] as const

export type ConceptEvent = z.infer<(typeof conceptEventSchemas)[number]>

const KINDS: ReadonlySet<string> = new Set(conceptEventSchemas.map((schema) => schema.shape.kind.value))

export const isConceptEvent = <E extends { readonly kind: string }>(
  event: E,
): event is Extract<E, { kind: ConceptEvent['kind'] }> => KINDS.has(event.kind)
