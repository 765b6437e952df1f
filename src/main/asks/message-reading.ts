import { readerStanding, type JudgedSigns, type ReaderStanding } from '../../core/verdict/client-rules'
import { isToBeRead } from '../../core/verdict/message-reader'
import { answerOf, keptAttempts, specOf, type AskInfo } from '../../shared/domain/ask'
import { isImported } from '../../shared/domain/ask-origin'
import type { MessageReading } from '../../shared/domain/verdict'
import { nameOfModel } from '../ground/model-file'
import type { AskEntry } from './ask-entry'
import type { AskEvent, AskState } from './ask-record'
import { judgedSigns, nextAfter } from './rule-attempt'

/** A next message that no model has read, with the attempt before it. */
export interface UnreadMessage {
  readonly askId: string
  readonly attempt: number
  /** The message's place, from 0. */
  readonly turn: number
  readonly request: string
  readonly reply: string
  readonly message: string
  /** Whether the person has judged the attempt. */
  readonly isJudged: boolean
  readonly at: string
}

/** Next messages as a model reads them. */
export interface MessageReadings {
  /** Those that a model has not read and that were not written to it: first those that can weigh its readings, then the newest. */
  unreadMessages(model: string): UnreadMessage[]
  /** Readings on a day, such as `2026-05-03` in UTC. */
  readingsOn(day: string): number
  /** Keeps a reading. A message that was taken out by then changes nothing. @throws LoamError `NOT_FOUND`, `DISK_FULL`, `DISK_WRITE` */
  keepReading(askId: string, attempt: number, reading: MessageReading): Promise<AskInfo>
  /** How a model's readings compare with the person's verdicts. */
  standingOf(model: string): ReaderStanding
}

/** The verdicts of a person that count: of attempts that are there. */
export const signsIn = (states: readonly AskState[]): JudgedSigns[] =>
  states.flatMap((state) =>
    state.ask.deletedAt === null ? judgedSigns({ ...state, attempts: keptAttempts(state) }) : [],
  )

function unreadIn(state: AskState, model: string): UnreadMessage[] {
  const { ask } = state
  if (ask.deletedAt !== null || ask.temporary) return []
  return keptAttempts(state).flatMap((attempt) => {
    const next = nextAfter(state, attempt)
    const spec = specOf(ask, attempt)
    if (next === null || isImported(ask, attempt) || nameOfModel(spec.model) === model) return []
    const before = { request: spec.text, reply: answerOf(attempt) ?? '' }
    const { reading, judgement } = attempt
    const isRead = reading?.model === model && reading.turn === next.turn
    if (isRead || !isToBeRead(before, next.text)) return []
    return [
      {
        ...{ askId: ask.id, attempt: attempt.index, turn: next.turn, ...before },
        ...{ message: next.text, isJudged: judgement?.by === 'person', at: next.at },
      },
    ]
  })
}

/** Reads and keeps them in the asks that are open. */
export const createMessageReadings = (
  find: (askId: string) => AskEntry,
  all: () => readonly AskState[],
  record: (entry: AskEntry, event: AskEvent) => Promise<AskInfo>,
): MessageReadings => ({
  unreadMessages: (model) =>
    all()
      .flatMap((state) => unreadIn(state, model))
      .sort((a, b) => Number(b.isJudged) - Number(a.isJudged) || b.at.localeCompare(a.at)),
  readingsOn: (day) =>
    all().reduce(
      (sum, { attempts }) => sum + attempts.filter(({ reading }) => reading?.at.startsWith(day)).length,
      0,
    ),
  keepReading: (askId, attempt, reading) =>
    record(find(askId), { kind: 'read', attempt, reading, at: reading.at }),
  standingOf: (model) => readerStanding(signsIn(all()), model),
})
