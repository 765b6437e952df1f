import { Fragment, type ReactNode } from 'react'
import type { KbDecision } from '../../../shared/domain/experience'
import type { PlanCycle, QuestionOutcome } from '../../../shared/domain/plan'
import type { LiveTask } from '../../../shared/domain/run'
import type { RecalledItem, Round, Trajectory } from '../../../shared/domain/trajectory'
import { Badge } from '../../components/badge'
import { formatCount, formatDuration, formatShare, plural } from '../../components/format'
import { Outcome } from '../../components/row-icons'
import { useStored } from '../../stores/use-services'
import { BecameExperience } from './ranking-view'
import { DecisionView } from './decision-view'
import { Folded } from './mono'
import { CycleView, cycleTitle } from './plan-tree'
import { RecalledList } from './recalled-list'
import { WhyChosen } from './why-chosen'
import { RoundView, Written, SeveralAttempts } from './round-view'

const FINISH_WORDS: Record<Trajectory['finish'], string> = {
  completed: 'The agent gave its answer.',
  'round-limit': 'No answer within the allowed rounds.',
  'invalid-action': 'The reply was not in a form the task understands.',
  'context-overflow': 'The prompt was longer than the model can read.',
  'output-limit': 'A reply was cut at its length limit.',
  stopped: 'It was stopped before its end.',
  budget: 'The tokens or the time for the task were used up.',
}

/** One attempt as it can be read: task, what was recalled, each action and answer, outcome. */
export interface StoryProps {
  index: number
  instruction: string
  context: string
  recalled: readonly RecalledItem[]
  rounds: readonly Round[]
  /** The plan tree of planner and executor, in the place of rounds; absent elsewhere. */
  cycles?: readonly PlanCycle[] | undefined
  /** What the model is writing right now; null when the attempt is over. */
  streaming: string | null
  /** Set when the attempt is over. */
  ended: Trajectory | null
  /** Passes of Agent KB's Reason-Retrieve-Refine; absent for other methods. */
  decisions?: readonly KbDecision[]
  /** The attempt, when it may have become an experience. */
  attempt?: Pick<Trajectory, 'id' | 'memoryId' | 'method'>
  /** Opens a recalled case. */
  onOpenCase?: (item: RecalledItem) => void
  /** Opens a retrieved experience. */
  onOpenExperience?: (experienceId: string) => void
}

/** Turns a live task into a story. */
export function liveStory(live: LiveTask): StoryProps {
  return { ...live, ended: null }
}

/** Turns a finished attempt into a story. */
export function finishedStory(trajectory: Trajectory): StoryProps {
  const { task, recalled, rounds, cycles, decisions } = trajectory
  return {
    ...task,
    recalled,
    rounds,
    cycles,
    streaming: null,
    ended: trajectory,
    ...(decisions && { decisions }),
    attempt: trajectory,
  }
}

/** The attempt, top to bottom in the order it happened. */
export function Story(props: StoryProps) {
  const decisionsAfter = (round: number | null) =>
    (props.decisions ?? [])
      .filter((decision) => decision.round === round)
      .map((decision, i) => (
        <Step key={`decision-${i}`} title={round === null ? 'Planned with experience' : 'Took advice'}>
          <DecisionView decision={decision} onOpen={props.onOpenExperience} />
        </Step>
      ))
  const keeps = useStored(
    'methods',
    ({ data }) => data?.find(({ id }) => id === props.attempt?.method)?.keeps,
  )
  const attempt = keeps?.includes('experience') ? props.attempt : undefined
  const tokens = props.recalled.reduce((sum, item) => sum + item.tokens, 0)
  return (
    <ol className="flex flex-col">
      <Step title={`Task ${props.index + 1}`}>
        <p className="text-base">{props.instruction}</p>
        {props.context ? <Folded title="What the environment showed" text={props.context} /> : null}
      </Step>
      {decisionsAfter(null)}
      <Step
        title={
          props.recalled.length === 0
            ? props.ended?.unaided
              ? 'Memory left out, to see whether it helps'
              : 'Recalled nothing'
            : `Recalled ${recalledWords(props.recalled)}, ${plural(tokens, 'token')}`
        }
      >
        <RecalledList items={props.recalled} onOpen={props.onOpenCase} />
        {props.ended?.choice ? <WhyChosen choice={props.ended.choice} /> : null}
      </Step>
      {props.cycles
        ? props.cycles.map((cycle) => (
            <Step key={cycle.index} title={cycleTitle(cycle)}>
              <CycleView cycle={cycle} />
            </Step>
          ))
        : props.rounds.map((round) => (
            <Fragment key={round.index}>
              <Step title={`Round ${round.index + 1}`}>
                <RoundView round={round} />
              </Step>
              {decisionsAfter(round.index)}
            </Fragment>
          ))}
      {props.streaming === null ? null : (
        <Step
          key={`writing ${(props.cycles ?? props.rounds).length}`}
          title={props.cycles ? writerOf(props.cycles) : `Round ${props.rounds.length + 1}`}
          last
        >
          <Written text={props.streaming} />
        </Step>
      )}
      {props.ended?.scaling ? (
        <Step title={`${props.ended.scaling.attempts.length} attempts were made`}>
          <SeveralAttempts scaling={props.ended.scaling} />
        </Step>
      ) : null}
      {props.ended ? (
        <Step title="Outcome" last={!attempt}>
          <Ended ended={props.ended} />
        </Step>
      ) : null}
      {attempt ? (
        <Step title="What it became" last>
          <BecameExperience memoryId={attempt.memoryId} trajectoryId={attempt.id} />
        </Step>
      ) : null}
    </ol>
  )
}

