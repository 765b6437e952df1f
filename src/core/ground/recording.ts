import { z } from 'zod'
import type { LeftRow } from '../../shared/domain/reading'
import { linesOf, parseEntry } from './entries'
import { verdictSchema } from '../../shared/domain/verdict'

/** One recorded attempt: what a model wrote, reply by reply. */
export interface Recording {
  /** The task's id in its stream. */
  readonly task: string
  /** Null when the file does not say whose replies these are. */
  readonly model: string | null
  readonly replies: readonly string[]
  /** What the world answered before each reply; null where nothing is recorded. */
  readonly observations: readonly (string | null)[]
  /** The grade it was given then; null when it was not graded. */
  readonly reward: 0 | 1 | null
  /** The line of the file, from 1. */
  readonly line: number
}

const id = z.union([z.string().min(1), z.number().int()]).transform(String)
const reward = verdictSchema.nullish()

/** Sessions as LifelongAgentBench's are recorded. */
const sessionSchema = z
  .object({
    model: z.string().nullish(),
    sample_index: id,
    turns: z.array(z.object({ completion: z.string(), observation: z.string().nullish() })),
    reward,
  })
  .transform(({ model, sample_index: task, turns, reward: input }) => ({
    ...{ model, task, reward: input },
    replies: turns.map(({ completion }) => completion),
    observations: turns.map(({ observation }) => observation ?? null),
  }))

/** Replies alone, as people write them by hand. */
const repliesSchema = z
  .object({ task: id, replies: z.array(z.string()), model: z.string().nullish(), reward })
  .transform((input) => ({ ...input, observations: input.replies.map(() => null) }))

/** An attempt in an export of Loam's own. */
const attemptSchema = z
  .object({
    task: z.object({ id }),
    rounds: z.array(z.object({ completion: z.string() })),
    model: z.string().nullish(),
    reward,
  })
  .transform(({ task, rounds, ...rest }) => ({
    ...rest,
    task: task.id,
    replies: rounds.map(({ completion }) => completion),
    observations: rounds.map(() => null),
  }))

const recordingSchema = z.union([sessionSchema, repliesSchema, attemptSchema])

/** What a file of recorded attempts holds, and its rows that are none. */
export interface ReadRecordings {
  readonly recordings: readonly Recording[]
  readonly left: readonly LeftRow[]
}

/** The form that a row of the file should have, for saying what is wrong with it. */
const formOf = (row: unknown): z.ZodType =>
  typeof row === 'object' && row !== null && 'replies' in row ? repliesSchema : sessionSchema

/**
 * Reads recorded attempts, one per line: sessions of LifelongAgentBench (`sample_index`, `turns`), replies alone (`task`, `replies`), or
 * attempts of a Loam export. Rows that are none are left out with the reason.
 */
export function readRecordings(text: string): ReadRecordings {
  const recordings: Recording[] = []
  const leftRest: LeftRow[] = []
  for (const { place, value, problem } of linesOf(text).map(parseEntry)) {
    if (problem !== null) {
      leftRest.push({ ...place, why: problem })
      continue
    }
    const read = recordingSchema.safeParse(value)
    if (read.success) {
      const { model, reward: input, ...rest } = read.data
      recordings.push({ ...rest, model: model ?? null, reward: input ?? null, line: place.line })
      continue
    }
    const [issue] = formOf(value).safeParse(value).error?.issues ?? []
    leftRest.push({ ...place, why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a session'}` })
  }
  return { recordings, left: leftRest }
}
