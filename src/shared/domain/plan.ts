import { z } from 'zod'
import { addUsage, NO_USAGE, usageSchema } from './usage'
import { verdictSchema } from './verdict'
import { count, integer, milliseconds, share } from './units'

/** What a tool gave back, as it is kept: `text` at most `KEPT_TEXT` characters. */
const toolAnswerSchema = z.object({
  text: z.string(),
  failed: z.boolean(),
  /** The call was not made: what is known to make such a call fail was told instead. */
  isHeld: z.literal(true).optional(),
  /** The beliefs that were told, by id. */
  heldBy: z.array(z.string()).optional(),
  /** Files the call left in the task's folder. */
  files: z.array(z.string()),
  /** Milliseconds. */
  wallMs: milliseconds,
})

/** One call of a tool. */
const toolCallSchema = z.object({
  /** Its place within the subtask, from 0. */
  index: count,
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** Null while it is under way. */
  answer: toolAnswerSchema.nullable(),
})
export type ToolCall = z.infer<typeof toolCallSchema>

/** `waiting` and `working` only occur while the attempt is under way. */
const subtaskStatusSchema = z.enum(['waiting', 'working', 'done', 'failed'])

/** A step of a plan and what came of it: an entry of Memento's subtask memory; its calls are its tool memory. */
const subtaskSchema = z.object({
  /** The planner's own number; unique within its plan. */
  id: integer,
  description: z.string(),
  status: subtaskStatusSchema,
  calls: z.array(toolCallSchema),
  /** What the executor reported; empty until it did. */
  result: z.string(),
  /** Why it failed; null when it did not. */
  problem: z.string().nullable(),
  /** What the executor thought before each step, in order; empty with fast thinking. */
  thoughts: z.array(z.string()),
  usage: usageSchema,
  /** Milliseconds, tools included. */
  wallMs: milliseconds,
})
export type Subtask = z.infer<typeof subtaskSchema>

/** One turn of the planner and the execution of what it planned. */
export const planCycleSchema = z.object({
  /** From 0. */
  index: count,
  /** What the planner wrote, after a repair where one was needed. */
  reply: z.string(),
  /** The reply that had to be repaired, and why; null when the first was fine. */
  repaired: z.object({ reply: z.string(), reason: z.string() }).nullable(),
  /** What a person said while the agents worked, taken in before this plan; absent when nothing. */
  heard: z.string().min(1).optional(),
  /** What the method advised after the plan before, taken in before this one; absent when nothing. */
  guidance: z.string().min(1).optional(),
  /** What the planner thought before; null with fast thinking. */
  thought: z.string().nullable(),
  /** The final answer; null when a plan was written, or neither. */
  answer: z.string().nullable(),
  /** Empty when an answer was given, or neither. */
  subtasks: z.array(subtaskSchema),
  /** The planner's own; each subtask has its executor's. */
  usage: usageSchema,
})
export type PlanCycle = z.infer<typeof planCycleSchema>

/** What happens in a planner-executor loop, one thing at a time. Folded by `applyPlanEvent`. */
export type PlanEvent =
  | { readonly kind: 'planned'; readonly cycle: PlanCycle }
  | { readonly kind: 'subtask'; readonly cycle: number; readonly subtask: Subtask }
  | { readonly kind: 'call'; readonly cycle: number; readonly subtaskId: number; readonly call: ToolCall }

const replace = <T>(items: readonly T[], isIt: (item: T) => boolean, make: (item: T) => T): T[] =>
  items.map((item) => (isIt(item) ? make(item) : item))

/** The plan tree after one more event. Pure. */
export function applyPlanEvent(cycles: readonly PlanCycle[], event: PlanEvent): PlanCycle[] {
  if (event.kind === 'planned') return [...cycles.slice(0, event.cycle.index), event.cycle]
  const subtaskId = event.kind === 'call' ? event.subtaskId : event.subtask.id
  const change = (subtask: Subtask): Subtask => {
    if (event.kind === 'subtask') return event.subtask
    const calls = subtask.calls.slice(0, event.call.index)
    return { ...subtask, calls: [...calls, event.call] }
  }
  return replace(
    cycles,
    ({ index }) => index === event.cycle,
    (cycle) => ({ ...cycle, subtasks: replace(cycle.subtasks, ({ id }) => id === subtaskId, change) }),
  )
}

/** Everything a cycle cost the models. */
export const cycleUsage = (cycle: PlanCycle) =>
  cycle.subtasks.reduce((sum, { usage }) => addUsage(sum, usage), addUsage(NO_USAGE, cycle.usage))

/** A step of planned work: a plan or answer of the planner (`subtask` null), or a subtask of it by its place. */
export interface PlannedStep {
  readonly cycle: number
  readonly subtask: number | null
}

/** Everything that planner and executor did, one step after the other; what counts steps of planned work counts these. */
export const plannedSteps = (cycles: readonly PlanCycle[]): PlannedStep[] =>
  cycles.flatMap(({ index, subtasks }) => [
    { cycle: index, subtask: null },
    ...subtasks.map((_subtask, subtask) => ({ cycle: index, subtask })),
  ])

const plannedStepName = ({ cycle, subtask }: PlannedStep): string =>
  subtask === null ? `plan ${cycle + 1}` : `step ${subtask + 1} of plan ${cycle + 1}`

/** What a step of an attempt is called, from 0: by its place in the plans where it was planned, else by its number. */
export function stepName(
  { cycles }: { readonly cycles?: readonly PlanCycle[] | undefined },
  step: number,
): string {
  const place = cycles && plannedSteps(cycles)[step]
  if (!place) return `step ${step + 1}`
  return place.subtask === null && cycles[place.cycle]?.answer !== null
    ? 'the final answer'
    : plannedStepName(place)
}

/** A plan as a person rewrites it: its steps one a line. */
export const planAsLines = (subtasks: readonly Pick<Subtask, 'description'>[]): string =>
  subtasks.map(({ description }, i) => `${i + 1}. ${description}`).join('\n')

/** Every call of a tree, in order. */
export const callsOf = (cycles: readonly PlanCycle[]): ToolCall[] =>
  cycles.flatMap(({ subtasks }) => subtasks.flatMap(({ calls }) => calls))

/** How an answer compares with the references. */
const questionGradesSchema = z.object({
  /** Exact match. */
  em: verdictSchema,
  /** Token F1 in [0, 1]. */
  f1: share,
  /** Partial match by a judge: 1 or 0 (0.5 in attempts of an earlier judge); null when no judge was asked or it could not be read. */
  pm: z.union([z.literal(0), z.literal(0.5), z.literal(1)]).nullable(),
  /** Why the judge decided so; absent when no judge was asked. */
  rationale: z.string().optional(),
  /** Exact match by GAIA's scorer as it is published, which keeps articles; absent for other questions. */
  gaia: verdictSchema.optional(),
  /** What judging cost; absent when no judge was asked. Not part of the attempt's usage. */
  judgeUsage: usageSchema.optional(),
})
export type QuestionGrades = z.infer<typeof questionGradesSchema>

/** A question and what became of it. */
export const questionOutcomeSchema = z.object({
  /** GAIA's 1 to 3; null when the task has none. */
  level: integer.nullable(),
  /** Where the question comes from, e.g. `nq`; null when it does not say. */
  dataset: z.string().nullable(),
  /** Null when none was given. */
  answer: z.string().nullable(),
  /** Null when there is no reference to compare with. */
  grades: questionGradesSchema.nullable(),
})
export type QuestionOutcome = z.infer<typeof questionOutcomeSchema>
