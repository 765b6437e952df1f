import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { closedAnswer } from '../../core/agent/closed-answer'
import { findEnvironment } from '../../core/tasks'
import { answerOf, specOf, type AskAttempt, type AskDetail, type AskInfo } from '../../shared/domain/ask'
import type { Task } from '../../shared/domain/task'
import type { Round } from '../../shared/domain/trajectory'
import { writeKept } from '../ground/kept-file'
import { readReference } from '../ground/model-reference'
import type { StreamsArea } from '../streams/open-streams'
import { countedTries } from './ask-curve'
import { taskOfWorld } from './play-ask'
import { toRemember } from './remember'

/** Something that happened in everyday asks, to be lived through once more. */
export interface PastAsk {
  /** Names it as it was judged; judged anew it is another one. */
  readonly key: string
  /** With the spec of its try. */
  readonly ask: AskInfo
  readonly attempt: AskAttempt
  /** What is right; null: it only told something to be remembered, and is not size. */
  readonly reference: string | null
  /** ISO time it taught something. */
  readonly at: string
}

/** Past asks in the order in which they taught, and why others cannot be replayed. */
export interface PastAsks {
  readonly asks: readonly PastAsk[]
  /** The model that they were asked of, and are replayed with; null where there is none. */
  readonly model: string | null
  readonly unusable: readonly { readonly why: string; readonly count: number }[]
}

/** A try that a person judged, or why it cannot be replayed. */
function pastAsk(detail: AskDetail, attempt: AskAttempt): PastAsk | string | null {
  const spec = specOf(detail.ask, attempt)
  const own: AskInfo = { ...detail.ask, spec }
  const { judgement, trajectory } = attempt
  if (attempt.facts.length > 0 && toRemember(own) !== null)
    return { key: trajectory.id, ask: own, attempt, reference: null, at: trajectory.finishedAt }
  const base = judgedAsk(detail, attempt)
  if (base === null || typeof base === 'string') return base
  if (judgement === null) return null
  if (readReference(spec.model) !== null) return 'their model is on a server, where replays may cost money'
  if (spec.world === null && spec.way === 'plan') return 'they were planned'
  if (spec.world === null && trajectory.rounds.some(({ action }) => action.kind !== 'answer'))
    return 'they used tools'
  return { key: judgement.id, ...base, at: judgement.at }
}

/** A try whose right answer a person said, which can be compared with others; or why not; null where no person judged it. */
export function judgedAsk(
  { ask, turns }: AskDetail,
  attempt: AskAttempt,
): { readonly ask: AskInfo; readonly attempt: AskAttempt; readonly reference: string } | string | null {
  const spec = specOf(ask, attempt)
  const own: AskInfo = { ...ask, spec }
  const { judgement } = attempt
  // What nobody judged says nothing of what is right; nor does the word of a program, which may be wrong as often.
  if (judgement === null || judgement.by !== 'person') return null
  if (!spec.remember) return 'they were not to be remembered'
  if (attempt.turn > 0) return 'they go on with what was said before'
  if ((turns[attempt.turn]?.given ?? []).length > 0) return 'they came with files'
  const reference = judgement.verdict === 'right' ? acceptedIn(own, attempt) : judgement.answer
  if (reference === null) return 'nobody said what would have been right'
  if (spec.world === null && closedAnswer(spec.text, reference) === null)
    return 'their answers are too long to be compared by words'
  return { ask: own, attempt, reference }
}

/** What a person took for right: the answer, or in a world what was done last before it. */
function acceptedIn({ spec }: AskInfo, attempt: AskAttempt): string | null {
  if (spec.world === null) return answerOf(attempt)
  const acts = attempt.trajectory.rounds.map(({ action }) => action)
  const last = acts.findLast(({ kind }) => kind !== 'answer' && kind !== 'invalid')
  return last && 'content' in last ? last.content : null
}

/** The asks of a memory that can be replayed: those of the model that was judged last, oldest first, at most `most` that count. */
export function pastAsks(details: readonly AskDetail[], memoryId: string, most: number): PastAsks {
  const reasons = new Map<string, number>()
  const note = (why: string): unknown => reasons.set(why, (reasons.get(why) ?? 0) + 1)
  const all = details
    .filter(({ ask }) => ask.spec.memoryId === memoryId)
    .flatMap((detail) => countedTries(detail).map((attempt) => pastAsk(detail, attempt)))
    .flatMap((one) => {
      if (typeof one === 'string') note(one)
      return one === null || typeof one === 'string' ? [] : [one]
    })
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.key < b.key ? -1 : 1))
  const model = all.findLast(({ reference }) => reference !== null)?.ask.spec.model ?? null
  const asks: PastAsk[] = []
  let size = 0
  for (const one of all) {
    if (one.reference !== null && one.ask.spec.model !== model) note('they were asked of another model')
    else if (size < most) {
      asks.push(one)
      if (one.reference !== null) size++
    } else if (one.reference !== null) note(`only the first ${most} are replayed`)
  }
  return { asks, model, unusable: [...reasons].map(([why, count]) => ({ why, count })) }
}

/**
 * The world that an ask is replayed in, where what the person accepted is what solves it: a stream of one task, kept in `folder`. Null: in that world tasks
 * are not made of what was done.
 */
export async function worldFor(
  { ask, attempt, reference, key }: PastAsk,
  folder: string,
  needs: StreamsArea & { actOut(ask: AskInfo, answer: string): Promise<readonly Round[] | null> },
): Promise<AskInfo['spec']['world']> {
  const { world, text } = ask.spec
  if (world === null || reference === null) return null
  const task: Task = { ...(await taskOfWorld(world, needs)), instruction: text }
  const rounds =
    attempt.judgement?.verdict === 'right' ? attempt.trajectory.rounds : await needs.actOut(ask, reference)
  const line = findEnvironment(task.environment).entryFrom?.(task, key, rounds ?? []) ?? null
  if (line === null) return null
  const id = createHash('sha256').update(key).digest('hex').slice(0, 24)
  const path = join(folder, `${id}.jsonl`)
  await mkdir(folder, { recursive: true })
  const header = { stream: { id, title: 'A judged ask', environment: task.environment } }
  await writeKept(path, `${JSON.stringify(header)}\n${JSON.stringify(line)}\n`)
  return { stream: path, index: 0 }
}
