import { randomBytes } from 'node:crypto'
import {
  keptAttempts,
  specOf,
  type AskAttempt,
  type AskInfo,
  type AskVerdict,
  type VerdictInput,
  answerOf,
} from '../../shared/domain/ask'
import type { Round } from '../../shared/domain/trajectory'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { Host } from '../host/host'
import type { AskChanges, AskEntry } from './ask-entry'
import { lessonsOf, type Lesson, type Taught } from './learn-from-ask'
import { probationOf } from '../../core/verdict/verdict'
import { leaningOf } from './rule-attempt'
import { reasonsOf } from '../../shared/domain/verdict'

/** A verdict that nobody but a program gave. */
export type Verdict = Pick<AskVerdict, 'verdict' | 'note' | 'by' | 'judge'>

/** What judging is done with. */
export interface JudgePorts {
  readonly changes: AskChanges
  /** Acts out an answer in the ask's world; null where there is none. */
  actOut(ask: AskInfo, answer: string): Promise<readonly Round[] | null>
  /** Teaches the memory; answers what it took. */
  learn(lesson: Lesson, signal: AbortSignal): Promise<NonNullable<AskVerdict['learned']>>
  /** Moves what was taught into a project; null: all projects share it. */
  move(teachings: readonly Taught[], project: string | null): Promise<void>
  /** Takes items out of the memory of an ask. */
  forget(ask: AskInfo, items: NonNullable<AskVerdict['learned']>): Promise<void>
  /** What the ask's check says of an attempt; null where it has none. @throws LoamError when it cannot be run */
  check(ask: AskInfo, attempt: AskAttempt, signal: AbortSignal): Promise<Verdict | null>
  /** What a model says of an attempt. @throws LoamError when it cannot be asked or says nothing that can be read */
  judge(ask: AskInfo, attempt: AskAttempt, signal: AbortSignal): Promise<Verdict>
  follow<T>(work: Promise<T>): Promise<T>
  readonly closing: AbortSignal
}

const NOTHING_SAID: VerdictInput = { verdict: 'right', answer: null, wrongAt: null, note: null }

