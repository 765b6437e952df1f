import { caseBank } from '../methods/case-bank/case-bank'
import { z } from 'zod'
import type { CaseRecord } from '../../shared/domain/case'
import type { RowPlace } from '../../shared/domain/reading'
import { NO_USAGE, type Trajectory } from '../../shared/domain/trajectory'
import { parsed, readLines } from '../ground/entries'
import type { Found, ReadContext } from '../memory/experiences/import/log'
import { shapeProblem } from '../memory/experiences/import/records'
import { QUESTION_ENVIRONMENT } from '../tasks'
import type { FormatPart, FormatSource } from './format'
import { verdictSchema } from '../../shared/domain/verdict'

const text = z.string().refine((value) => value.trim() !== '', { message: 'is empty' })
const label = z.enum(['positive', 'negative'])
/** A row of `memory.jsonl`. */
export const itemRowSchema = z.object({ case: text, plan: z.string(), case_label: label })
/** A row of `dummy_memo.jsonl`. */
export const dummyRowSchema = z.object({ question: text, plan: z.string(), reward: verdictSchema })
/** A row of `training_data.jsonl`: a case that was shown for a query, and whether the query was solved with it. */
export const trainingRowSchema = z.object({
  query: text,
  case: text,
  case_label: label,
  plan: z.string(),
  truth_label: z.union([
    z.boolean(),
    verdictSchema.transform((value) => value === 1),
    label.transform((value) => value === 'positive'),
  ]),
})

/** A case as Memento writes it. */
export type MementoCase = Pick<CaseRecord, 'state' | 'plan' | 'reward'>

export const rewardOf = (input: z.infer<typeof label>): 0 | 1 => (input === 'positive' ? 1 : 0)
export const labelOf = (reward: 0 | 1): z.infer<typeof label> => (reward === 1 ? 'positive' : 'negative')

/** A row as a line of its file. */
export const rowOf = (row: object, holds: string): FormatPart => ({ text: `${JSON.stringify(row)}\n`, holds })

/** The live cases of a memory, each as a row. */
export async function* writeCases(
  source: FormatSource,
  toRow: (item: MementoCase) => object,
  signal?: AbortSignal,
): AsyncGenerator<FormatPart> {
  for await (const item of source.cases({ includeDeleted: false })) {
    signal?.throwIfAborted()
    yield rowOf(toRow(item), 'cases')
  }
}

/** Rows of one form, or why a line is none. */
export async function* readRows<T>(
  content: AsyncIterable<string>,
  shape: z.ZodType<T>,
): AsyncGenerator<{ readonly place: RowPlace; readonly row: T } | Extract<Found, { kind: 'left' }>> {
  for await (const { place, value, problem } of parsed(readLines(content))) {
    const row = shape.safeParse(value)
    if (problem === null && row.success) yield { place, row: row.data }
    else yield { kind: 'left', place, why: problem ?? (row.error ? shapeProblem(row.error) : '') }
  }
}

/** Reads the cases of a file. A case that stands in it twice is two cases, and the same file again adds nothing. */
export async function* readCases<T>(
  content: AsyncIterable<string>,
  shape: z.ZodType<T>,
  toCase: (row: T) => MementoCase,
  context: ReadContext,
): AsyncGenerator<Found> {
  const names = namer(context)
  for await (const match of readRows(content, shape)) {
    if ('kind' in match) {
      yield match
      continue
    }
    const item = toCase(match.row)
    const record = importedCase(item, names([item.state, item.plan, item.reward]), context.now)
    yield { kind: 'events', place: match.place, events: [{ kind: 'case-added', case: record }] }
  }
}

/** Names after what is named, with the number of times it was named before. */
export function namer({ hash }: ReadContext): (content: unknown) => string {
  const times = new Map<string, number>()
  return (content) => {
    const text = JSON.stringify(content)
    const before = times.get(text) ?? 0
    times.set(text, before + 1)
    return hash(`${before} ${text}`).slice(0, 20)
  }
}

/** An imported case as the bank keeps it. It comes from no attempt of ours. */
export const importedCase = ({ state, plan, reward }: MementoCase, name: string, at: string): CaseRecord => ({
  id: `case-memento-${name}`,
  trajectoryId: `memento-${name}`,
  runId: 'memento',
  environment: QUESTION_ENVIRONMENT,
  state,
  plan,
  reward,
  createdAt: at,
  deletedAt: null,
})

/** A query of a training file with the cases it was shown, in the order of its lines. */
export interface MementoQuery {
  readonly place: RowPlace
  readonly query: string
  readonly solved: boolean
  readonly shown: readonly MementoCase[]
}

/**
 * A training query as an attempt that learned case selection can learn from: which cases were shown, and how it ended. What was
 * written in it is not known. Its own case is kept as deleted, since it has no plan that could be recalled.
 */
export function importedAttempt(
  { query, solved, shown }: MementoQuery,
  caseIds: readonly string[],
  name: string,
  { memoryId, now }: ReadContext,
): { readonly attempt: Trajectory; readonly own: CaseRecord } {
  const reward = solved ? 1 : 0
  const own = importedCase({ state: query, plan: '', reward }, name, now)
  const attempt: Trajectory = {
    id: own.trajectoryId,
    runId: own.runId,
    memoryId,
    task: {
      id: name,
      index: 0,
      environment: QUESTION_ENVIRONMENT,
      instruction: query,
      context: '',
      skills: [],
    },
    method: caseBank.info.id,
    model: 'imported from Memento',
    seed: 0,
    recalled: shown.map(({ state, reward: shownReward }, i) => ({
      kind: 'case',
      id: caseIds[i] ?? '',
      trajectoryId: null,
      title: state,
      score: null,
      scoreKind: 'imported',
      reward: shownReward,
      tokens: 0,
    })),
    rounds: [
      {
        index: 0,
        completion: '',
        action: { kind: 'answer', content: '' },
        observation: null,
        usage: NO_USAGE,
      },
    ],
    finish: 'completed',
    reward,
    usage: NO_USAGE,
    startedAt: now,
    finishedAt: now,
  }
  return { attempt, own: { ...own, deletedAt: now } }
}
