import type { Lesson } from './lesson'
import { leavesQueue } from '../items/leaves-queue'
import type { LearnedItems, MemoryEvent } from '../../ground/ports'

/** EvoSC's two queues, Q_err and Q_succ (algorithm 1). */
export type QueueName = Lesson['queue']

/** The live lessons of one queue of one environment, oldest first. */
export async function readQueue(
  bank: LearnedItems,
  environment: string,
  queue: QueueName,
): Promise<Lesson[]> {
  return (await bank.items('lesson', { environment })).filter((lesson) => lesson.queue === queue)
}

/**
 * Pushes a lesson to the end of its queue (algorithm 1, step 4): the events that add it and drop the oldest ones, so that
 * at most `capacity` remain. Pinned ones stay.
 */
export function pushLesson(queue: readonly Lesson[], lesson: Lesson, capacity: number): MemoryEvent[] {
  const dropped = leavesQueue(queue, capacity)
  return [
    { kind: 'memory-added', memory: lesson },
    ...dropped.map(({ id }): MemoryEvent => ({ kind: 'memory-dropped', memoryId: id, at: lesson.createdAt })),
  ]
}
