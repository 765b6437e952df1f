import { z } from 'zod'
import { learnedFields } from '../../../shared/domain/memory'
import { instant } from '../../../shared/domain/units'

/** The kind's id. */
export const BELIEF_KIND = 'belief'

/** The tool of a reply that was refused since it was no action. */
export const NO_ACTION = 'reply'

/** The tool of an attempt that ended before it answered. */
export const NO_ANSWER = 'attempt'

/** Most of what a belief that came in a file may hold: letters of a text, pieces of a list, tasks and attempts. */
const TEXT = 4_000
const PIECES = 20
const COUNT = 1_000_000

const pieces = z.array(z.string().min(1).max(400)).max(PIECES)
const evidence = z.number().int().min(0).max(COUNT)

/** What attempts taught, with all that speaks for it and against it. Nothing in it was written by a model: it is made of quotations. */
export const beliefSchema = z.object({
  kind: z.literal(BELIEF_KIND),
  ...learnedFields,
  /** Attempts that bear it out, the one quoted first; none where a log of another agent told of it. */
  trajectoryIds: z.array(z.string()).max(PIECES),
  /** The experience of the log that told of it; null for an attempt's own. */
  log: z.string().nullable(),
  /** `refusal`: a tool complains of something. `line`: an agent wrote it before it acted, and was right. */
  about: z.enum(['refusal', 'line']),
  /** What the tool says, with what belongs to single actions masked; or the line. */
  text: z.string().min(1).max(TEXT),
  /** The tool that refuses; empty for a line, and where it has no name. */
  tool: z.string().max(400),
  /** The one place that the tasks of a line share; empty for all others. */
  place: z.string().max(TEXT),
  /** How it was told that it is a complaint. */
  from: z.enum(['status', 'exit', 'schema', 'text']),
  /** Words of an action with which the complaint comes; empty where nobody knows. */
  cause: pieces,
  /** Programs and things that two tasks met it with. */
  names: pieces.default([]),
  /** What ran in its place: without these pieces, with those. */
  without: pieces,
  with: pieces,
  quotes: z
    .array(
      z.object({
        /** Of the attempt quoted first, from 0. */
        round: evidence,
        of: z.enum(['action', 'observation', 'said']),
        text: z.string().min(1).max(TEXT),
      }),
    )
    .max(PIECES),
  /** Tasks and attempts that met it, and all attempts since the first of these. */
  tasks: evidence,
  attempts: evidence,
  since: evidence,
  /** Later evidence: acts that met it as told, or attempts that it helped to solve, and those that say otherwise. */
  confirmed: evidence,
  contradicted: evidence,
  /** That it is right, in [0, 1]. */
  believed: z.number().min(0).max(1),
  /** The agent is told it with every task. */
  reminder: z.boolean(),
  /** Later evidence speaks against it, so agents are not told. */
  rests: z.boolean(),
  /** When it was last met. */
  lastAt: instant,
  /** 0: a person says that it is wrong. */
  holds: z.union([z.literal(0), z.literal(1)]),
  /** What a person wants to know of it; empty without one. Agents do not read it. */
  note: z.string().max(TEXT),
})
export type Belief = z.infer<typeof beliefSchema>

/** How far a cause has to be believed for it to be told. */
export const BELIEVED = 0.5

/** Letters of a complaint, and of a piece of an action, as they are shown. */
const LONGEST_COMPLAINT = 160
const LONGEST_PIECE = 60

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`
const listed = (parts: readonly string[]): string =>
  parts.map((piece) => `\`${cut(piece, LONGEST_PIECE)}\``).join(' and ')

/**
 * What a belief says: a line as it was written, a complaint that tasks agree on in the words of the tool, with what makes it come and what ran
 * instead: what to do and what to leave, without an action that somebody could read off. About sixty tokens at most.
 */
export function statementOf(belief: Belief): string {
  const { about, tool, text, cause, names, without, with: additions, tasks, believed } = belief
  if (about === 'line') return text
  const says = `"${cut(text.replaceAll(/‹[^‹›]{0,40}›/g, '…'), LONGEST_COMPLAINT)}"`
  if (tool === NO_ANSWER) return `An attempt ends without an answer when ${text} (${tasks} tasks).`
  if (tool === NO_ACTION) return `A reply is refused that is in another form: ${says} (${tasks} tasks).`
  const why = cause.length > 0 && believed >= BELIEVED ? ` where it holds ${listed(cause)}` : ''
  const out = without.length > 0 ? ` without ${listed(without)}` : ''
  const into = additions.length > 0 ? ` with ${listed(additions)}` : ''
  const fix = out + into === '' ? '' : ` It ran${out}${out !== '' && into !== '' ? ',' : ''}${into}.`
  const at = names.length > 0 ? `, as with ${listed(names)}` : ''
  return `${tool === '' ? 'The tool' : tool} refuses${why}: ${says} (${tasks} tasks)${at}.${fix}`
}
