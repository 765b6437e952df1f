import { z } from 'zod'
import { LEAST_FOR_RELATIONS, RELATION_QUESTION_COUNT } from './model-profile'
import { count } from './units'

/** A model that reads what a person writes next, and how far that is borne out by their own verdicts. */
export const messageReaderSchema = z.object({
  /** Whether the person wants it. */
  on: z.boolean(),
  /** Who reads: a model on this machine that passed the test; null where none did. */
  model: z.string().nullable(),
  /** Messages that it has not read yet. */
  unread: count,
  /** The person's verdicts that its readings were compared with, and how many it takes before they weigh anything. */
  compared: count,
  needed: count,
  /** Readings that came to the same as the verdict, to the other, and to neither. */
  agreed: count,
  differed: count,
  silent: count,
  /** What a reading of a yes, and of a no, weighs as log-odds that an attempt was right. */
  weights: z.object({ right: z.number(), wrong: z.number() }),
  /** What went wrong last; null for nothing. */
  problem: z.string().nullable(),
})
export type MessageReader = z.infer<typeof messageReaderSchema>

const signed = (weight: number): string => `${weight < 0 ? '−' : '+'}${Math.abs(weight).toFixed(1)}`

/** How it stands with the reader, in sentences. */
export function readerLines(reader: MessageReader): string[] {
  const { on, model, unread, compared, needed, agreed, differed, silent, weights, problem } = reader
  if (!on) return ['Next messages are read by rules alone.']
  if (model === null)
    return [
      `Next messages are read by rules alone: no model on this machine has passed the test yet (${LEAST_FOR_RELATIONS} of ${RELATION_QUESTION_COUNT} labelled messages; Models says how each did).`,
    ]
  const lines = [
    compared === 0
      ? `${model} reads your next messages. None of its readings could be compared with a verdict of yours yet.`
      : `${model} reads your next messages. Of ${compared} that you judged yourself it agreed with ${agreed}, differed from ${differed} and said neither of ${silent}.`,
    compared < needed
      ? `Its readings count for nothing until there are ${needed}.`
      : `A yes that it reads weighs ${signed(weights.right)}, a no ${signed(weights.wrong)} (log-odds, at most 1.5). It settles nothing alone.`,
  ]
  if (unread > 0) lines.push(`${unread === 1 ? '1 message waits' : `${unread} messages wait`} to be read.`)
  if (problem !== null) lines.push(`The last reading failed: ${problem}`)
  return lines
}
