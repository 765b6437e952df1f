import {
  ERROR_CLASSES,
  errorClassSchema,
  type ErrorClass,
  type ErrorVerdict,
  type ErrorOverlap,
  type Failure,
  type RunErrors,
} from '../../shared/domain/error-class'
import type { Trajectory } from '../../shared/domain/trajectory'
import { promptAbout, dialogText } from '../ground/prompt'
import type { MethodContext } from '../ground/method'
import { textField, write, declareForm, type Written } from '../ground/writing'
import { exactObject } from '../ground/exact-object'
import { complaintOf } from '../verdict/complaint'
import { CALL_FAILED } from '../verdict/round-complaint'

interface Ruling {
  readonly class: ErrorClass
  readonly reason: string
}

/** The error says that something was named that is not there. */
const NOT_THERE =
  /unknown (?:column|table|database|tool|function)|no such (?:column|table|file)|doesn't exist|does not exist|not found/i
/** The same operation this often gets nobody further. */
const REPEATS = 3

/** Whether an environment reports an error. */
export const isReportedError = (observation: string): boolean =>
  complaintOf(observation, '') !== null || observation.startsWith(CALL_FAILED)

/** What the environment and the attempt already say about a failure; null where only a judgement helps. */
export function rulingOn({ finish, rounds, recalled }: Trajectory): Ruling | null {
  if (finish === 'invalid-action') {
    const why = rounds.flatMap(({ action }) => (action.kind === 'invalid' ? [action.reason] : [])).at(-1)
    return { class: 'format', reason: ['A reply was in no known form.', why].filter(Boolean).join(' ') }
  }
  if (finish === 'output-limit')
    return { class: 'format', reason: 'A reply was cut at its length limit before it was complete.' }
  if (finish === 'context-overflow')
    return recalled.length > 0
      ? {
          class: 'retrieval',
          reason: 'The prompt, with what was recalled, was longer than the model can read.',
        }
      : {
          class: 'execution',
          reason: 'The attempt went on until the prompt was longer than the model can read.',
        }
  const operations = rounds.flatMap(({ action }) =>
    action.kind === 'operation' ? [action.content.trim()] : [],
  )
  const counts = new Map<string, number>()
  for (const operation of operations) counts.set(operation, (counts.get(operation) ?? 0) + 1)
  if (Math.max(0, ...counts.values()) >= REPEATS)
    return { class: 'execution', reason: `The same operation was repeated ${REPEATS} times or more.` }
  const last = rounds.findLast(({ observation }) => observation !== null)?.observation ?? ''
  if (complaintOf(last, '') === null) return null
  return NOT_THERE.test(last)
    ? { class: 'perception', reason: 'The last operation named something that is not there.' }
    : { class: 'execution', reason: 'The last operation ended in an error and was not put right.' }
}

/** `{"class": ..., "reason": text}`. */
const JUDGE_FORM = declareForm<Ruling>('error-class', {
  schema: exactObject({ class: { enum: ERROR_CLASSES }, reason: { type: 'string', maxLength: 200 } }),
  read(value) {
    const read = errorClassSchema.safeParse(textField(value, 'class'))
    return read.success ? { class: read.data, reason: textField(value, 'reason') ?? '' } : undefined
  },
})

const LONGEST_LOG = 6_000

/** Has a model say what went wrong, from the log alone; it is never told the right answer. */
export function judgeError(
  { task, rounds }: Trajectory,
  context: Pick<MethodContext, 'model' | 'prompts' | 'seed'>,
  signal?: AbortSignal,
): Promise<Written<Ruling>> {
  const log = `Task: ${task.instruction}\n${dialogText(rounds).slice(-LONGEST_LOG)}`
  const messages = promptAbout(context.prompts.text('error-class'), task.context.slice(0, LONGEST_LOG), log)
  const order = { role: 'error-class', messages, form: JUDGE_FORM, taskIndex: task.index, maxTokens: 120 }
  return write(order, context, signal)
}

/** The last judged attempt at each task; a later pass counts instead of an earlier one. */
export function lastAttempts(trajectories: readonly Trajectory[]): Trajectory[] {
  const last = new Map<string, Trajectory>()
  for (const trajectory of trajectories)
    if (trajectory.ungraded === undefined) last.set(trajectory.task.id, trajectory)
  return [...last.values()]
}

/** Failed tasks by class: rules first, then what a model said before. */
export function runErrors(
  run: { readonly runId: string; readonly method: string },
  last: readonly Trajectory[],
  judgements: ReadonlyMap<string, ErrorVerdict>,
): RunErrors {
  const failures = last.flatMap((trajectory): Failure[] => {
    if (trajectory.reward === 1) return []
    const { id: trajectoryId, task } = trajectory
    const about = { taskId: task.id, index: task.index, trajectoryId, instruction: task.instruction }
    const rule = rulingOn(trajectory)
    if (rule) return [{ ...about, ...rule, by: 'rule' }]
    const judgement = judgements.get(trajectoryId)
    return judgement
      ? [{ ...about, class: judgement.class, by: 'judge', reason: judgement.reason }]
      : [{ ...about, class: null, by: null, reason: '' }]
  })
  const count = (fits: (failure: Failure) => boolean): number => failures.filter(fits).length
  return {
    ...run,
    tasks: last.length,
    failed: failures.length,
    counts: Object.fromEntries(
      ERROR_CLASSES.map((name) => [name, count((failure) => failure.class === name)]),
    ) as Record<ErrorClass, number>,
    unclassified: count((failure) => failure.class === null),
    byRule: count(({ by }) => by === 'rule'),
    byJudge: count(({ by }) => by === 'judge'),
    failures,
  }
}

/** Which failures two runs have in common. `tried` are the tasks of each run that were judged. */
export function overlapOf(
  a: RunErrors,
  b: RunErrors,
  trial: { readonly a: ReadonlySet<string>; readonly b: ReadonlySet<string> },
): ErrorOverlap {
  const classes = ({ failures }: RunErrors) =>
    new Map(
      failures
        .filter(({ taskId }) => trial.a.has(taskId) && trial.b.has(taskId))
        .map((failure) => [failure.taskId, failure.class]),
    )
  const [inA, inB] = [classes(a), classes(b)]
  return {
    compared: [...trial.a].filter((id) => trial.b.has(id)).length,
    both: [...inA.keys()].filter((id) => inB.has(id)),
    onlyA: [...inA.keys()].filter((id) => !inB.has(id)),
    onlyB: [...inB.keys()].filter((id) => !inA.has(id)),
    classes: ERROR_CLASSES.map((name) => {
      const ofA = [...inA].filter(([, each]) => each === name).map(([id]) => id)
      const ofB = [...inB].filter(([, each]) => each === name).map(([id]) => id)
      const both = ofA.filter((id) => inB.get(id) === name).length
      return {
        class: name,
        a: ofA.length,
        b: ofB.length,
        both,
        onlyA: ofA.length - both,
        onlyB: ofB.length - both,
      }
    }),
  }
}
