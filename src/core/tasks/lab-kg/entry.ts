import { z } from 'zod'
import { readNested } from '../../ground/nested'

const nested = <T extends z.ZodType>(schema: T) => z.preprocess(readNested, schema)

/** An edge of a task's own graph: from, relation, to. A number at its end is a value, which makes the relation an attribute. */
const edgeSchema = z.tuple([z.string().min(1), z.string().min(1), z.union([z.string().min(1), z.number()])])

function hasPairs(name: string): boolean {
  let open = 0
  for (const char of name) {
    if (char === '(') open++
    else if (char === ')' && --open < 0) return false
  }
  return open === 0
}

/**
 * One entry of knowledge_graph.json; its lists are written as Python prints them. Ours besides: `id`, and `graph`, the edges of a task's own graph
 * in place of one that is derived.
 */
export const labKgEntrySchema = z.object({
  question: z.string().min(1),
  entity_dict: nested(
    z
      .record(
        z.string().refine((name) => !name.includes('#') && hasPairs(name), {
          error: 'holds a # or unpaired parentheses',
        }),
        z.string().min(1),
      )
      .refine((entities) => Object.keys(entities).length > 0, { error: 'names no entity' }),
  ),
  answer_list: nested(z.array(z.coerce.string()).min(1)),
  action_list: nested(z.array(z.string()).default([])),
  s_expression: z.string().default(''),
  skill_list: nested(z.array(z.string()).default([])),
  sample_index: z.union([z.number().int(), z.string()]).optional(),
  id: z.string().min(1).optional(),
  graph: z.array(edgeSchema).min(1).optional(),
})
export type LabKgEntry = z.infer<typeof labKgEntrySchema>
