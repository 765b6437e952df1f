import type { Shown } from '../../core/lab/why'
import { kindOf } from '../../core/memory'
import { cosine } from '../../core/retrieval/cosine'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { Why } from '../../shared/domain/why'
import type { Host } from '../host/host'
import { memorySourceOf, type Items } from '../items/memory-items'
import type { Memories } from '../memories/memories'

/** What is looked into for facts about an attempt. */
export interface FactNeeds extends Pick<Host, 'embedder'> {
  readonly memories: Memories
  readonly memory: Pick<Items, 'get'>
}

/** Attempts that are compared with, the newest of the memory. */
const MOST_COMPARED = 300
/** The share of the nearest one's likeness that a task has at least to be called similar. */
const LEAST_SHARE = 0.5
const MOST_SIMILAR = 5

/** What was recalled, as it reads today. */
export async function shownOf(
  { memoryId, recalled }: Trajectory,
  { memories, memory: items }: FactNeeds,
): Promise<Shown[]> {
  const memory = await memories.open(memoryId).catch(() => null)
  if (!memory) return []
  const source = memorySourceOf(memory)
  const views = await Promise.all(
    recalled.map(async ({ kind, id, title, reward }): Promise<Shown | null> => {
      const text = (await kindOf(kind)?.read(source, id))?.text
      if (text === undefined) return null
      const { recalls } = await items.get(memoryId, { kind, id })
      return { kind, id, title, reward, text, helped: recalls.helped, judged: recalls.judged }
    }),
  )
  return views.filter((item) => item !== null)
}

/** The most similar of the tasks that the memory had seen by then, and how they went. */
export async function similarTo(
  { id, memoryId, task, finishedAt }: Trajectory,
  { memories, embedder }: FactNeeds,
  signal: AbortSignal | undefined,
): Promise<Why['similar']> {
  const memory = await memories.open(memoryId).catch(() => null)
  if (!memory) return []
  const others: Trajectory[] = []
  for await (const other of memory.trajectories()) {
    const own = other.id === id || other.id.startsWith(`${id}-`)
    if (own || other.ungraded !== undefined || other.finishedAt > finishedAt) continue
    others.push(other)
    if (others.length > MOST_COMPARED) others.shift()
  }
  if (others.length === 0) return []
  const texts = [task.instruction, ...others.map((other) => other.task.instruction)]
  const [own, ...vectors] = await (await embedder()).embed(texts, { signal })
  const ranking = others
    .map((other, i) => {
      const vector = vectors[i]
      const score = own && vector ? (cosine(own, vector) ?? 0) : 0
      const { instruction } = other.task
      return { trajectoryId: other.id, instruction, solved: other.reward === 1, score }
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_SIMILAR)
  const least = (ranking[0]?.score ?? 0) * LEAST_SHARE
  return ranking.filter(({ score }) => score > 0 && score >= least)
}
