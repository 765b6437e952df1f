import { randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { attemptId } from '../../core/ground/identity'
import { UNJUDGED } from '../../core/agent/straight'
import { specOf, type AskAttempt, type AskDetail, type AskInfo, type AskPart } from '../../shared/domain/ask'
import { isImported } from '../../shared/domain/ask-origin'
import { plannedSteps, type PlanCycle } from '../../shared/domain/plan'
import { NO_USAGE, type Round, type Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { lastMoments, type AskEntry } from './ask-entry'
import { applyAskEvent, type AskEvent, type AskState } from './ask-record'
import type { AskStore } from './ask-store'
import { errnoOf } from '../ground/atomic-file'
import { pathTo } from './conversation'

/** What a person changes of what was said in an ask. */
export interface AskEdits {
  /** Keeps an answer in a person's words as one more try; no model is asked. @throws LoamError `CONFLICT`, `BAD_INPUT`, `NOT_FOUND` */
  editAnswer(askId: string, attempt: number, text: string): Promise<AskDetail>
  /** Takes a message or a try out, or puts it back. What was learned from it stays. @throws LoamError `CONFLICT`, `BAD_INPUT`, `NOT_FOUND` */
  takeOut(askId: string, part: AskPart, removed: boolean): Promise<AskDetail>
  /** Makes a temporary ask one like any other: it is written, and judging it teaches. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
  keep(askId: string): Promise<AskInfo>
  /** Makes a new ask of all that led up to a try, with it. Both go on by themselves; what is judged in one is not in the other. @throws LoamError `NOT_FOUND` */
  fork(askId: string, attempt: number): Promise<AskInfo>
}

/** What edits are made with. */
export interface EditPorts {
  find(askId: string): AskEntry
  record(entry: AskEntry, event: AskEvent): Promise<AskInfo>
  detail(entry: AskEntry): AskDetail
  /** Holds a new ask, which is on disk. */
  add(state: AskState): AskEntry
  readonly store: AskStore
  now(): string
}

const notNow = (): LoamError =>
  new LoamError('CONFLICT', 'It is being worked on.', { suggestion: 'Stop it first.' })

const getTry = ({ state }: AskEntry, index: number): AskAttempt => {
  const attempt = state.attempts[index]
  if (attempt) return attempt
  throw new LoamError('NOT_FOUND', `It has no attempt ${index + 1}.`, { suggestion: 'Reload the ask.' })
}

/** Creates it. */
export function createAskEdits({ find, record, detail, add, store, now }: EditPorts): AskEdits {
  return {
    async editAnswer(askId, index, text) {
      const entry = find(askId)
      await lastMoments(entry)
      if (entry.jobId !== null || entry.beginning) throw notNow()
      const attempt = getTry(entry, index)
      if (specOf(entry.state.ask, attempt).world !== null)
        throw new LoamError('BAD_INPUT', 'In a world, what was done cannot be put in other words.', {
          suggestion: 'Say that it was wrong, and what it should have done.',
        })
      const at = now()
      const next = editedAttempt(attempt, { text, at, index: entry.state.attempts.length })
      // Its folder is as the try left it that the words were of.
      await copyIfThere(store.workFolder(askId, index), store.workFolder(askId, next.index))
      await record(entry, { kind: 'tried', attempt: next, isNews: false, at })
      return detail(entry)
    },
    async takeOut(askId, part, isRemoved) {
      const entry = find(askId)
      await lastMoments(entry)
      if (entry.jobId !== null || entry.beginning) throw notNow()
      const { turns } = entry.state
      if ('attempt' in part) getTry(entry, part.attempt)
      else if (!turns[part.turn])
        throw new LoamError('NOT_FOUND', `It has no message ${part.turn + 1}.`, {
          suggestion: 'Reload the ask.',
        })
      else if (isRemoved && turns.every((turn, i) => turn.removed || i === part.turn))
        throw new LoamError('BAD_INPUT', 'It is the only message of this ask.', {
          suggestion: 'Delete the ask.',
        })
      await record(entry, { kind: 'removed', part, removed: isRemoved, at: now() })
      return detail(entry)
    },
    async keep(askId) {
      const entry = find(askId)
      if (!entry.state.ask.temporary) return entry.state.ask
      await lastMoments(entry)
      if (entry.jobId !== null || entry.beginning) throw notNow()
      await store.keep(askId)
      return record(entry, { kind: 'kept', at: now() })
    },
    async fork(askId, index) {
      const { state } = find(askId)
      const attempt = getTry(find(askId), index)
      const id = `ask-${now().slice(0, 10)}-${randomBytes(5).toString('hex')}`
      const path = [...pathTo(state, attempt.turn), attempt]
      if (state.ask.temporary) store.hold(id)
      for (const [i, { turn, index: before }] of path.entries()) {
        await copyIfThere(store.givenFolder(askId, turn), store.givenFolder(id, i))
        await copyIfThere(store.workFolder(askId, before), store.workFolder(id, i))
      }
      const events = forkEvents(id, state, path, now())
      await store.append(id, ...events)
      const next = events.reduce<AskState | null>((state, event) => applyAskEvent(state, event), null)
      if (!next) throw new Error('An ask begins with what is asked.')
      return add(next).state.ask
    },
  }
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true }).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') throw error
  })
}