/** How it ended, what that counts for, and what it took. */
function Ended({ ended }: { ended: Trajectory }) {
  const { ungraded, reward, reason, finish, measured, question, scores, usage } = ended
  const truth = measured === undefined ? null : measuredWords(measured)
  const words =
    ungraded === undefined
      ? truth && `So the agent was told, and so it learns. ${truth}`
      : `${ungraded} ${truth ?? 'Nothing is learned from it, and it counts as no failure.'}`
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {ungraded === undefined ? <Outcome reward={reward} /> : <Badge>Not graded</Badge>}
        <span className="text-sm">{reason ?? FINISH_WORDS[finish]}</span>
      </div>
      {words === null ? null : <p className="mt-1.5 text-sm">{words}</p>}
      {question?.grades ? <Grades question={question} /> : null}
      {scores ? <Scores scores={scores} /> : null}
      <p className="mt-1.5 text-xs text-muted">{usageWords(usage)}</p>
    </>
  )
}

/** What really came of an attempt whose reward was told otherwise, or not told. */
const measuredWords = (measurement: 0 | 1): string =>
  `In truth it was ${measurement === 1 ? 'solved' : 'not solved'}, and figures count that.`

const STATED = { 1: 'states the known answer', 0: 'does not state the known answer' }

const JUDGED = {
  1: 'the judge calls it correct',
  0.5: 'the judge calls it partly right',
  0: 'the judge calls it wrong',
}

/** How the answer compares with the references. */
function Grades({ question: { grades } }: { question: QuestionOutcome }) {
  if (grades === null) return null
  const { em, f1, pm, judgeUsage } = grades
  return (
    <p className="mt-1.5 text-sm">
      {em === 1 ? 'Matches exactly' : 'No exact match'}, F1 {f1.toFixed(2)}
      {pm === null ? null : `, ${judgeUsage === undefined && pm !== 0.5 ? STATED[pm] : JUDGED[pm]}`}
    </p>
  )
}

/** Who is writing right now, as far as the plan tree tells. */
function writerOf(cycles: readonly PlanCycle[]): string {
  const open = cycles.at(-1)?.subtasks.some(({ status }) => status === 'waiting' || status === 'working')
  return open ? 'The executor' : 'The planner'
}

/** The parts of a grade; only all of them together count as solved. */
function Scores({ scores }: { scores: NonNullable<Trajectory['scores']> }) {
  return (
    <ul className="mt-1.5 flex flex-col gap-0.5 text-sm">
      {scores.map(({ name, value, detail }) => (
        <li key={name}>
          {name}: {formatShare(value)}
          {detail === undefined ? null : <span className="text-muted"> ({detail})</span>}
        </li>
      ))}
    </ul>
  )
}

function recalledWords(items: readonly RecalledItem[]): string {
  const kinds = new Set(items.map((item) => item.kind))
  const [only] = kinds
  return plural(items.length, kinds.size === 1 && only ? only.replace('-', ' ') : 'item')
}

function usageWords(usage: Trajectory['usage']): string {
  const reused = usage.reusedTokens > 0 ? ` (${formatCount(usage.reusedTokens)} reused)` : ''
  const thought =
    usage.thoughtTokens === undefined ? '' : ` (${formatCount(usage.thoughtTokens)} of them thoughts)`
  return `Read ${plural(usage.promptTokens, 'token')}${reused}, wrote ${formatCount(usage.completionTokens)}${thought}, in ${formatDuration(usage.ms)}.`
}

function Step({ title, last = false, children }: { title: string; last?: boolean; children: ReactNode }) {
  return (
    <li className="relative pb-5 pl-5 last:pb-1">
      {last ? null : <span aria-hidden className="absolute top-4 bottom-0 left-[3px] w-px bg-line" />}
      <span aria-hidden className="absolute top-[7px] left-0 size-[7px] rounded-full bg-line-strong" />
      <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
      {children}
    </li>
  )
}
