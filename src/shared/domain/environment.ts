import { z } from 'zod'
import { settingGroupSchema } from './setting'

/** An environment as people are told of it. */
export const environmentInfoSchema = z.object({
  id: z.string(),
  /** As a heading: `Databases`. */
  title: z.string(),
  /** What its tasks are called, in the plural. */
  tasks: z.string(),
  /** What the agent does, when a task counts as solved, and where tasks come from: a sentence each. */
  about: z.string(),
  solved: z.string(),
  source: z.string(),
  /** The place of its colour in the window's palette, from 1 to 8. */
  colour: z.number().int().min(1).max(8),
  settings: settingGroupSchema,
  /** Settings of planner and executor, where those answer its tasks; null elsewhere. */
  player: settingGroupSchema.nullable(),
  /** How memory is shown in it. */
  presentation: settingGroupSchema,
  /** Model, temperature and thinking of every role that its tasks have. */
  roles: settingGroupSchema,
})
export type EnvironmentInfo = z.infer<typeof environmentInfoSchema>

/** A source of generated streams, as people are told of it. */
export const generatorInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** What a number stands for: `world`. */
  world: z.string(),
  about: z.string(),
})