/** Judges attempts, and has the memory learn from it. `entries`: all asks, among which a second sign is looked for. */
export function createAskJudging(
  { clock, logger }: Pick<Host, 'clock' | 'logger'>,
  ports: JudgePorts,
  entries: () => Iterable<AskEntry>,
) {
  const { changes, closing } = ports
  const now = (): string => clock.now().toISOString()
  const asTried = ({ state: { ask } }: AskEntry, attempt: AskAttempt): AskInfo => ({
    ...ask,
    spec: specOf(ask, attempt),
  })
  const attemptAt = ({ state }: AskEntry, index: number): AskAttempt => {
    const attempt = state.attempts[index]
    if (attempt) return attempt
    throw new LoamError('NOT_FOUND', `It has no attempt ${index + 1}.`, { suggestion: 'Reload the ask.' })
  }

  /** Learns from a judgement that is kept, and keeps what came of it. */
  const learn = async (entry: AskEntry, attempt: AskAttempt, judgement: AskVerdict): Promise<void> => {
    const ask = asTried(entry, attempt)
    const put = (change: Partial<AskVerdict>): Promise<AskInfo> =>
      changes.record(entry, {
        kind: 'judged',
        attempt: attempt.index,
        judgement: { ...judgement, ...change },
        at: now(),
      })
    try {
      const earlier = attempt.judgement?.learned ?? []
      if (attempt.judgement?.id !== judgement.id && earlier.length > 0) await ports.forget(ask, earlier)
      const actedOut = judgement.answer === null ? null : await ports.actOut(ask, judgement.answer)
      const lessons = await ports.learn({ ask, attempt, judgement, actedOut }, closing)
      await put({ learned: lessons })
      // Moved while it was learned from: what was learned goes where the ask is.
      const { folder } = entry.state.ask
      if (folder !== ask.folder) await ports.move(lessonsOf(entry.state), folder)
    } catch (error) {
      // It stays to be learned from, and is when Loam is opened again.
      if (closing.aborted) return
      logger.warn('Nothing was learned from an ask', { askId: ask.id, problem: toErrorShape(error) })
      await put({ learned: [], problem: toErrorShape(error) })
    }
  }

  const keep = async (
    entry: AskEntry,
    attempt: AskAttempt,
    message: VerdictInput & Partial<Verdict & Pick<AskVerdict, 'probation'>>,
  ) => {
    const judgement: AskVerdict = {
      by: 'person',
      judge: null,
      probation: null,
      ...message,
      id: `${attempt.trajectory.id}-${randomBytes(4).toString('hex')}`,
      at: now(),
      learned: asTried(entry, attempt).spec.remember ? null : [],
      problem: null,
    }
    await changes.record(entry, { kind: 'judged', attempt: attempt.index, judgement, at: judgement.at })
    if (judgement.learned === null) void ports.follow(learn(entry, attempt, judgement))
  }

  /** Keeps a success by rule anew, as far as it is proven now. */
  const provenAnew = async ({ entry, attempt }: OfAsk, probation: number | null): Promise<void> => {
    const { judgement } = attempt
    if (judgement?.by !== 'rule' || judgement.probation === probation) return
    const { note } = judgement
    await keep(entry, attempt, {
      ...NOTHING_SAID,
      ...{ verdict: 'right', note, by: 'rule', judge: null, probation },
    })
  }
  /** What the same answer elsewhere proved is on probation again where a person takes it for wrong and nothing else proves it. */
  const unprove = async (own: OfAsk): Promise<void> => {
    for (const one of sameElsewhere(own, entries())) {
      const others = sameElsewhere(one, entries()).filter(({ entry }) => entry !== own.entry)
      if (others.length === 0) await provenAnew(one, probationOf(leaningOf(one.entry.state, one.attempt)))
    }
  }

  return {
    /** Keeps what a person says of an attempt and begins to learn from it. */
    async teach(entry: AskEntry, index: number, teaching: VerdictInput) {
      const attempt = attemptAt(entry, index)
      // Refused before it is kept: a person can then put it right.
      if (teaching.answer !== null) await ports.actOut(asTried(entry, attempt), teaching.answer)
      await keep(entry, attempt, teaching)
      if (attempt.judgement?.verdict === 'right' && teaching.verdict !== 'right')
        await unprove({ entry, attempt })
    },
    /** Has a model say whether an attempt was right, and learns from that, marked as its word. */
    async byModel(entry: AskEntry, index: number) {
      const attempt = attemptAt(entry, index)
      const verdict = await ports.judge(asTried(entry, attempt), attempt, closing)
      await keep(entry, attempt, { ...NOTHING_SAID, ...verdict })
    },
    /** Runs the ask's check on its newest attempt, if it has one and nobody has judged it. */
    async byCheck(entry: AskEntry) {
      const attempt = keptAttempts(entry.state).at(-1)
      if (!attempt || attempt.judgement !== null) return
      const verdict = await ports.check(asTried(entry, attempt), attempt, closing)
      if (verdict) await keep(entry, attempt, { ...NOTHING_SAID, ...verdict })
    },
    /** Learns from an attempt that nobody judged and of which what the person wrote next tells how it ended: a success on probation, until their
     * key or until the same answer to the same request was taken for right in another ask: then both are proven. */
    async byNext(entry: AskEntry, index: number) {
      const attempt = entry.state.attempts[index]
      if (!attempt || attempt.judgement !== null) return
      const verdict = attempt.ruled
      if (verdict?.state !== 'teaches') return
      const same = verdict.value === 'solved' ? sameElsewhere({ entry, attempt }, entries()) : []
      await keep(entry, attempt, {
        ...NOTHING_SAID,
        verdict: verdict.value === 'solved' ? 'right' : 'wrong',
        note: reasonsOf(verdict),
        by: 'rule',
        judge: null,
        probation: same.length > 0 ? null : probationOf(verdict),
      })
      for (const one of same) await provenAnew(one, null)
    },
    /** Learns from judgements that were kept, and not learned from, when Loam ended. */
    resume(entry: AskEntry) {
      for (const attempt of entry.state.attempts)
        if (attempt.judgement?.learned === null) void ports.follow(learn(entry, attempt, attempt.judgement))
    },
  }
}

/** An attempt of an ask. */
interface OfAsk {
  readonly entry: AskEntry
  readonly attempt: AskAttempt
}

const plain = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

const memoryOf = ({ entry: { state }, attempt }: OfAsk): string => specOf(state.ask, attempt).memoryId

/** What was asked and answered, however it is spaced and written large; null where nothing was answered. */
function wordsOf({ entry: { state }, attempt }: OfAsk): string | null {
  const answer = answerOf(attempt)
  return answer === null ? null : `${plain(specOf(state.ask, attempt).text)}\n${plain(answer)}`
}

/**
 * Attempts in other asks of the same memory that gave the same answer to the same request and were taken for right, by a person or by what they wrote next: each a
 * sign of its own that the answer is right, since it was given on another occasion.
 */
function sameElsewhere(one: OfAsk, entries: Iterable<AskEntry>): OfAsk[] {
  const words = wordsOf(one)
  if (words === null) return []
  return [...entries].flatMap((entry) => {
    const { ask } = entry.state
    if (ask.id === one.entry.state.ask.id || ask.deletedAt !== null || ask.temporary) return []
    return keptAttempts(entry.state).flatMap((attempt) => {
      const { judgement } = attempt
      const isRight = judgement?.verdict === 'right' && (judgement.by === 'person' || judgement.by === 'rule')
      const other = { entry, attempt }
      return isRight && memoryOf(other) === memoryOf(one) && wordsOf(other) === words ? [other] : []
    })
  })
}
