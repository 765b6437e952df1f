import { readerLines } from '../../../shared/domain/message-reader'
import { reasonsOf } from '../../../shared/domain/verdict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answerOf,
  keptAttempts,
  verdictValueSchema,
  specOf,
  type AskAttempt,
  type AskDetail,
  type AskInfo,
  type AskPart,
} from '../../../shared/domain/ask'
import { LoamError } from '../../../shared/errors'
import { UsageError, type Arguments } from '../arguments'
import type { ConsoleIo } from '../console-io'
import { NO_RECALLS, RECALL_WORDS, recallMeaning } from '../../../shared/figures/recall-words'
import { answerOnConsole } from './ask'
import type { Command } from './command'
import { memoryNamed } from './memory-named'

/** How often a judgement is looked at until it was learned from, in ms. */
const LOOK_MS = 100

const verdictWords = ({ verdict, attempts }: AskInfo): string =>
  verdict ?? (attempts === 0 ? 'no answer' : 'not judged')

/** `loam asks [WORDS]`. */
export const asksCommand: Command = async ({ args, io, host }) => {
  const text = args.positionals.slice(1).join(' ')
  const asks = await (await host()).client.asks.list({ text })
  for (const ask of asks)
    io.out(
      `${ask.id}  ${ask.status}, ${verdictWords(ask)}, ${ask.turns === 1 ? '1 message' : `${ask.turns} messages`}  ${ask.title}`,
    )
  return { asks }
}

const getName = ({ word }: Arguments, usage: string): string => word(2, `Which ask? ${usage}`)

/** `loam asks show ID`. */
export const showAsk: Command = async ({ args, io, host }) => {
  const detail = await (await host()).client.asks.get({ askId: getName(args, 'loam asks show ID') })
  io.out(detail.ask.title)
  for (const [index, turn] of detail.turns.entries()) {
    if (turn.removed) continue
    const tries = keptAttempts(detail).filter((attempt) => attempt.turn === index)
    io.out(`\n> ${turn.text}`)
    for (const { name } of turn.given) io.out(`  with ${name}`)
    for (const one of tries) tellTry(detail, one, io)
  }
  const { status, problem } = detail.ask
  if (status !== 'done') io.out(`\n${status}${problem === null ? '' : `: ${problem.cause}`}`)
  return detail
}

/** `loam asks review`. */
export const reviewAsks: Command = async ({ io, host }) => {
  const review = await (await host()).client.asks.review()
  for (const { askId, attempt, title, supposed, often } of review.entries) {
    const words = supposed ? `probably ${supposed.verdict} (because ${supposed.because})` : 'not settled'
    io.out(
      `${askId} --try ${attempt + 1}  ${words}, ${often === 1 ? '1 request' : `${often} requests`} like it  ${title}`,
    )
  }
  io.note(
    review.total === 0
      ? 'No answer waits for a word.'
      : 'Say of one how it was: loam asks judge ID right|partly|wrong',
  )
  return review
}

/** `loam asks reader`. */
export const showReader: Command = async ({ io, host }) => {
  const reader = await (await host()).client.asks.reader()
  for (const line of readerLines(reader)) io.out(line)
  return reader
}

const RULED = { solved: 'right', failed: 'wrong', unknown: 'unknown' } as const

function tellTry({ ask }: AskDetail, attempt: AskAttempt, io: Pick<ConsoleIo, 'out' | 'note'>): void {
  const { trajectory, judgement, ruled, made } = attempt
  const spec = specOf(ask, attempt)
  const by =
    judgement === null || judgement.by === 'person'
      ? ''
      : judgement.by === 'rule'
        ? ` (${judgement.probation === null ? '' : 'unproven, '}because ${judgement.note ?? ''})`
        : ` (says ${judgement.judge ?? 'its check'})`
  const presumed = ruled ? `, probably ${RULED[ruled.value]} (because ${reasonsOf(ruled)})` : ''
  const verdict = judgement === null ? `not judged${presumed}` : `${judgement.verdict}${by}`
  io.out(
    `\nTry ${attempt.index + 1}, ${trajectory.model === '' ? 'imported' : trajectory.model}, ${spec.method}, ${verdict}:`,
  )
  io.out(answerOf(attempt) ?? `No answer: ${trajectory.reason ?? trajectory.finish}`)
  for (const { name } of made) io.out(`  made ${name}`)
}

/** `loam asks judge ID [right|partly|wrong]`: a person's word, else that of the ask's model; comes back once it was learned from. */
export const judgeAsk: Command = async ({ args, io, host }) => {
  const askId = getName(args, 'loam asks judge ID right')
  const [, , , word] = args.positionals
  const verdict = verdictValueSchema.safeParse(word)
  if (word !== undefined && !verdict.success)
    throw new UsageError(`"${word}" is no verdict; say right, partly or wrong`)
  if (
    word === undefined &&
    (['correct', 'wrong-at', 'because'] as const).some((name) => args.text(name) !== undefined)
  )
    throw new UsageError('Say right, partly or wrong as well')
  const { asks } = (await host()).client
  const before = await asks.get({ askId })
  const attempt = tryOf(args, before)
  const step = args.whole('wrong-at', [1, 10_000])
  const teaching = {
    answer: args.text('correct') ?? null,
    wrongAt: step === undefined ? null : step - 1,
    note: args.text('because') ?? null,
  }
  const judgedJudgement = verdict.success
    ? await asks.teach({ askId, attempt, teaching: { verdict: verdict.data, ...teaching } })
    : await asks.judge({ askId, attempt })
  let judgement = judgedJudgement.attempts[attempt]?.judgement ?? null
  while (judgement?.learned === null && !io.signal.aborted) {
    await sleep(LOOK_MS)
    judgement = (await asks.get({ askId })).attempts[attempt]?.judgement ?? null
  }
  if (!judgement) throw new Error('What was judged has a judgement.')
  if (judgement.problem) throw LoamError.fromShape(judgement.problem)
  const lessons = judgement.learned ?? []
  io.out(`${judgement.verdict}${judgement.note === null ? '' : `: ${judgement.note}`}`)
  io.note(lessons.length === 0 ? 'Nothing was learned from it' : `Learned ${lessons.length} of it`)
  return { ask: askId, try: attempt + 1, ...judgement, learned: lessons }
}

