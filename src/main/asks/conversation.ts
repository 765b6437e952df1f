import type { Earlier } from '../../core/agent/dialog'
import { answerOf, isCut, keptAttempts, specOf, type AskAttempt } from '../../shared/domain/ask'
import { plannedSteps } from '../../shared/domain/plan'
import { LoamError } from '../../shared/errors'
import type { AskState, AskTodo } from './ask-record'

/**
 * The attempts that led up to a message, oldest first. For a try that was taken out stands the newest one that is left of its message; a message
 * without one is left out.
 */
export function pathTo(state: Pick<AskState, 'turns' | 'attempts'>, turn: number): AskAttempt[] {
  const { turns, attempts } = state
  const remaining = keptAttempts(state)
  const path: AskAttempt[] = []
  let at = turns[turn]?.after ?? null
  while (at !== null) {
    const attempt = attempts[at]
    if (!attempt) break
    const next = remaining.includes(attempt)
      ? attempt
      : remaining.findLast((one) => one.turn === attempt.turn)
    if (next) path.unshift(next)
    at = turns[attempt.turn]?.after ?? null
  }
  return path
}

/** The conversation before a message, with the summary that the attempt before it made. */
export function earlierOf(state: AskState, turn: number): Earlier {
  const path = pathTo(state, turn)
  const fit = path.at(-1)?.fitted
  return {
    turns: path.map((attempt) => ({
      text: specOf(state.ask, attempt).text,
      rounds: attempt.trajectory.rounds,
      answer: answerOf(attempt),
    })),
    summary: fit && fit.turns > 0 ? { turns: fit.turns, summary: fit.summary } : null,
  }
}

/** What the next message goes on with: everything that the attempt before it was asked with, but its words. */
export function sayAfter(state: AskState, after: number, text: string): AskTodo {
  const attempt = state.attempts[after]
  if (!attempt) throw noAttempt(after)
  const { recall: _shown, ...unrecalled } = attempt.changes
  return { turn: state.turns.length, changes: { ...unrecalled, text }, from: null }
}

/** What is tried once more: what was worked on last, or, where that was taken out, the newest message that is left. */
export function againOf(state: AskState): AskTodo {
  const { todo, turns } = state
  if (turns[todo.turn]?.removed !== true) return todo
  const turn = turns.findLastIndex(({ removed }) => !removed)
  const changes = state.attempts.findLast((one) => one.turn === turn)?.changes ?? {}
  return { turn, changes, from: null }
}

/** @throws LoamError `NOT_FOUND`, `BAD_INPUT` for a step that cannot be begun from */
export function branchOf(
  state: AskState,
  { attempt: index, step, edit, goOn }: NonNullable<AskTodo['from']>,
  changes: AskTodo['changes'],
): AskTodo {
  const attempt = state.attempts[index]
  if (!attempt) throw noAttempt(index)
  const { recall: _shown, ...unrecalled } = attempt.changes
  const merged = { ...unrecalled, ...changes }
  const afresh = step === 0 && edit === null && goOn === undefined
  const { cycles, rounds } = attempt.trajectory
  if (!afresh && specOf(state.ask, { changes: merged }).way !== specOf(state.ask, attempt).way)
    throw new LoamError('BAD_INPUT', 'Straight work and planned work go by other steps.', {
      suggestion: 'Begin at the message.',
    })
  const steps = cycles ? plannedSteps(cycles).length : rounds.length
  // All of straight work can be kept, to go on behind it; planned work ends with its answer.
  if (step > steps || (step === steps && (edit !== null || cycles)))
    throw new LoamError('BAD_INPUT', `That attempt has ${steps} steps.`, {
      suggestion: 'Pick one of them.',
    })
  if (goOn && (!isCut(attempt) || step !== rounds.length - 1 || edit !== null))
    throw new LoamError('BAD_INPUT', 'Only an answer that was cut can be gone on with.', {
      suggestion: 'Try again instead.',
    })
  const from = { attempt: index, step, edit, ...(goOn && { goOn }) }
  return { turn: attempt.turn, changes: merged, from: afresh ? null : from }
}

const noAttempt = (index: number): LoamError =>
  new LoamError('NOT_FOUND', `It has no attempt ${index + 1}.`, { suggestion: 'Reload the ask.' })
