import { diffArrays } from 'diff'
import type { Complaint } from '../verdict/complaint'
import { wordsOf } from '../retrieval/terms'
import { NO_ACTION, NO_ANSWER } from '../memory/beliefs/belief'
import type { Act, Lived } from './acts'

/** A piece of an attempt, letter for letter. */
export interface Quotation {
  /** Of which of the attempt's acts. */
  readonly act: number
  readonly of: 'action' | 'observation' | 'said'
  readonly text: string
}

/** What a later action had in place of one that was refused: pieces that differ, without numbers and quoted text. */
export interface Change {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** One complaint of an attempt, and what ran later in its place. */
export interface Lesson {
  readonly tool: string
  readonly complaint: Complaint
  readonly quotes: readonly Quotation[]
  /** Null where nothing alike ran later. */
  readonly change: Change | null
}

/** Letters of a quotation. */
const LONGEST_QUOTE = 200
/** Words that a complaint needs beside what is masked, so that it says something. */
const LEAST_WORDS = 2
/** Later acts that are looked at for what ran instead. */
const LATER = 6
/** Pieces of two actions that are compared, and the part of them that has to be alike. */
const MOST_PIECES = 400
const ALIKE = 0.45
/** Pieces of a change, each way, and letters of one. */
const MOST_CHANGES = 3
const LONGEST_CHANGE = 80

const MASKS = /‹[^‹›]{0,40}›|#/g
const QUOTED = /(?<!\p{L})'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,80})`/gu
const LITERALS = /'[^'\n]{0,200}'|"[^"\n]{0,200}"/g
const NUMBERS = /\d[\d.,]{0,40}/g
const PIECES = /-{0,2}[\p{L}\p{N}_]{1,80}|[^\s\p{L}\p{N}_]/gu

/** What of an action is its own: quoted text and numbers. */
export const withoutLiterals = (text: string): string =>
  text.replace(LITERALS, "'…'").replace(NUMBERS, '#').replace(/\s+/g, ' ').trim()

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Whether a complaint is about a name that the agent made up itself, before anything else had said it: of no use to other tasks. */
function isAboutOwnName(line: string, acts: readonly Act[], message: string): boolean {
  const names = [...line.matchAll(QUOTED)].flatMap(
    ([, ...inner]) => inner.slice(0, 3).find((one) => one !== undefined) ?? [],
  )
  if (names.length === 0) return false
  const world = [message, ...acts.slice(0, -1).map(({ observation }) => observation ?? '')]
    .join('\n')
    .toLowerCase()
  const actions = acts
    .map(({ action }) => action)
    .join('\n')
    .toLowerCase()
  return names.some((name) => {
    const last =
      name
        .toLowerCase()
        .split(/[./]/)
        .findLast((part) => part.length > 3) ?? name.toLowerCase()
    return /^[\w./-]{2,60}$/.test(name) && actions.includes(last) && !world.includes(last)
  })
}

/** A text in its pieces, with where each stands. */
function piecesOf(text: string): { readonly words: string[]; slice(from: number, end: number): string } {
  const pieces = [...text.matchAll(PIECES)].slice(0, MOST_PIECES)
  const words = pieces.map(([piece]) => piece)
  const endOf = (at: number): number => (pieces[at]?.index ?? 0) + (words[at]?.length ?? 0)
  return { words, slice: (from, end) => text.slice(pieces[from]?.index ?? 0, endOf(end - 1)) }
}

/** What two actions do not have in common; null where they are too little alike, or nothing but numbers and quoted text differs. */
export function changeBetween(before: string, after: string): Change | null {
  const [old, now] = [piecesOf(withoutLiterals(before)), piecesOf(withoutLiterals(after))]
  const out = new Set<string>()
  const into = new Set<string>()
  let [inOld, inNow, same] = [0, 0, 0]
  for (const part of diffArrays(old.words, now.words)) {
    const count = part.value.length
    const [from, side] = part.removed
      ? [old.slice(inOld, inOld + count), out]
      : [now.slice(inNow, inNow + count), into]
    if (!part.removed && !part.added) same += count
    else if (/\p{L}{2}/u.test(from)) side.add(from.slice(0, LONGEST_CHANGE))
    if (!part.added) inOld += count
    if (!part.removed) inNow += count
  }
  if (2 * same < ALIKE * (inOld + inNow)) return null
  const isSmall = out.size <= MOST_CHANGES && into.size <= MOST_CHANGES
  return isSmall && out.size + into.size > 0 ? { removed: [...out], added: [...into] } : null
}

/** What ran in place of an act that was refused: the first later one of its tool that is alike and was not refused. */
function laterFix(acts: readonly Act[], at: number): { readonly at: number; readonly change: Change } | null {
  const first = acts[at] as Act
  for (let later = at + 1; later < Math.min(acts.length, at + 1 + LATER); later++) {
    const next = acts[later] as Act
    if (next.tool !== first.tool || next.observation === null || next.complaint) continue
    if (flat(next.action) === flat(first.action)) continue
    const change = changeBetween(first.action, next.action)
    if (change) return { at: later, change }
  }
  return null
}

/** Whether a complaint says something that other attempts can meet. */
const saysSomething = ({ masked }: Complaint): boolean =>
  wordsOf(masked.replace(MASKS, ' ')).length >= LEAST_WORDS

