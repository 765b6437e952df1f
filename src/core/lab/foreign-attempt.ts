import type { Task } from '../../shared/domain/task'
import { NO_USAGE, type Round, type Trajectory } from '../../shared/domain/trajectory'
import { openEpisode, type Environment } from '../ground/environment'
import { sharedRun } from '../memory/items/features'
import type { MemoryEvent } from '../ground/ports'
import { hash32 } from '../ground/random'

/** An attempt of another agent, as it is handed over. */
export interface ForeignAttempt {
  readonly id: string
  /** The agent or framework. */
  readonly by: string
  readonly task: Task
  /** What it replied, round by round; `{observation}` stands for what it was last answered. */
  readonly replies: readonly string[]
}

const GIVEN = 'given-'

/** The id of an attempt that a memory begins with, by the stream that says so and its place in it. */
export const foreignAttemptId = (stream: string, place: number): string =>
  `${GIVEN}${hash32(stream).toString(16)}-${place}`

/** Whether an attempt is one that a memory began with, and no task of its life. */
export const isForeignAttempt = (attemptId: string): boolean => attemptId.startsWith(GIVEN)

/** Where it is taken in. */
interface TakenIn {
  readonly environment: Environment
  readonly memoryId: string
  /** ISO time. */
  readonly at: string
}

/** Plays what another agent replied in the task's own world. It counts as that agent's attempt, costs no tokens, and nothing was recalled for it. */
export async function playForeignAttempt(
  { id, by, task, replies }: ForeignAttempt,
  { environment, memoryId, at }: TakenIn,
): Promise<Trajectory> {
  const episode = await openEpisode(environment, task)
  try {
    const rounds: Round[] = []
    let finish: Trajectory['finish'] = 'round-limit'
    let reward: 0 | 1 = 0
    for (const [index, reply] of replies.entries()) {
      const completion = reply.replaceAll('{observation}', () => rounds.at(-1)?.observation ?? '')
      const outcome = await episode.step(completion)
      const { action, observation } = outcome
      rounds.push({ index, completion, action, observation, usage: NO_USAGE })
      if (!outcome.done) continue
      finish = outcome.finish
      reward = outcome.reward
      break
    }
    return {
      ...{ id, memoryId, runId: sharedRun(by), method: 'none', model: by, seed: 0 },
      task: {
        ...{ id: task.id, index: task.index, environment: task.environment, instruction: task.instruction },
        context: episode.context,
        ...(episode.world !== undefined && { world: episode.world }),
        skills: task.skills,
      },
      ...{ recalled: [], rounds, finish, reward, usage: NO_USAGE, startedAt: at, finishedAt: at },
    }
  } finally {
    episode.close()
  }
}

/** What was learned of another agent's attempts, under that agent's name where a kind of memory keeps one. */
export const underName =
  (by: string) =>
  (events: readonly MemoryEvent[]): MemoryEvent[] =>
    events.map((event) =>
      event.kind === 'experience-added'
        ? {
            ...event,
            experience: { ...event.experience, meta: { ...event.experience.meta, framework: by } },
          }
        : event,
    )