/** `loam asks recalls`: what judged asks would be shown now of what the memory held before each. */
export const recallsOfAsks: Command = async ({ args, io, host }) => {
  const history = await (await host()).client.asks.recalls({ memoryId: memoryNamed(args) })
  for (const { title, outcome, shown, askId } of history.asks) {
    io.out(`${askId}  ${RECALL_WORDS[outcome]}  ${title}`)
    for (const one of shown) io.out(`  ${one.says ? '+' : '-'} ${one.title}`)
  }
  io.out(history.asks.length === 0 ? NO_RECALLS : recallMeaning(history.asks))
  for (const { why, count } of history.unusable) io.note(`${count} left out: ${why}`)
  return history
}

/** The place of the try that `--try` names, else of the newest that is not removed. @throws LoamError `NOT_FOUND` where there is none */
function tryOf(args: Arguments, detail: AskDetail): number {
  const attempt = numbered(args, 'try') ?? keptAttempts(detail).at(-1)?.index
  if (attempt !== undefined) return attempt
  throw new LoamError('NOT_FOUND', 'It has no answer yet.', { suggestion: 'Wait until it has one.' })
}

/** What `--try` or `--message` names, counted from 0. */
function numbered(args: Arguments, name: 'try' | 'message'): number | undefined {
  const number = args.whole(name, [1, MOST_PARTS])
  return number === undefined ? undefined : number - 1
}

const MOST_PARTS = 1_000_000

/** `loam asks edit ID TEXT`: a message in other words, asked again; with `--as-answer` a person's words for an answer. */
export const editAsk: Command = async ({ args, io, host }) => {
  const askId = getName(args, 'loam asks edit ID "TEXT"')
  const text = args.positionals.slice(3).join(' ')
  if (text.trim() === '') throw new UsageError('In which words? loam asks edit ID "TEXT"')
  const reached = await host()
  const { asks } = reached.client
  const attempt = tryOf(args, await asks.get({ askId }))
  if (!args.flag('as-answer')) {
    const from = { attempt, step: 0, edit: null }
    return answerOnConsole(await asks.branch({ askId, from, changes: { text } }), reached, io)
  }
  const { attempts } = await asks.editAnswer({ askId, attempt, text })
  io.note(`Kept as try ${attempts.length}`)
  return { ask: askId, try: attempts.length, answer: text }
}

/** `loam asks remember ID [N]`: what a try's message told in passing, or the Nth of it, as facts. */
export const rememberAsk: Command = async ({ args, io, host }) => {
  const askId = getName(args, 'loam asks remember ID')
  const [, , , number] = args.positionals
  const { asks } = (await host()).client
  const detail = await asks.get({ askId })
  const attempt = tryOf(args, detail)
  const offers = (detail.attempts[attempt]?.offers ?? []).filter(({ state }) => state !== 'kept')
  const picks = number === undefined ? offers : offers.slice(Number(number) - 1, Number(number))
  if (picks.length === 0)
    throw new LoamError('NOT_FOUND', 'Its message told nothing more in passing.', {
      suggestion: 'Write it yourself: loam memory add fact --set statement="..."',
    })
  for (const { statement } of picks) {
    await asks.keepFact({ askId, attempt, statement })
    io.out(`Remembered: ${statement}`)
  }
  return { ask: askId, try: attempt + 1, remembered: picks.map(({ statement }) => statement) }
}

/** `loam asks branch ID`: a new ask of all that led up to a try, with it. */
export const branchAsk: Command = async ({ args, io, host }) => {
  const askId = getName(args, 'loam asks branch ID')
  const { asks } = (await host()).client
  const ask = await asks.fork({ askId, attempt: tryOf(args, await asks.get({ askId })) })
  io.out(ask.id)
  return { ask: ask.id, from: askId }
}

/** The message or try of an ask that is named; null: the whole ask. */
function partOf(args: Arguments): AskPart | null {
  const [turn, attempt] = [numbered(args, 'message'), numbered(args, 'try')]
  if (turn !== undefined && attempt !== undefined) throw new UsageError('Either --message or --try')
  return turn !== undefined ? { turn } : attempt !== undefined ? { attempt } : null
}

const partWords = (part: AskPart | null): string =>
  part === null ? 'The ask' : 'turn' in part ? `Message ${part.turn + 1}` : `Try ${part.attempt + 1}`

/** `loam asks remove ID`: takes an ask, or one message or try of it, away. */
export const removeAsk: Command = async ({ args, io, host }) => {
  const askId = getName(args, 'loam asks remove ID')
  const part = partOf(args)
  const { asks } = (await host()).client
  await (part === null ? asks.remove({ askId }) : asks.takeOut({ askId, part }))
  io.note(`${partWords(part)} is removed; "loam asks restore" brings it back`)
  return { ask: askId, part, removed: true }
}

/** `loam asks restore ID`: brings it back. */
export const restoreAsk: Command = async ({ args, io, host }) => {
  const askId = getName(args, 'loam asks restore ID')
  const part = partOf(args)
  const { asks } = (await host()).client
  await (part === null ? asks.restore({ askId }) : asks.takeOut({ askId, part, removed: false }))
  io.note(`${partWords(part)} is back`)
  return { ask: askId, part, removed: false }
}
