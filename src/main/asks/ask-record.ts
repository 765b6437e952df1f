import { z } from 'zod'
import {
  askAttemptSchema,
  askCheckSchema,
  askFileSchema,
  askLiveSchema,
  askVerdictSchema,
  factOfferSchema,
  askSpecSchema,
  askMessageSchema,
  askPartSchema,
  keptAttempts,
  type AskAttempt,
  type AskDetail,
  type AskInfo,
  type AskPart,
  type AskVerdict,
} from '../../shared/domain/ask'
import { askOriginSchema, isImported } from '../../shared/domain/ask-origin'
import { itemRefSchema } from '../../shared/domain/item'
import { count, instant } from '../../shared/domain/units'
import { messageReadingSchema } from '../../shared/domain/verdict'
import { loamErrorShape } from '../../shared/domain/error-shape'
import { FITTED, type ClientRules } from '../../core/verdict/client-rules'
import { ruledBy } from './rule-attempt'

const at = { at: z.string() }

/** What is worked on next: which message, with what, and from where. */
export const askTodoSchema = askAttemptSchema.pick({ turn: true, changes: true, from: true })
export type AskTodo = z.infer<typeof askTodoSchema>

/** A try at work, as far as it has come. */
export const writtenSchema = z.object({
  /** The try that it becomes. */
  index: count,
  todo: askTodoSchema,
  startedAt: instant,
  /** When it was kept last; absent in what earlier versions kept. */
  at: instant.optional(),
  live: askLiveSchema,
})
export type Written = z.infer<typeof writtenSchema>

const FIRST: AskTodo = { turn: 0, changes: {}, from: null }

/** What happens to an ask, a line of its file each. */
export const askEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('asked'),
    id: z.string(),
    spec: askSpecSchema,
    given: z.array(askFileSchema),
    /** Its project; null for none. */
    folder: z.string().nullable().default(null),
    temporary: z.boolean().default(false),
    /** Null: it was asked here. */
    origin: askOriginSchema.nullable().default(null),
    /** Of a first message that was imported: files that its log does not hold. */
    missing: z.array(z.string()).default([]),
    ...at,
  }),
  /** The person says more; it follows an attempt. */
  z.object({ kind: z.literal('said'), turn: askMessageSchema, ...at }),
  /** Work begins. */
  z.object({ kind: z.literal('begun'), todo: askTodoSchema.default(FIRST), ...at }),
  /** `isNews`: nobody has seen it. Default false, as before there were such. */
  z.object({
    kind: z.literal('tried'),
    attempt: askAttemptSchema,
    isNews: z.boolean().default(false),
    ...at,
  }),
  z.object({ kind: z.literal('seen'), ...at }),
  /** All messages that wait to be sent. */
  z.object({ kind: z.literal('queued'), queue: z.array(z.string()), ...at }),
  z.object({ kind: z.literal('archived'), archived: z.boolean(), ...at }),
  z.object({ kind: z.literal('failed'), problem: loamErrorShape, ...at }),
  z.object({ kind: z.literal('stopped'), problem: loamErrorShape.nullable(), ...at }),
  /** Also when what was learned from a judgement is known. */
  z.object({ kind: z.literal('judged'), attempt: z.number().int(), judgement: askVerdictSchema, ...at }),
  /** A model has read what the person wrote next. */
  z.object({ kind: z.literal('read'), attempt: z.number().int(), reading: messageReadingSchema, ...at }),
  /** All that an attempt recalled and that did not belong to it. */
  z.object({
    kind: z.literal('misplaced'),
    attempt: z.number().int(),
    items: z.array(itemRefSchema),
    ...at,
  }),
  /** All that an attempt's message told in passing. */
  z.object({
    kind: z.literal('offered'),
    attempt: z.number().int(),
    offers: z.array(factOfferSchema),
    ...at,
  }),
  /** It was temporary, and is an ask like any other from now on. */
  z.object({ kind: z.literal('kept'), ...at }),
  /** A message or a try is taken out, or put back. */
  z.object({ kind: z.literal('removed'), part: askPartSchema, removed: z.boolean(), ...at }),
  z.object({ kind: z.literal('titled'), title: z.string(), ...at }),
  z.object({ kind: z.literal('pinned'), pinned: z.boolean(), ...at }),
  z.object({ kind: z.literal('filed'), folder: z.string().nullable(), ...at }),
  z.object({ kind: z.literal('checked'), check: askCheckSchema.nullable(), ...at }),
  z.object({ kind: z.literal('deleted'), deleted: z.boolean(), ...at }),
  /** An import brought a later state of what it was imported from; null: that import is undone. */
  z.object({ kind: z.literal('replaced'), importId: z.string().nullable(), ...at }),
])
export type AskEvent = z.infer<typeof askEventSchema>

/** An ask as its events tell it. */
export interface AskState extends Readonly<Omit<AskDetail, 'live' | 'wait' | 'rests'>> {
  /** What is worked on, or was worked on last. */
  readonly todo: AskTodo
}

const TITLE_LENGTH = 80

/** The first line of what is asked, cut between words. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n')[0]?.trim() ?? ''
  if (line.length <= TITLE_LENGTH) return line
  const cut = line.slice(0, TITLE_LENGTH - 1)
  return `${cut.slice(0, Math.max(40, cut.lastIndexOf(' ')))}…`
}

/** The attempts, one of them with something else in it. */
const withChange = (
  attempts: readonly AskAttempt[],
  index: number,
  change: Partial<Pick<AskAttempt, 'misplaced' | 'offers' | 'reading'>>,
): AskAttempt[] => attempts.map((one) => (one.index === index ? { ...one, ...change } : one))