/** What an attempt did last, where it ended before it answered. */
function lessonOfEnding({ acts, ending }: Pick<Lived, 'acts' | 'ending'>): Lesson[] {
  const at = acts.findLastIndex(({ action }) => action.trim() !== '')
  if (!ending) return []
  const complaint = { line: '', masked: ending.text, names: { by: null, of: null }, from: 'status' } as const
  const text = acts[at]?.action.trim().slice(-LONGEST_QUOTE)
  const quotes = text === undefined ? [] : [{ act: at, of: 'action' as const, text }]
  return [{ tool: NO_ANSWER, complaint, quotes, change: null }]
}

/** The complaints of one attempt, each with quotations of what was complained of and what ran later, and how it ended where it did not answer. A complaint that comes again at once is told once. */
export function lessonsOf({ acts, told, ending }: Pick<Lived, 'acts' | 'told' | 'ending'>): Lesson[] {
  const lessons = acts.flatMap(({ tool, action, observation, complaint }, at): Lesson[] => {
    if (!complaint || !saysSomething(complaint)) return []
    const before = acts[at - 1]
    if (before?.complaint?.masked === complaint.masked && flat(before.action) === flat(action)) return []
    if (tool !== NO_ACTION && isAboutOwnName(complaint.line, acts.slice(0, at + 1), told)) return []
    const quotes: Quotation[] = []
    if (observation?.includes(complaint.line))
      quotes.push({ act: at, of: 'observation', text: complaint.line.slice(0, LONGEST_QUOTE) })
    const isReply = tool === NO_ACTION
    if (!isReply && action.trim() !== '')
      quotes.push({ act: at, of: 'action', text: action.trim().slice(0, LONGEST_QUOTE) })
    const fix = isReply ? null : laterFix(acts, at)
    if (fix)
      quotes.push({
        act: fix.at,
        of: 'action',
        text: (acts[fix.at] as Act).action.trim().slice(0, LONGEST_QUOTE),
      })
    return [{ tool, complaint, quotes, change: fix?.change ?? null }]
  })
  return [...lessons, ...lessonOfEnding({ acts, ending })]
}

/** Letters of a line that is kept, and lines of one attempt. */
const LONGEST_LINE = 240
const MOST_LINES = 3

/** A part of a line, as its punctuation divides it. */
export interface Clause {
  readonly text: string
  /** The agent came to say it of something that it had just looked up, so that it is more than a guess. */
  readonly isRead: boolean
}

/** A line that the agent wrote before its last action, and what it states. */
export interface WrittenLine {
  readonly quote: Quotation
  readonly clauses: readonly Clause[]
}

const BETWEEN = /(?<=[,;:.!?，；：。！？])\s+/
const ASKS = /[?？][,;]?$/

/** Where an end of a quotation is in the middle of a sentence. */
const OPEN_END = /[,;:，；：]$/

/**
 * What a line states: the longest stretch of its clauses that do not ask, letter for letter, and these clauses. A question is never shown: a small
 * model answers it out of nothing.
 */
export function statedIn(line: string): { readonly text: string; readonly clauses: readonly string[] } {
  let best = { text: '', clauses: [] as string[] }
  let run = { from: 0, clauses: [] as string[] }
  let at = 0
  for (const clause of line.split(BETWEEN)) {
    const from = line.indexOf(clause, at)
    at = from + clause.length
    if (clause === '' || ASKS.test(clause)) {
      run = { from: at, clauses: [] }
      continue
    }
    run =
      run.clauses.length === 0 ? { from, clauses: [clause] } : { ...run, clauses: [...run.clauses, clause] }
    const text = line.slice(run.from, at).replace(OPEN_END, '')
    if (text.length > best.text.length) best = { text, clauses: run.clauses }
  }
  return best
}

const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{N}_-]{1,80}/gu) ?? []

/** What the agent wrote before its last action that was not refused, where that is about the task and not a copy of it. */
export function linesBeforeAction({ acts, told }: Pick<Lived, 'acts' | 'told'>): WrittenLine[] {
  const at = acts.findLastIndex(
    ({ tool, complaint, said }) => tool !== NO_ACTION && complaint === null && said.trim() !== '',
  )
  const act = acts[at]
  if (!act) return []
  const taskWords = new Set(wordsOf(told))
  const answered = acts
    .slice(0, at)
    .filter(({ observation, complaint }) => observation !== null && !complaint)
  const lookedUp = new Set(answered.flatMap(({ action }) => wordsOf(action)))
  // What it said before it had looked anything up was no reading.
  const first = new Set(tokensOf(acts.find(({ said }) => said.trim() !== '')?.said ?? ''))
  const isRead = (clause: string): boolean =>
    answered.length > 0 &&
    tokensOf(clause).some((token) => !first.has(token)) &&
    wordsOf(clause).some((word) => taskWords.has(word) && lookedUp.has(word))
  return act.said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= LONGEST_LINE && !told.includes(line))
    .map(statedIn)
    .map(({ text, clauses }): WrittenLine => ({
      quote: { act: at, of: 'said', text },
      clauses: clauses.map((clause) => ({ text: clause, isRead: isRead(clause) })),
    }))
    .filter(({ clauses }) => clauses.some(({ text }) => wordsOf(text).some((word) => taskWords.has(word))))
    .slice(-MOST_LINES)
}
