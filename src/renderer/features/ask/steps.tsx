import {
  CornerDownRight,
  Flag,
  GitBranch,
  Lightbulb,
  MessageCircle,
  Scissors,
  Wrench,
  type IconType,
} from '../../components/icons'
import { plannedSteps, type PlanCycle } from '../../../shared/domain/plan'
import type { Round } from '../../../shared/domain/trajectory'
import { classNames } from '../../components/class-names'
import { SmallFold } from '../../components/fold'
import { CycleView, cycleTitle } from '../../ground/story/plan-tree'
import { Long } from './collapsible'

interface Picking {
  /** The step that went wrong; null for none. */
  readonly at: number | null
  onPick(index: number | null): void
}

/** What a person can do about a step. */
interface StepChoices {
  /** Lets them say which step went wrong. */
  picking?: Picking
  /** Begins another try at a step. Default: cannot be. */
  branch?: (step: number) => void
}

/** What the agent did before it answered, step by step. */
export function Steps(props: StepChoices & { rounds: readonly Round[] }) {
  const { rounds, picking, branch } = props
  const steps = rounds.filter(({ action }) => action.kind !== 'answer' || picking)
  if (steps.length === 0) return null
  return (
    <ol aria-label="Steps" className="flex flex-col divide-y rounded-md border">
      {steps.map((round) => (
        <li
          key={round.index}
          className={classNames(
            'flex flex-col gap-1.5 px-2.5 py-2',
            picking?.at === round.index && 'bg-failed-soft',
          )}
        >
          <Step round={round} />
          <StepButtons step={round.index} {...(picking && { picking })} {...(branch && { branch })} />
        </li>
      ))}
    </ol>
  )
}

function StepButtons({ step, picking, branch }: StepChoices & { step: number }) {
  if (!picking && !branch) return null
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      {picking ? (
        <StepButton
          icon={Flag}
          step={step}
          pressed={picking.at === step}
          onClick={() => picking.onPick(picking.at === step ? null : step)}
        >
          It went wrong here
        </StepButton>
      ) : null}
      {branch ? (
        <StepButton icon={GitBranch} step={step} onClick={() => branch(step)}>
          Again from here
        </StepButton>
      ) : null}
    </p>
  )
}

function StepButton(props: {
  icon: IconType
  step: number
  /** Whether it is the step that went wrong. */
  pressed?: boolean
  onClick: () => void
  children: string
}) {
  const { icon: Icon, step, pressed, onClick, children } = props
  return (
    <button
      type="button"
      aria-label={`${children}: step ${step + 1}`}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      onClick={onClick}
      className={classNames(
        'flex w-fit items-center gap-1 rounded text-xs hover:text-ink',
        pressed === true ? 'text-failed' : 'text-muted',
      )}
    >
      <Icon size={12} aria-hidden /> {children}
    </button>
  )
}

function Step({ round }: { round: Round }) {
  const { action, observation, from, guidance, thought, heard } = round
  const message = action.kind === 'invalid' ? round.completion : action.content
  const tool = action.kind === 'operation' && from === 'tool' ? (message.split(' ', 1)[0] ?? null) : null
  const isFailed = observation?.startsWith('The call failed.') === true
  return (
    <>
      {heard === undefined ? null : <Heard text={heard} />}
      {thought === undefined ? null : <Thought text={thought} />}
      <details open={tool === null}>
        <summary className="flex cursor-pointer items-center gap-1.5 rounded-sm text-sm hover:text-accent">
          <Wrench size={13} aria-hidden className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1 truncate">
            {round.index + 1}. {tool === null ? TITLES[action.kind] : tool}{' '}
            {tool === null ? null : <span className="text-muted">{message.slice(tool.length)}</span>}
          </span>
          {isFailed ? <span className="text-xs text-failed">failed</span> : null}
        </summary>
        <div className="mt-1.5 flex flex-col gap-1.5">
          <Long label="What it did" text={tool === null ? message : pretty(message.slice(tool.length + 1))} />
          {action.kind === 'invalid' ? <p className="text-sm text-failed">{action.reason}</p> : null}
          {observation === null ? null : (
            <div className="flex gap-1.5">
              <CornerDownRight size={14} aria-hidden className="mt-2 shrink-0 text-muted" />
              <div className="min-w-0 flex-1">
                <Long label="What came back" text={observation} />
              </div>
            </div>
          )}
        </div>
      </details>
      {guidance === undefined ? null : (
        <p className={`flex items-center gap-1.5 text-xs ${from === 'tool' ? 'text-notice' : 'text-muted'}`}>
          {from === 'tool' ? <Scissors size={12} aria-hidden /> : <Lightbulb size={12} aria-hidden />}{' '}
          {from === 'tool' ? guidance : `Memory advised: ${guidance}`}
        </p>
      )}
    </>
  )
}

const TITLES = {
  operation: 'Acted',
  answer: 'Answered',
  message: 'Said',
  invalid: 'Wrote no action',
} as const

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** What the person said before a step. */
export function Heard({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-1.5 rounded-md bg-accent-soft px-2 py-1 text-sm">
      <MessageCircle size={13} aria-hidden className="mt-1 shrink-0 text-accent" />
      <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">You said: {text}</span>
    </p>
  )
}

/** What the model thought, folded away. */
export function Thought({ text }: { text: string }) {
  return (
    <SmallFold title="What it thought">
      <p className="mt-1 text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">{text}</p>
    </SmallFold>
  )
}

/** The plans, what came of each of their steps, and the calls. */
export function Plans(props: StepChoices & { cycles: readonly PlanCycle[] }) {
  const { cycles, ...choices } = props
  const places = plannedSteps(cycles)
  const stepOf = (cycle: number, subtask: number | null): number =>
    places.findIndex((place) => place.cycle === cycle && place.subtask === subtask)
  return cycles
    .filter(({ answer }) => answer === null || choices.branch)
    .map((cycle) => (
      <section key={cycle.index} aria-label={cycleTitle(cycle)} className="flex flex-col gap-1.5">
        {cycle.heard === undefined ? null : <Heard text={cycle.heard} />}
        {cycle.guidance === undefined ? null : (
          <SmallFold title="Advice from experiences">
            <p className="mt-1 text-sm whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
              {cycle.guidance}
            </p>
          </SmallFold>
        )}
        <div className="flex flex-wrap items-center gap-x-4">
          <h3
            className={classNames(
              'text-xs font-medium text-muted',
              choices.picking && choices.picking.at === stepOf(cycle.index, null) && 'text-failed',
            )}
          >
            {cycleTitle(cycle)}
          </h3>
          <StepButtons step={stepOf(cycle.index, null)} {...choices} />
        </div>
        {cycle.answer === null ? (
          <CycleView
            cycle={cycle}
            under={(subtask) => <StepButtons step={stepOf(cycle.index, subtask)} {...choices} />}
            marked={(subtask) => choices.picking?.at === stepOf(cycle.index, subtask)}
          />
        ) : null}
      </section>
    ))
}
