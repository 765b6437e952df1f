import { z } from 'zod'
import { methodPresetSchema } from './preset'
import { settingGroupSchema } from './setting'
import { recalledItemSchema } from './trajectory'
import { integer } from './units'

const itemKind = recalledItemSchema.shape.kind

/** What a method says of itself in words, figures and colour. */
const methodWordsSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** One sentence a newcomer understands. */
  description: z.string(),
  /** Where it comes from, for the tooltip. */
  source: z.string(),
  usesK: z.boolean(),
  defaultK: integer,
  /** Which of the nine colours of the charts its lines have. */
  colour: z.number().int().min(1).max(9),
  /** Kinds of memory it writes, besides the attempts themselves. */
  keeps: z.array(itemKind),
  /** What it puts into a prompt, in the prompt's order. */
  recalls: z.array(
    z.object({
      kind: itemKind,
      /** What of it, in a few words: `the K most like the task`. */
      what: z.string(),
      /** Ahead of everything, behind the system prompt, before the task, or after a round. */
      place: z.enum(['first', 'system', 'task', 'round']),
    }),
  ),
  /** Its thresholds that assume an encoder which compares meaning, in words; said while the word matcher is on. Default: none. */
  assumesMeaning: z.string().optional(),
  /** Where it is chosen until a person chooses otherwise: the baseline, the first run, the first experiment, the demo. */
  suggested: z.array(z.enum(['baseline', 'run', 'experiment', 'demo'])).optional(),
  /**
   * In everyday asks: `compared` with others while the choice is Loam's; `never`: only measures in the Lab, so it is refused there. Default: a person can
   * choose it.
   */
  everyday: z.enum(['compared', 'never']).optional(),
})
export type MethodWords = z.infer<typeof methodWordsSchema>

/** A method as the window, REST and the command line are told of it. */
export const methodInfoSchema = methodWordsSchema.extend({
  /** Null: it has none. */
  settings: settingGroupSchema.nullable(),
  /** Settings under a name; the first is as in its paper. None where it has no paper. */
  presets: z.array(methodPresetSchema),
  /** The learner whose values of cases can be looked into; null: it has none. */
  learner: z.object({ title: z.string(), detail: z.string() }).nullable(),
})
export type MethodInfo = z.infer<typeof methodInfoSchema>
