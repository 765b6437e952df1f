import { z } from 'zod'
import type { StateCall } from './tool'

const jsonObject = z.record(z.string(), z.unknown())

/** A call of the reference solution; without `compare_args` all arguments count. */
const goldActionSchema = z.object({
  action_id: z.string().optional(),
  requestor: z.enum(['assistant', 'user']).default('assistant'),
  name: z.string().min(1),
  arguments: jsonObject.default({}),
  compare_args: z.array(z.string()).nullish(),
})
export type GoldAction = z.infer<typeof goldActionSchema>

/** What the reward is made of in tau2-bench; it is the product of the parts that a task names. */
const rewardPartSchema = z.enum(['DB', 'ACTION', 'COMMUNICATE', 'ENV_ASSERTION', 'NL_ASSERTION'])
export type RewardPart = z.infer<typeof rewardPartSchema>

/** What a scripted user says, besides the opening; ours, in addition to the benchmark's prose. */
const userScriptSchema = z.object({
  /** Said once, when the agent's message has one of the words in it. */
  replies: z
    .array(z.object({ asks: z.array(z.string().min(1)).min(1), says: z.string().min(1) }))
    .default([]),
  /** Said one after another, whenever the agent has nothing to ask. */
  then: z.array(z.string().min(1)).default([]),
  /** Said to every question for a yes. */
  confirms: z.string().min(1).default('Yes, please go ahead.'),
})

const userScenarioSchema = z.object({
  persona: z.string().nullish(),
  instructions: z.union([
    z.string().min(1),
    z.object({
      domain: z.string().min(1),
      reason_for_call: z.string().min(1),
      known_info: z.string().nullish(),
      unknown_info: z.string().nullish(),
      task_instructions: z.string().default(''),
    }),
  ]),
  script: userScriptSchema.optional(),
})
export type UserScenario = z.infer<typeof userScenarioSchema>

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** A call that prepares or asks the state of one side. */
const stateCallSchema = z.object({
  env_type: z.enum(['assistant', 'user']),
  func_name: z.string().min(1),
  arguments: jsonObject.default({}),
})

const messageSchema = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string().nullish(),
  tool_calls: z.array(z.object({ name: z.string(), arguments: jsonObject.default({}) })).nullish(),
  /** Whose call a tool answers, or who calls. */
  requestor: z.enum(['assistant', 'user']).nullish(),
})
export type PastMessage = z.infer<typeof messageSchema>

const orNone = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((list) => list ?? [])

const initialStateSchema = z
  .looseObject({
    initialization_data: z
      .object({ agent_data: jsonObject.nullish(), user_data: jsonObject.nullish() })
      .nullish(),
    initialization_actions: orNone(stateCallSchema),
    message_history: orNone(messageSchema),
  })
  .refine(
    ({ initialization_data: _data, initialization_actions: _actions, message_history: _past, ...others }) =>
      Object.values(others).every(isEmpty),
    'starts from a state that cannot be set up here',
  )

/**
 * One task as tau2-bench publishes it, in the state it starts from: data, calls and messages before the conversation. Ours besides:
 * `skills`, the user's `script`, and `source`, `domain`, `user`, `digest`, which loading fills in.
 */
export const toolTaskSchema = z.object({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  user_scenario: userScenarioSchema,
  initial_state: initialStateSchema.nullish(),
  evaluation_criteria: z.object({
    actions: orNone(goldActionSchema),
    env_assertions: orNone(stateCallSchema.extend({ assert_value: z.boolean().default(true) })),
    communicate_info: orNone(z.string()),
    nl_assertions: orNone(z.string()),
    reward_basis: z
      .array(rewardPartSchema)
      .nullish()
      .transform((parts): RewardPart[] => (parts?.length ? parts : ['DB', 'COMMUNICATE'])),
  }),
  /** The tools that the user has, of the domain's. Default: all. */
  user_tools: z.array(z.string()).nullish(),
  skills: z.array(z.string()).default([]),
  /** The stream it is from: where its policy and databases are. */
  source: z.string().default(''),
  /** Whose tools it needs. Default: what the scenario says. */
  domain: z.string().optional(),
  /** Fingerprint of policy and databases. */
  digest: z.string().default(''),
  /** Who plays the user. Default: a script (word for word the same each time) where there is one, else a model where there is one. */
  user: z.enum(['script', 'model']).optional(),
})
export type ToolTask = z.infer<typeof toolTaskSchema>

/** A state call of a task, as the tools take it. */
export const stateCall = (call: z.infer<typeof stateCallSchema>): StateCall => ({
  side: call.env_type,
  name: call.func_name,
  args: call.arguments,
})

/** What a domain is made of besides its tools. */
export interface DomainData {
  /** Markdown. */
  readonly policy: string
  /** As JSON; never changed, each attempt works on its own copy. */
  readonly database: unknown
  /** What the user's side starts from. Default: nothing. */
  readonly userDatabase?: unknown
}
