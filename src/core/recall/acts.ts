import type { Experience, ExperienceStep } from '../../shared/domain/experience'
import type { PlanCycle } from '../../shared/domain/plan'
import type { Round, Trajectory } from '../../shared/domain/trajectory'
import { canonicalJson } from '../ground/canonical-json'
import { NO_ACTION } from '../memory/beliefs/belief'
import { isFromProgram } from '../memory/items/features'
import type { Complaint } from '../verdict/complaint'
import { isUndone } from './told-cause'
import { complaintOfCall, complaintOfRound, complaintOfStep } from '../verdict/round-complaint'

/** One thing that an agent did, and what came of it. */
export interface Act {
  /** As it was called; `NO_ACTION` for a reply that named none, empty where the agent answered or the log does not say. */
  readonly tool: string
  /** What was done: a statement, a command, arguments. */
  readonly action: string
  /** What the agent said with it, as it wrote it. */
  readonly said: string
  readonly observation: string | null
  readonly complaint: Complaint | null
}

/** An attempt as beliefs are drawn from it, wherever it comes from. */
export interface Lived {
  readonly id: string
  /** Attempts at the same task have the same. */
  readonly task: string
  readonly environment: string
  /** The one place that its task shares with others; empty where it says none. */
  readonly place: string
  /** All that the agent was told: the task, and what was shown with it. */
  readonly told: string
  /** Null where nobody judged it, and where it ran out before it answered, which speaks neither for nor against what it went by. */
  readonly reward: 0 | 1 | null
  /** It was this memory's own agent; else another told of it. */
  readonly isOwn: boolean
  /** When it ended, as an ISO time. */
  readonly at: string
  readonly acts: readonly Act[]
  /** Why it ended before it answered, where what ran it says so. */
  readonly ending?: Ending | undefined
}

/** What ended an attempt before it answered. */
export interface Ending {
  readonly text: string
  /** The rules of every world say it. */
  readonly isTold: boolean
}

/** Ends that are no answer, as whatever ran the attempt marks them. */
const ENDINGS: Partial<Record<Trajectory['finish'], Ending>> = {
  'round-limit': { text: 'all its rounds are used up', isTold: true },
  'output-limit': { text: 'a reply is cut at its length limit', isTold: false },
  'context-overflow': { text: 'its context is full', isTold: false },
}

/** The place a task shares with others; tasks that name none share one. */
export const placeOf = (world: string | undefined): string => world ?? ''

/** A call in a text form: `name({"a": 1})`, or a block whose language names the tool. */
const WRITTEN_CALL = /^([a-z_]\w*)\(([^]*)\)$/i
const BLOCK = /```([a-z]\w*)/i
/** Where the action begins in a reply in a text form. */
const ACTION = /^(?:Act|Action)\b|```/m

/** What an action in a text form says without its form: what stands in its block, or the arguments of its call. */
export const bareAction = (text: string): string =>
  /```[a-z]{0,12}\n([^`]*)/i.exec(text)?.[1]?.trim() ?? WRITTEN_CALL.exec(text.trim())?.[2] ?? text

type ActedRound = Pick<Round, 'completion' | 'action' | 'observation'> & Partial<Round>

/** The tool that a round called, by the name it was called by, and its arguments as written. */
export function callOf(
  { call, completion }: Pick<ActedRound, 'call' | 'completion'>,
  content: string,
): { readonly tool: string; readonly content: string } {
  if (call) return { tool: call.name, content: canonicalJson(call.arguments) }
  const match = WRITTEN_CALL.exec(content)
  if (match) return { tool: match[1] ?? '', content: match[2] ?? '' }
  return { tool: BLOCK.exec(completion)?.[1]?.toLowerCase() ?? '', content }
}

/** What the agent said before it acted. */
export function reasonOf({ call, completion }: Pick<ActedRound, 'call' | 'completion'>): string {
  if (call) return call.said
  const at = completion.search(ACTION)
  return at < 0 ? '' : completion.slice(0, at)
}

function actOfRound(round: ActedRound): Act {
  const { action, completion } = round
  // What was held, or had just failed, was not done: nothing came of it.
  const isHeld = round.isHeld ?? isUndone(round.observation)
  const observation = isHeld ? null : round.observation
  const complaint = isHeld ? null : complaintOfRound(round)
  if (action.kind === 'invalid')
    return { tool: NO_ACTION, action: completion, said: completion, observation, complaint }
  const reason = reasonOf(round)
  if (action.kind !== 'operation')
    return { tool: '', action: action.content, said: reason, observation, complaint }
  return {
    tool: callOf(round, action.content).tool,
    action: action.content,
    said: reason,
    observation,
    complaint,
  }
}

const actsOfCycle = ({ subtasks }: PlanCycle): Act[] =>
  subtasks.flatMap(({ description, calls }) =>
    calls.map((call) => {
      const action = canonicalJson(call.arguments)
      const isHeld = call.answer?.isHeld ?? isUndone(call.answer?.text ?? null)
      const observation = isHeld ? null : (call.answer?.text ?? null)
      return {
        tool: call.tool,
        action,
        said: description,
        observation,
        complaint: isHeld ? null : complaintOfCall(call, action),
      }
    }),
  )

/** What a step of another agent's log did. */
export function actOfStep(step: ExperienceStep): Act {
  const isHeld = isUndone(step.observation)
  return {
    tool: step.tool,
    action: step.content,
    said: step.reason,
    observation: isHeld ? null : step.observation,
    complaint: isHeld ? null : complaintOfStep(step),
  }
}

/** What another agent's log told. */
export const livedElsewhere = ({ id, question, steps, meta, createdAt }: Experience): Lived => ({
  id,
  task: meta.sourceId ?? question,
  environment: meta.domain,
  place: '',
  told: question,
  reward: meta.outcome === 'unknown' ? null : meta.outcome === 'success' ? 1 : 0,
  isOwn: false,
  at: createdAt,
  acts: steps.map(actOfStep),
})

/** Whether an attempt's failure says something about what it went by: one that ran out of rounds before it answered does not. */
export const isTelling = ({ reward, finish }: Pick<Trajectory, 'reward' | 'finish'>): boolean =>
  reward === 1 || finish === 'completed'

/** An attempt of the journal. */
export function livedOf(trajectory: Trajectory): Lived {
  const { id, task, rounds, cycles, finish, reward, ungraded } = trajectory
  const acts = cycles ? cycles.flatMap(actsOfCycle) : rounds.map(actOfRound)
  const last = acts.at(-1)
  // A reply that was cut is no action that somebody chose, nor a form.
  const cut = finish === 'output-limit' && last ? { ...last, tool: NO_ACTION, complaint: null } : null
  return {
    id,
    task: `${task.environment}/${task.id}`,
    environment: task.environment,
    place: placeOf(task.world),
    told: `${task.instruction}\n${task.context}`,
    reward: ungraded === undefined && isTelling(trajectory) ? reward : null,
    isOwn: !isFromProgram(trajectory.runId),
    at: trajectory.finishedAt,
    acts: cut ? [...acts.slice(0, -1), cut] : acts,
    ending: reward === 1 ? undefined : ENDINGS[finish],
  }
}