/** A try in which a person's words stand in for what another one answered. */
export function editedAttempt(
  attempt: AskAttempt,
  { text, at, index }: { readonly text: string; readonly at: string; readonly index: number },
): AskAttempt {
  const { trajectory } = attempt
  const { rounds, cycles, question, reason: _why, ...rest } = trajectory
  const answer: Round = {
    ...{ index: rounds.length, completion: text, observation: null, usage: NO_USAGE },
    action: { kind: 'answer', content: text },
  }
  const before = rounds.at(-1)?.action.kind === 'answer' ? rounds.slice(0, -1) : rounds
  const plans = cycles && withAnswer(cycles, text)
  const nextTrajectory: Trajectory = {
    ...rest,
    id: attemptId(trajectory.runId, index),
    rounds: cycles && before === rounds ? rounds : [...before, { ...answer, index: before.length }],
    ...(plans && { cycles: plans }),
    finish: 'completed',
    ...(question && { question: { ...question, answer: text, grades: null } }),
    ...{ reward: 0, ungraded: UNJUDGED, startedAt: at, finishedAt: at },
  }
  const step = Math.max(0, (plans ? plannedSteps(plans).length : nextTrajectory.rounds.length) - 1)
  return {
    ...attempt,
    ...{ index, trajectory: nextTrajectory, from: { attempt: attempt.index, step, edit: text } },
    ...{ removed: false, facts: [], offers: [], misplaced: [], judgement: null, ruled: null, reading: null },
  }
}

const withAnswer = (cycles: readonly PlanCycle[], answer: string): PlanCycle[] =>
  cycles.map((cycle, i) => (i === cycles.length - 1 ? { ...cycle, answer } : cycle))

/** An ask as its events would have it that began with a path of tries of another one. */
function forkEvents(id: string, state: AskState, path: readonly AskAttempt[], at: string): AskEvent[] {
  const [first] = path
  if (!first) return []
  const { ask, turns } = state
  const spec = specOf(ask, first)
  const count = path.filter((attempt) => isImported(ask, attempt)).length
  // No import takes a branch away.
  const origin = ask.origin && {
    ...{ ...ask.origin, sourceId: null, importId: '', print: '', replacedBy: null },
    ...{ turns: count, attempts: count },
  }
  const inputsOf = (attempt: AskAttempt) => turns[attempt.turn]?.given ?? []
  const events: AskEvent[] = [
    {
      ...{
        kind: 'asked',
        id,
        spec,
        given: inputsOf(first),
        folder: ask.folder,
        temporary: ask.temporary,
        at,
      },
      ...{ origin, missing: turns[first.turn]?.missing ?? [] },
    },
  ]
  for (const [i, attempt] of path.entries()) {
    const { recall: _shown, ...changes } = attempt.changes
    const { text } = specOf(ask, attempt)
    if (i > 0)
      events.push({
        kind: 'said',
        turn: {
          text,
          given: inputsOf(attempt),
          after: i - 1,
          at: turns[attempt.turn]?.at ?? at,
          removed: false,
          missing: turns[attempt.turn]?.missing ?? [],
        },
        at,
      })
    const { trajectory } = attempt
    const own: AskAttempt = {
      ...attempt,
      ...{ index: i, turn: i, changes: i === 0 ? {} : changes, removed: false },
      // Words of a person stay told as theirs.
      from: attempt.from?.edit ? { ...attempt.from, attempt: i } : null,
      trajectory: {
        ...trajectory,
        ...{ id: attemptId(id, i), runId: id, task: { ...trajectory.task, id } },
      },
      ...{ facts: [], offers: [], misplaced: [], judgement: null, ruled: null, reading: null },
    }
    events.push({ kind: 'tried', attempt: own, isNews: false, at })
  }
  return [...events, { kind: 'titled', title: forkTitle(ask.title), at }]
}

const forkTitle = (title: string): string => `${title.slice(0, 280)} (branch)`
