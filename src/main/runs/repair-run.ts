import { attemptId } from '../../core/ground/identity'
import type { MemoryStore } from '../../core/ground/ports'
import { isSolvedBefore, learnedCount, ONCE, streamCount } from '../../core/lab/protocol'
import { carriedStep, stepOf, type RunEvent, type RunRecord, type StepEvent } from '../../core/lab/run-record'
import type { RunDamage } from './read-run'

/**
 * The events of a damaged run, whole again: its steps from the lines that can be read and, where those are missing, from the attempts
 * in its memory's journal; a step that an earlier pass had made needless is worked out. What else the readable lines say follows.
 */
export async function repairedEvents(
  record: RunRecord,
  damage: RunDamage,
  bank: Pick<MemoryStore, 'trajectory'>,
): Promise<RunEvent[]> {
  const knownMap = new Map<number, StepEvent>()
  for (const event of damage.events) if (event.kind === 'step') knownMap.set(event.index, event)
  const steps: StepEvent[] = []
  while (steps.length < record.total) {
    const index = steps.length
    const step = knownMap.get(index) ?? (await madeAgain(record, index, bank)) ?? carried(record, steps)
    if (!step) break
    steps.push(step)
  }
  const others = damage.events.filter((event) => event.kind !== 'step')
  const last = steps.at(-1)
  const isDone = last !== undefined && steps.length === record.total
  const isEnded = others.some(
    (event) => event.kind === 'status' && (event.status === 'done' || event.status === 'cancelled'),
  )
  return [
    ...steps,
    ...others,
    ...(isDone && !isEnded ? [{ kind: 'status', status: 'done', problem: null, at: last.at } as const] : []),
  ]
}

async function madeAgain(
  { id }: RunRecord,
  index: number,
  bank: Pick<MemoryStore, 'trajectory'>,
): Promise<StepEvent | null> {
  const attempt = await bank.trajectory(attemptId(id, index))
  return attempt && stepOf(attempt)
}

/** The step of a task that an earlier pass had solved; it has no attempt. */
function carried({ id, config, total }: RunRecord, before: readonly StepEvent[]): StepEvent | null {
  const protocol = config.protocol ?? ONCE
  const count = streamCount(total, protocol)
  const index = before.length
  const earlier = before[index - learnedCount(count, protocol)]
  if (
    !earlier ||
    !isSolvedBefore(
      index,
      count,
      protocol,
      before.map(({ reward }) => reward),
    )
  )
    return null
  return carriedStep(id, { index, id: earlier.taskId }, earlier.at)
}

/** What was wrong with a run's folder, in words. */
export function damageWords({ missing, record, lines }: RunDamage): string {
  const first = lines.slice(0, 5).join(', ')
  const parts = [
    ...(missing ? ['events.jsonl was missing'] : []),
    ...(record ? ['run.json could not be read'] : []),
    ...(lines.length === 0
      ? []
      : [
          `${lines.length === 1 ? 'line' : 'lines'} ${first}${lines.length > 5 ? ', ...' : ''} of events.jsonl could not be read`,
        ]),
  ]
  return parts.join('; ')
}
