import { describe, expect, it } from 'vitest'
import { planDistillation } from '../../../src/core/soft-prompts/plan'
import { asSolved, failedTasks, secondTry } from '../../../src/core/soft-prompts/retry'
import type { Task } from '../../../src/shared/domain/task'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { solvedAttempt } from '../../main/soft-prompts/fixtures'

const attempt = (name: string, reward: 0 | 1, at: number, skills: string[] = []): Trajectory => {
  const made = solvedAttempt(`${name}-${at}`, `Task ${name}`, [`do ${name}`])
  return {
    ...made,
    reward,
    finishedAt: `2025-01-01T00:00:${String(at).padStart(2, '0')}Z`,
    task: { ...made.task, id: name, skills },
  }
}
const taskOf = ({ task }: Trajectory): Task => ({ ...task, payload: {} }) as unknown as Task

describe('failed tasks', () => {
  it('are those that were never solved, the newest attempt at each, tried last first', () => {
    const attempts = [
      attempt('a', 0, 1),
      attempt('b', 0, 2),
      attempt('c', 1, 3),
      attempt('c', 0, 4),
      attempt('b', 1, 5),
      attempt('d', 0, 6),
      attempt('a', 0, 7),
    ]
    const tasks = attempts.map(taskOf)
    const found = failedTasks(attempts, tasks, attempts[0]?.task.environment ?? '', 9)
    expect(found.map(({ failed }) => failed.id)).toEqual(['a-7', 'd-6'])
    expect(failedTasks(attempts, tasks, 'elsewhere', 9)).toEqual([])
    expect(
      failedTasks(attempts, tasks.slice(5, 6), attempts[0]?.task.environment ?? '', 9).map(
        ({ failed }) => failed.id,
      ),
    ).toEqual(['d-6'])
  })

  it('leave out what no environment judged and attempts that never acted', () => {
    const unjudged = { ...attempt('a', 0, 1), ungraded: 'nobody knows' }
    const idle = { ...attempt('b', 0, 2), rounds: [] }
    const attempts = [unjudged, idle]
    expect(failedTasks(attempts, attempts.map(taskOf), unjudged.task.environment, 9)).toEqual([])
  })
})

describe('a second try', () => {
  it('is shown the failed attempt last and the most similar successes', async () => {
    const failed = attempt('x', 0, 9, ['loans', 'status'])
    const far = Array.from({ length: 5 }, (_, i) => attempt(`far${i}`, 1, i, ['other']))
    const near = attempt('near', 1, 8, ['loans', 'status'])
    const method = secondTry(failed, [near, ...far])
    const { retrieved } = await method.recall({ task: taskOf(failed), context: '' } as never, {} as never)
    expect(retrieved).toHaveLength(5)
    expect(retrieved.at(-1)?.text).toContain('Failed: Task x')
    expect(retrieved.at(-2)?.text).toContain('Solved: Task near')
  })

  it('is learned from under the name of the failed attempt, and never shown to teacher or student', () => {
    const solved = Array.from({ length: 6 }, (_, i) => attempt(`s${i}`, 1, i))
    const failed = attempt('x', 0, 7)
    const again = asSolved(failed, attempt('y', 1, 8))
    const retried = [{ failed, solved: again }]
    const choice = { teacher: 5, student: 3, most: 10, holdOut: 0, seed: 1 }
    const planned = planDistillation([...solved].reverse(), { ...choice, retried })
    expect(planned).toHaveLength(7)
    const own = planned.filter(({ first }) => first === failed)
    expect(own.map(({ attempt: { id, rounds } }) => [id, rounds[0]?.completion])).toEqual([['x-7', 'do y']])
    for (const { attempt: of, many, views } of planned) {
      expect(many.filter((one) => one === again && one !== of)).toEqual([])
      expect(views.flatMap(({ few }) => few).includes(again)).toBe(false)
    }
  })
})
