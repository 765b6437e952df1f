import { topicsOf } from '../../core/lab/topics'
import { MEMORY_KINDS } from '../../core/memory'
import type { MemorySource } from '../../core/memory/items/kind'
import type { Embedder } from '../../core/ground/ports'
import { keptAttempts, specOf, type AskAttempt, type AskDetail } from '../../shared/domain/ask'
import { isImported } from '../../shared/domain/ask-origin'
import type { AskCurve, AskPoint, LifetimeMoment } from '../../shared/domain/ask-curve'

const WORTH = { right: 1, partly: 0.5, wrong: 0 } as const

const isWritten = ({ from }: AskAttempt): boolean => from !== null && from.edit !== null

/** The try that counts for each message: the first that was judged, since those after it have been told; else the first. What another program answered counts nowhere. */
export function countedTries(detail: Pick<AskDetail, 'ask' | 'turns' | 'attempts'>): AskAttempt[] {
  const attempts = keptAttempts(detail).filter((attempt) => !isImported(detail.ask, attempt))
  const turns = [...new Set(attempts.map(({ turn }) => turn))]
  return turns.flatMap((turn) => {
    // A step that a person wrote is no work of the agent.
    const own = attempts.filter((one) => one.turn === turn && !isWritten(one))
    return own.find(({ judgement }) => judgement !== null) ?? own[0] ?? []
  })
}

/** Everyday work with one memory: every message asked of it, by time and by topic, with what changed in the memory in between. */
export async function askCurve(
  details: readonly AskDetail[],
  memoryId: string,
  source: MemorySource,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<AskCurve> {
  const tries = details
    .flatMap((detail) =>
      countedTries(detail)
        .filter(({ trajectory }) => trajectory.memoryId === memoryId)
        .map((attempt) => ({ ask: detail.ask, attempt })),
    )
    .sort((a, b) => (a.attempt.trajectory.finishedAt < b.attempt.trajectory.finishedAt ? -1 : 1))
  const texts = tries.map(({ ask, attempt }) => specOf(ask, attempt).text)
  const topics = await topicsOf(texts, embedder, signal)
  const points = tries.map(({ ask, attempt }, i): AskPoint => {
    const { trajectory, judgement } = attempt
    const { usage, startedAt, finishedAt } = trajectory
    return {
      askId: ask.id,
      attempt: attempt.index,
      title: attempt.turn === 0 ? ask.title : specOf(ask, attempt).text.slice(0, 120),
      model: trajectory.model,
      method: trajectory.method,
      at: finishedAt,
      // Rules settle failures alone: counted, they would lower every rate.
      right: judgement === null || judgement.by === 'rule' ? null : WORTH[judgement.verdict],
      tokens: usage.promptTokens + usage.completionTokens,
      ms: Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)),
      recalled: trajectory.recalled.length,
      topic: topics.findIndex(({ members }) => members.includes(i)),
    }
  })
  return {
    points,
    topics: topics.map(({ title, members }) => {
      const own = members.map((i) => points[i]?.right ?? null)
      return {
        title,
        asks: members.length,
        judged: own.filter((right) => right !== null).length,
        right: own.filter((right) => right === 1).length,
      }
    }),
    moments: await momentsOf(points, source),
  }
}

const SAMPLE = 3

/** What happened to the memory between one point and the next. */
async function momentsOf(points: readonly AskPoint[], source: MemorySource): Promise<LifetimeMoment[]> {
  const moments = new Map<number, LifetimeMoment>()
  const note = (at: string, change: (before: LifetimeMoment) => LifetimeMoment): void => {
    const after = points.filter((point) => point.at <= at).length
    const before = moments.get(after) ?? { after, at, added: 0, edited: 0, gone: 0, sample: [] }
    moments.set(after, change({ ...before, at: before.at > at ? before.at : at }))
  }
  for (const kind of MEMORY_KINDS)
    for (const { id, createdAt, editedAt, gone } of await kind.heads(source)) {
      const ref = { kind: kind.info.id, id, title: '' }
      note(createdAt, (one) => ({
        ...one,
        added: one.added + 1,
        sample: one.sample.length < SAMPLE ? [...one.sample, ref] : one.sample,
      }))
      if (editedAt !== null) note(editedAt, (one) => ({ ...one, edited: one.edited + 1 }))
      if (gone !== null) note(gone.at, (one) => ({ ...one, gone: one.gone + 1 }))
    }
  const ordered = [...moments.values()].sort((a, b) => a.after - b.after)
  return Promise.all(
    ordered.map(async (moment) => ({
      ...moment,
      sample: await Promise.all(
        moment.sample.map(async (ref) => {
          const kind = MEMORY_KINDS.find(({ info }) => info.id === ref.kind)
          return { ...ref, title: (await kind?.read(source, ref.id))?.title ?? '' }
        }),
      ),
    })),
  )
}