/** A state after one more event; `asked` begins one. Null for an event without an ask. `rules`: what next messages are read by. Default: the fitted ones. */
export function applyAskEvent(
  state: AskState | null,
  event: AskEvent,
  rules: ClientRules = FITTED,
): AskState | null {
  if (event.kind === 'asked') return begin(event)
  if (!state) return null
  const { attempts, turns } = state
  const ask: AskInfo = { ...state.ask, changedAt: event.at }
  switch (event.kind) {
    case 'said': {
      const { text } = event.turn
      const messages = [...turns, event.turn]
      const todo = { turn: turns.length, changes: { ...FIRST.changes, text }, from: null }
      const more = { turns: messages.length, messageAt: event.turn.at }
      return withRuled({ ...state, turns: messages, ask: { ...ask, ...more }, todo }, rules)
    }
    case 'begun':
      return {
        ...state,
        todo: event.todo,
        ask: { ...ask, status: 'waiting', problem: null, messageAt: event.at },
      }
    case 'tried':
      return {
        ...state,
        attempts: [...attempts, event.attempt],
        ask: {
          ...ask,
          ...{ status: 'done', problem: null, attempts: attempts.length + 1, verdict: null },
          isFact: event.attempt.facts.length > 0,
          unread: event.isNews || ask.unread,
        },
      }
    case 'seen':
      return { ...state, ask: { ...state.ask, unread: false } }
    case 'queued':
      return { ...state, queue: event.queue }
    case 'archived':
      return { ...state, ask: { ...ask, archived: event.archived } }
    case 'failed':
      return { ...state, ask: { ...ask, status: 'failed', problem: event.problem } }
    case 'stopped':
      return { ...state, ask: { ...ask, status: 'stopped', problem: event.problem } }
    case 'judged':
      return withRuled(getAskState({ ...state, ask }, event.attempt, event.judgement), rules)
    case 'read':
      // Nothing that a person sees of it but what is presumed: it does not become the newest.
      return withRuled(
        { ...state, attempts: withChange(attempts, event.attempt, { reading: event.reading }) },
        rules,
      )
    case 'misplaced':
      return { ...state, ask, attempts: withChange(attempts, event.attempt, { misplaced: event.items }) }
    case 'offered':
      return { ...state, ask, attempts: withChange(attempts, event.attempt, { offers: event.offers }) }
    case 'kept':
      return { ...state, ask: { ...ask, temporary: false, spec: { ...ask.spec, remember: true } } }
    case 'removed':
      return withPart({ ...state, ask }, event.part, event.removed)
    case 'titled':
      return { ...state, ask: { ...ask, title: event.title } }
    case 'pinned':
      return { ...state, ask: { ...ask, pinned: event.pinned } }
    case 'filed':
      return { ...state, ask: { ...ask, folder: event.folder } }
    case 'checked':
      return { ...state, ask: { ...ask, check: event.check } }
    case 'replaced': {
      const { importId } = event
      const origin = ask.origin && { ...ask.origin, replacedBy: importId }
      return { ...state, ask: { ...ask, origin, deletedAt: importId === null ? null : event.at } }
    }
    case 'deleted':
      return { ...state, ask: { ...ask, deletedAt: event.deleted ? event.at : null } }
  }
}

function begin({
  id,
  spec,
  given,
  folder,
  temporary,
  origin,
  missing,
  at: createdAt,
}: AskEvent & { kind: 'asked' }): AskState {
  return {
    ask: {
      id,
      title: titleOf(spec.text),
      spec,
      given,
      status: 'waiting',
      problem: null,
      ...{ pinned: false, archived: false, unread: false, temporary },
      createdAt,
      ...{ changedAt: createdAt, messageAt: createdAt },
      deletedAt: null,
      attempts: 0,
      turns: 1,
      origin,
      folder,
      check: null,
      verdict: null,
      isFact: false,
      presumed: 0,
    },
    turns: [{ text: spec.text, given, after: null, at: createdAt, removed: false, missing }],
    attempts: [],
    queue: [],
    todo: FIRST,
  }
}

/** A state without a message or a try, or with it again; what is told of the newest answer goes by what is left. */
function withPart(state: AskState, part: AskPart, isRemoved: boolean): AskState {
  const mark = <T>(all: readonly T[], at: number): T[] =>
    all.map((one, i) => (i === at ? { ...one, removed: isRemoved } : one))
  const next =
    'turn' in part
      ? { ...state, turns: mark(state.turns, part.turn) }
      : { ...state, attempts: mark(state.attempts, part.attempt) }
  const newest = keptAttempts(next).at(-1)
  const verdict = newest?.judgement?.verdict ?? null
  return { ...next, ask: { ...next.ask, verdict, isFact: (newest?.facts.length ?? 0) > 0 } }
}

/** A state with what next messages tell of answers that nobody judged, and how many such wait for a person's key. */
export function withRuled(state: AskState, rules: ClientRules): AskState {
  const attempts = state.attempts.map((one) => ({
    ...one,
    ruled: one.judgement === null && !isImported(state.ask, one) ? ruledBy(state, one, rules) : null,
  }))
  const presumed = attempts.filter(({ ruled }) => ruled !== null).length
  return { ...state, attempts, ask: { ...state.ask, presumed } }
}

function getAskState(state: AskState, index: number, judgement: AskVerdict): AskState {
  const { attempts, ask } = state
  const newest = index === attempts.length - 1
  return {
    ...state,
    attempts: attempts.map((one) => (one.index === index ? { ...one, judgement } : one)),
    ask: newest ? { ...ask, verdict: judgement.verdict } : ask,
  }
}
