import { z } from 'zod'
import { readingReportSchema } from './reading'
import { count, instant } from './units'

/** What is known of a task by who made it, for figures and for measuring how well a model reads; agents and methods are not told. */
const knownTaskSchema = z.object({
  /** The stretch of its stream, from 0; the world may change between two of them. */
  stage: count,
  /** Whether tasks like it come again in later stages. */
  probe: z.boolean(),
  /** The earlier task that needs the same rules and asks the same of other rows; null for none. */
  twinOf: z.string().nullable(),
  /** Whether one of its rules is another than when that earlier task was played. */
  changed: z.boolean(),
  /** The hidden rules it takes, as `Harbor/bookings.cancelled`, with their values and what they are called in the task. */
  rules: z.array(z.object({ key: z.string(), name: z.string(), value: z.string() })),
  /** Statements that find out every rule, then the one that solves it. */
  path: z.array(z.string()),
  /** Where they hold, by name: `Harbor`. */
  place: z.string(),
  /** Another task that takes the same rules, solved. */
  example: z.object({
    instruction: z.string(),
    rounds: z.array(z.object({ completion: z.string(), observation: z.string().nullable() })),
  }),
})
export type KnownTask = z.infer<typeof knownTaskSchema>

/** What an agent hears of its reward: the opposite of it, or nothing. Figures are over what it really was. */
const feedbackSchema = z.enum(['flipped', 'withheld'])
export type Feedback = z.infer<typeof feedbackSchema>

/** One task of a stream. `payload` is the environment's own entry and is only read by that environment. */
export const taskSchema = z.object({
  /** Unique within its stream, stable across loads. */
  id: z.string(),
  /** Position in the stream, from 0. */
  index: count,
  environment: z.string(),
  /** What the agent is asked, in plain language. */
  instruction: z.string(),
  skills: z.array(z.string()),
  payload: z.unknown(),
  /** Default: the agent is told its reward as it is. */
  feedback: feedbackSchema.optional(),
  /** Only of streams whose maker knows every rule. */
  known: knownTaskSchema.optional(),
})
export type Task = z.infer<typeof taskSchema>

/** What came of playing the solutions that a stream's tasks bring along. */
export const verificationSchema = z.object({
  /** When all of them were played; null when a part of them was, just now. */
  at: instant.nullable(),
  /** Settings that were changed for it, as `GROUP.KEY=VALUE`. */
  settings: z.array(z.string()),
  tried: count,
  agree: count,
  /** Those that have none that could be played. */
  unknown: count,
})
export type Verification = z.infer<typeof verificationSchema>

/** What is known of a stream besides its name: where it is from, how it grades, how far its own solutions solve it, and who worked on it. */
export const streamPageSchema = z.object({
  /** Where tasks of this kind come from, and in which files. */
  source: z.string(),
  /** What its header says of its licence; null when it says nothing. */
  licence: z.string().nullable(),
  /** When a task counts as solved. */
  solved: z.string(),
  /** What the agent is asked in the first task, cut for showing. */
  sample: z.string(),
  verified: verificationSchema,
  /** Runs over it by method and model, the most tasks first. */
  worked: z.array(
    z.object({
      method: z.string(),
      model: z.string(),
      runs: count,
      /** Attempts of all these runs together. */
      tasks: count,
      solved: count,
    }),
  ),
})
export type StreamPage = z.infer<typeof streamPageSchema>

export const streamInfoSchema = z.object({
  /** Bundled name, absolute file path, or the name of a stream that is made from it (`lifelong:drift?world=101&order=1`). */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  environment: z.string(),
  tasks: count,
  skills: z.array(z.string()),
  source: z.enum(['bundled', 'file', 'made']),
  /** Whether it lies in the data folder. Default: it does not. */
  own: z.boolean().optional(),
  /** Made for the bundled demo model. */
  demo: z.boolean(),
  /** Under which terms others may use it, when its header says so. */
  licence: z.string().optional(),
  /** What came of reading its file: every row, and why some are no tasks. */
  reading: readingReportSchema,
})
export type StreamInfo = z.infer<typeof streamInfoSchema>
