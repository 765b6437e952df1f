import type { MemoryStore, MemoryEvent } from '../../ground/ports'
import type { Trajectory } from '../../../shared/domain/trajectory'
import type { Lesson } from '../../memory/lessons/lesson'
import type { Beliefs } from '../../recall/beliefs'
import { statementsOf, type Statement } from '../../recall/statements'
import { statementsFrom } from '../../recall/attempt-statements'

const FINDING = 'finding-'

/** Whether a lesson was taken from an attempt by rule. */
export const isFinding = ({ id }: Pick<Lesson, 'id'>): boolean => id.startsWith(FINDING)

/** `Harbor rules: price cents`. */
const findingText = ({ lead, subject, value }: Statement): string =>
  `${lead}${lead === '' ? '' : ' '}${subject} ${value}`

/**
 * What an attempt found out, as lessons of one statement each: what it came to say while it acted, and what it took for granted where it
 * was solved and nothing was known. What is known already is not written again (that it was seen again counts as evidence); a finding
 * that says otherwise goes into quarantine.
 */
export async function findingEvents(
  trajectory: Trajectory,
  beliefs: Beliefs,
  bank: Pick<MemoryStore, 'items'>,
): Promise<MemoryEvent[]> {
  const { place, relied, seen } = statementsFrom(trajectory)
  const { environment } = trajectory.task
  const lessons = await bank.items('lesson', { environment })
  const fresh = new Set(seen.map(({ subject }) => subject))
  const guessed = relied.filter(
    (each) =>
      !fresh.has(each.subject) && trajectory.reward === 1 && beliefs.best(place, each.subject) === null,
  )
  const statements = [...seen, ...guessed].filter(({ lead }) => lead !== '')
  const holdings = lessons.filter(isFinding).flatMap((lesson) => {
    const [statement] = statementsOf(lesson.text)
    return statement ? [{ lesson, statement }] : []
  })
  return statements.flatMap((statement, n): MemoryEvent[] => {
    const about = holdings.filter(
      (each) => each.statement.subject === statement.subject && each.statement.lead === statement.lead,
    )
    if (about.some((each) => each.statement.value === statement.value)) return []
    const memory: Lesson = {
      kind: 'lesson',
      id: `${FINDING}${trajectory.id}-${n}`,
      runId: trajectory.runId,
      environment,
      trajectoryIds: [trajectory.id],
      createdAt: trajectory.finishedAt,
      queue: 'success',
      text: findingText(statement),
    }
    return [
      { kind: 'memory-added', memory },
      ...(fresh.has(statement.subject) ? about : []).map(({ lesson: { id } }): MemoryEvent => ({
        kind: 'item-quarantined',
        ...{ of: memory.kind, itemId: id, at: memory.createdAt },
        why: 'contradicted',
      })),
    ]
  })
}
