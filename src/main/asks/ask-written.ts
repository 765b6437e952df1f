import { UNJUDGED } from '../../core/agent/straight'
import { attemptId } from '../../core/ground/identity'
import { specOf, type AskAttempt, type AskFile, type AskInfo } from '../../shared/domain/ask'
import type { Round, Trajectory } from '../../shared/domain/trajectory'
import { addUsage, NO_USAGE } from '../../shared/domain/usage'
import { nameOfModel } from '../ground/model-file'
import type { AskEntry } from './ask-entry'
import type { Written } from './ask-record'
import type { AskStore } from './ask-store'

/** How often what is being written is kept, in ms. */
const KEEP_EVERY_MS = 1000

/** Keeps what is being written about each second, until `end`, which answers what it came to; null where nothing was begun. */
export function keepWriting(
  entry: AskEntry,
  of: Omit<Written, 'live' | 'at'>,
  store: Pick<AskStore, 'keepWritten'>,
  time: () => string,
): { end(): Promise<Written | null> } {
  const now = (): Written | null => entry.live && { ...of, at: time(), live: { ...entry.live, words: [] } }
  let last: AskEntry['live'] = null
  let writing: Promise<void> = Promise.resolve()
  const keep = (): void => {
    const progress = now()
    if (progress === null || entry.live === last) return
    last = entry.live
    // Where the disk is full the answer is still written; what cannot be kept is said when it is done.
    writing = writing.then(() => store.keepWritten(entry.state.ask.id, progress)).catch(() => undefined)
  }
  const timer = setInterval(keep, KEEP_EVERY_MS)
  return {
    async end() {
      clearInterval(timer)
      keep()
      await writing
      return now()
    },
  }
}

/** Whether there is anything to keep. */
export const isAnythingIn = ({ live }: Written): boolean =>
  live.rounds.length > 0 || (live.cycles ?? []).length > 0 || live.streaming.trim() !== ''

/** Whether a try has come less far than another view of it. */
export const isLess = ({ live }: Written, { live: other }: Written): boolean =>
  live.rounds.length < other.rounds.length ||
  (live.rounds.length === other.rounds.length && live.streaming.length < other.streaming.length)

/** A try that was stopped, with what it had written: the text of the answer so far is its answer. */
export function stoppedAttempt(
  ask: AskInfo,
  { index, todo, startedAt, live }: Written,
  {
    environment,
    products,
    at,
  }: { readonly environment: string; readonly products: AskFile[]; readonly at: string },
): AskAttempt {
  const spec = specOf(ask, todo)
  const isAnswer = live.cycles === undefined && spec.world === null && live.streaming.trim() !== ''
  const answer: Round = {
    ...{ index: live.rounds.length, completion: live.streaming, observation: null, usage: NO_USAGE },
    action: { kind: 'answer', content: live.streaming.trim() },
  }
  const rounds = isAnswer ? [...live.rounds, answer] : live.rounds
  const trajectory: Trajectory = {
    ...{ id: attemptId(ask.id, index), runId: ask.id, memoryId: spec.memoryId },
    task: { id: ask.id, index, environment, instruction: spec.text, skills: [], context: live.context },
    ...{ method: spec.method, model: nameOfModel(spec.model), seed: spec.seed ?? 0 },
    ...{ recalled: live.recalled, rounds, ...(live.cycles && { cycles: live.cycles }) },
    ...{ finish: 'stopped', reason: 'It was stopped before its end.' },
    ...(spec.world === null && {
      question: { level: null, dataset: null, answer: isAnswer ? live.streaming.trim() : null, grades: null },
    }),
    ...{
      reward: 0,
      ungraded: UNJUDGED,
      usage: rounds.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    },
    ...{ startedAt, finishedAt: at },
  }
  return {
    ...{
      index,
      ...todo,
      fitted: live.fitted,
      trajectory,
      made: products,
      facts: [],
      offers: [],
      contextSize: null,
      contextUsed: null,
      unread: live.unread,
      removed: false,
    },
    ...{ misplaced: [], judgement: null, ruled: null, reading: null },
  }
}
