import { z } from 'zod'
import { loamErrorShape } from './error-shape'
import { figure, instant, milliseconds } from './units'

/** Long work: returns at once, reports progress, can be cancelled within 500 ms. */
export const jobInfoSchema = z.object({
  id: z.string(),
  kind: z.enum([
    'run',
    'demo',
    'experiment',
    'recordings',
    'download',
    'import',
    'reindex',
    'model-load',
    'kb-abstract',
    'errors',
    'consolidation',
    'build',
    'documents',
    'ask',
    'measuring',
    'comparing',
    'reading',
    'watching',
  ]),
  title: z.string(),
  status: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** Done and total in `unit`; total null when unknown. */
  done: z.number(),
  total: figure,
  unit: z.string(),
  /** What it is doing right now, in plain words. */
  activity: z.string(),
  etaMs: milliseconds.nullable(),
  startedAt: instant,
  finishedAt: instant.nullable(),
  problem: loamErrorShape.nullable(),
  /** What it produced or works on: a run id, a file path. */
  subject: z.string().nullable(),
  /** The import that it made, which can be undone; absent where nothing came in, and for other work. */
  importId: z.string().optional(),
  /** What it brought in was taken out again. Default false. */
  undone: z.boolean().optional(),
  /** It ended, or was interrupted, before Loam was started the last time. Default false. */
  earlier: z.boolean().optional(),
})
export type JobInfo = z.infer<typeof jobInfoSchema>
