import { Check, Circle, CircleDashed, LoaderCircle, TriangleAlert, Wrench, X } from '../../components/icons'
import type { ReactNode } from 'react'
import type { PlanCycle, Subtask, ToolCall } from '../../../shared/domain/plan'
import { classNames } from '../../components/class-names'
import { formatShort, plural } from '../../components/format'
import { StateIcon } from '../../components/row-icons'
import { Folded, Mono } from './mono'

/** What a cycle is called in the story. */
export const cycleTitle = ({ index, answer, subtasks }: PlanCycle): string =>
  answer !== null ? 'Final answer' : subtasks.length > 0 ? `Plan ${index + 1}` : 'Neither plan nor answer'

/** One turn of the planner: its thought, its plan with what came of each subtask, or its answer. */
export function CycleView(props: {
  cycle: PlanCycle
  /** What stands under a subtask, by its place in the plan. Default: nothing. */
  under?: (subtask: number) => ReactNode
  /** Whether a subtask is marked as the one that went wrong. Default: none is. */
  marked?: (subtask: number) => boolean
}) {
  const { cycle, under, marked } = props
  const { thought, repaired, answer, subtasks, reply } = cycle
  return (
    <div className="flex flex-col gap-2">
      {thought === null ? null : <Folded title="What the planner thought first" text={thought} />}
      {repaired === null ? null : (
        <div className="text-sm">
          <p className="flex items-start gap-1.5 text-notice">
            <TriangleAlert size={14} aria-hidden className="mt-0.75 shrink-0" />
            <span>The first reply could not be used and was asked for again. {repaired.reason}</span>
          </p>
          <Folded title="The first reply" text={repaired.reply} />
        </div>
      )}
      {answer === null ? null : <p className="[overflow-wrap:anywhere]">{answer}</p>}
      {subtasks.length > 0 ? (
        <ol aria-label="Subtasks" className="divide-y rounded-md border">
          {subtasks.map((subtask, i) => (
            <SubtaskView
              key={subtask.id}
              subtask={subtask}
              under={under?.(i)}
              marked={marked?.(i) === true}
            />
          ))}
        </ol>
      ) : answer === null ? (
        <Mono text={reply} />
      ) : null}
    </div>
  )
}

const STATUS = {
  waiting: { word: 'waiting', icon: Circle, look: 'text-muted' },
  working: { word: 'under way', icon: LoaderCircle, look: 'text-accent motion-safe:animate-spin' },
  done: { word: 'done', icon: Check, look: 'text-solved' },
  failed: { word: 'failed', icon: X, look: 'text-failed' },
} as const

function SubtaskView(props: { subtask: Subtask; under: ReactNode; marked: boolean }) {
  const { subtask, under, marked } = props
  const { status, description, calls, result, problem, thoughts, usage, wallMs } = subtask
  const tokens = usage.promptTokens + usage.completionTokens
  return (
    <li className={classNames('flex gap-2 px-2.5 py-2 text-sm', marked && 'bg-failed-soft')}>
      <StateIcon {...STATUS[status]} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className={classNames('[overflow-wrap:anywhere]', status === 'waiting' ? 'text-muted' : '')}>
          {description}
        </p>
        {thoughts.length > 0 ? (
          <Folded title="What the executor thought" text={thoughts.join('\n\n')} />
        ) : null}
        {calls.map((call) => (
          <CallView key={call.index} call={call} />
        ))}
        {result === '' ? null : (
          <p className="[overflow-wrap:anywhere]">
            <span className="text-muted">Result: </span>
            {result}
          </p>
        )}
        {problem === null ? null : <p className="text-failed">{problem}</p>}
        {status === 'done' || status === 'failed' ? (
          <p className="text-xs text-muted">
            {plural(tokens, 'token')}, {formatShort(wallMs)}
          </p>
        ) : null}
        {under}
      </div>
    </li>
  )
}

/** A call on one line; its arguments and its answer unfold. */
function CallView({ call }: { call: ToolCall }) {
  const { tool, answer } = call
  const Icon = answer === null ? CircleDashed : answer.failed ? X : Wrench
  const outcome =
    answer === null ? 'under way' : `${answer.failed ? 'failed, ' : ''}${formatShort(answer.wallMs)}`
  return (
    <details className="min-w-0 rounded-md bg-sunken">
      <summary className="flex cursor-pointer items-center gap-1.5 rounded-md px-2 py-1 hover:text-accent">
        <Icon
          size={13}
          aria-hidden
          className={classNames('shrink-0', answer?.failed ? 'text-failed' : 'text-muted')}
        />
        <span className="min-w-0 flex-1 truncate">
          {tool} <span className="text-muted">{brief(call.arguments)}</span>
        </span>
        <span className={classNames('shrink-0 text-xs', answer?.failed ? 'text-failed' : 'text-muted')}>
          {outcome}
        </span>
      </summary>
      <div className="px-2 pb-2">
        <Mono text={JSON.stringify(call.arguments, null, 2)} />
        {answer === null ? null : <Mono text={answer.text} />}
        {answer && answer.files.length > 0 ? (
          <p className="mt-1 text-xs text-muted">Left in the task’s folder: {answer.files.join(', ')}</p>
        ) : null}
      </div>
    </details>
  )
}

/** The arguments in a few words. */
const brief = (input: ToolCall['arguments']): string =>
  Object.values(input)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
    .replace(/\s+/g, ' ')
