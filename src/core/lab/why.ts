import type { ItemRef } from '../../shared/domain/item'
import { plannedSteps, type PlanCycle } from '../../shared/domain/plan'
import type { Round, Trajectory } from '../../shared/domain/trajectory'
import type { Why } from '../../shared/domain/why'
import type { Method, RecalledPart } from '../ground/method'
import { isReportedError } from './error-classes'

/** What an attempt did and answered, in a form that compares with a task's solution: its last operation, what came of it, and its answer. */
export function givenBy({
  rounds,
  question,
  finish,
}: Pick<Trajectory, 'rounds' | 'question' | 'finish'>): string {
  if (question) return question.answer ?? `No answer (${finish}).`
  const act = rounds.findLast(({ action }) => action.kind === 'operation')
  const end = rounds.findLast(({ action }) => action.kind === 'answer')
  const parts = [
    act?.action.kind === 'operation' ? act.action.content : null,
    act?.observation ?? null,
    end?.action.kind === 'answer' && end.action.content !== act?.observation
      ? `Answer: ${end.action.content}`
      : null,
  ].filter((part) => part !== null)
  return parts.length > 0 ? parts.join('\n') : (rounds.at(-1)?.completion ?? 'Nothing.')
}

type BadStep = Omit<NonNullable<Why['badStep']>, 'name'>

const actionOf = ({ action }: Round): string => ('content' in action ? action.content.trim() : '')
const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/**
 * The first step that went wrong by rule: one in no known form, one that ended in an error, one that repeats an earlier one with the
 * same result; a step that found what was asked for while a later answer says otherwise; at a limit, the last one. `expected` is the
 * task's solution with what it comes to in its last line. Null when none stands out.
 */
export function firstBadStep(
  { rounds, finish, cycles, reason }: Pick<Trajectory, 'rounds' | 'finish' | 'cycles' | 'reason'>,
  expectation: string | null,
): BadStep | null {
  if (cycles) return firstBadPlanned(cycles, reason)
  const seenMap = new Map<string, number>()
  for (const round of rounds) {
    const { index, action, observation } = round
    if (action.kind === 'invalid') return { step: index, reason: `It wrote no action: ${action.reason}` }
    if (observation !== null && isReportedError(observation))
      return { step: index, reason: `It ended in an error: ${observation.slice(0, 160)}` }
    const same = `${tidy(actionOf(round))}\n${tidy(observation ?? '')}`
    const before = seenMap.get(same)
    if (before !== undefined && action.kind === 'operation')
      return { step: index, reason: `It did what it had done in step ${before + 1}, with the same result.` }
    seenMap.set(same, index)
  }
  const target = tidy(expectation?.split('\n').at(-1) ?? '')
  const last = rounds.at(-1)
  if (target !== '' && last) {
    const match = rounds.find(({ observation }) => observation !== null && tidy(observation) === target)
    if (match && last.action.kind === 'answer' && tidy(last.action.content) !== target)
      return {
        step: last.index,
        reason: `Step ${match.index + 1} had found the right result; the answer says something else.`,
      }
    if (match && finish === 'round-limit')
      return {
        step: last.index,
        reason: `Step ${match.index + 1} had found the right result, and no round was left to answer in.`,
      }
    const act = rounds.findLast(({ action }) => action.kind === 'operation')
    if (act && !match) return { step: act.index, reason: 'What came of it is not what was asked for.' }
  }
  if (last && finish !== 'completed')
    return { step: last.index, reason: 'It was not at an answer when it ended here.' }
  return null
}

/**
 * The first step of planned work that went wrong by rule: a plan that is none, a subtask that failed or whose last call did. At a limit, the
 * last step.
 */
function firstBadPlanned(cycles: readonly PlanCycle[], reason: string | undefined): BadStep | null {
  const steps = plannedSteps(cycles)
  for (const [step, { cycle, subtask }] of steps.entries()) {
    const planned = cycles[cycle]
    const one = subtask === null ? null : planned?.subtasks[subtask]
    if (subtask === null && planned?.answer === null && planned.subtasks.length === 0)
      return { step, reason: `It is neither a plan nor an answer. ${reason ?? ''}`.trim() }
    if (!one) continue
    if (one.problem !== null) return { step, reason: `It failed: ${one.problem}` }
    const last = one.calls.at(-1)
    if (last?.answer?.failed === true)
      return { step, reason: `Its last call, of ${last.tool}, failed: ${last.answer.text.slice(0, 160)}` }
  }
  return reason === undefined || steps.length === 0 ? null : { step: steps.length - 1, reason }
}

/** A recalled item as far as it can be blamed. */
export interface Shown extends ItemRef {
  readonly title: string
  /** Reward of the attempt behind it; null where there is none. */
  readonly reward: number | null
  readonly text: string
  readonly helped: number
  readonly judged: number
}

const LEAST_WORDS = 3
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** Share of an action's words that stand in a text, in [0, 1]; those of the task itself count for nothing. */
function copied(action: string, text: string, task: string): number {
  const own = new Set(wordsOf(task))
  const words = [...new Set(wordsOf(action))].filter((word) => !own.has(word))
  if (words.length < LEAST_WORDS) return 0
  const there = new Set(wordsOf(text))
  return words.filter((word) => there.has(word)).length / words.length
}

const MUCH = 0.7

/** Recalled items that may have misled an attempt: what it did stands in them, or they tell of a failure, or they seldom helped. */
export function suspectsOf(
  trajectory: Pick<Trajectory, 'rounds' | 'task'>,
  views: readonly Shown[],
): Why['suspects'] {
  const acted = trajectory.rounds.filter(({ action }) => action.kind === 'operation').map(actionOf)
  const last = acted.at(-1) ?? ''
  return views
    .map((item) => {
      const share = copied(last, item.text, trajectory.task.instruction)
      const isFailed = item.reward === 0
      const seldom = item.judged >= 3 && item.helped / item.judged < 0.5
      const reason = [
        share >= MUCH ? 'its last action reads like what stands there' : '',
        isFailed ? 'it tells of an attempt that failed' : '',
        seldom ? `it helped ${item.helped} of ${item.judged} times` : '',
      ].filter(Boolean)
      return {
        item,
        reason,
        weight: (share >= MUCH ? 1 + share : 0) + (isFailed ? 0.5 : 0) + (seldom ? 0.5 : 0),
      }
    })
    .filter(({ reason }) => reason.length > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ item: { kind, id, title }, reason }) => ({ kind, id, title, reason: `${reason.join('; ')}.` }))
}

/** Most items a method is asked for, so that those of then are among them. */
const MOST_RECALLED = 64

/** A method that shows only some of what it recalls. What it learns stays the same. */
export const recallingOnly = (method: Method, keeps: (item: ItemRef) => boolean): Method => {
  const getRecalledParts = (parts: readonly RecalledPart[]) => parts.filter(({ item }) => keeps(item))
  return {
    ...method,
    async recall(input, context) {
      const parts = await method.recall(input, { ...context, k: Math.max(context.k, MOST_RECALLED) })
      return {
        ...parts,
        errorLessons: getRecalledParts(parts.errorLessons),
        successLessons: getRecalledParts(parts.successLessons),
        retrieved: getRecalledParts(parts.retrieved),
        ...(parts.documents && { documents: getRecalledParts(parts.documents) }),
      }
    },
  }
}
