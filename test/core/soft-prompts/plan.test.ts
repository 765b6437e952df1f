import { describe, expect, it } from 'vitest'
import { judgeTrial } from '../../../src/core/soft-prompts/comparison'
import { isHeldOutTask, planDistillation, spreadOverSkills } from '../../../src/core/soft-prompts/plan'
import { LEAST_TRIED, trialWords, type ComparedTask } from '../../../src/shared/domain/soft-prompt'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { solvedAttempt } from '../../main/soft-prompts/fixtures'

const solved = (name: string, skills: string[] = []): Trajectory => {
  const attempt = solvedAttempt(name, `Task ${name}`, [`do ${name}`])
  return { ...attempt, task: { ...attempt.task, skills } }
}
const many = (count: number, skill = ''): Trajectory[] =>
  Array.from({ length: count }, (_, i) => solved(`${skill}${i}`, skill === '' ? [] : [skill]))
const lessonOf = (source: Trajectory, text: string, reward: 0 | 1): Trajectory['recalled'][number] => ({
  ...{ kind: 'lesson', id: `lesson-${text}`, trajectoryId: source.id, title: text, score: 1 },
  ...{ scoreKind: 'cosine', reward, tokens: 5 },
})
const choice = { teacher: 4, student: 2, most: 100, holdOut: 0, seed: 1 }

describe('planning a distillation', () => {
  it('shows the teacher the attempt among what is most like it, and the student others alone', () => {
    const attempts = [...many(8, 'count'), ...many(8, 'mark')]
    const planned = planDistillation([...attempts, { ...(attempts[0] as Trajectory), id: 'again' }], {
      ...choice,
      teacher: 8,
    })
    expect(planned.map(({ attempt }) => attempt.id)).toEqual(attempts.map(({ id }) => id))
    for (const { attempt, many: shown, views } of planned) {
      expect(views.length).toBeGreaterThan(1)
      expect(shown).toContain(attempt)
      expect(shown).toHaveLength(8)
      const few = new Set(views.flatMap((view) => view.few))
      for (const view of views) {
        expect(view.few).toHaveLength(2)
        expect(view.few).not.toContain(attempt)
        expect(shown).toEqual(expect.arrayContaining([...view.few]))
      }
      for (const other of shown)
        if (other !== attempt && !few.has(other)) expect(other.task.skills).toEqual(attempt.task.skills)
    }
  })

  it('spreads what is learned over the skills, where it used to be the newest alone', () => {
    const attempts = [...many(90, 'common'), ...many(10, 'rare')]
    const chosen = spreadOverSkills(attempts, 20)
    expect(chosen.filter(({ task }) => task.skills[0] === 'rare')).toHaveLength(10)
    expect(chosen).toHaveLength(20)
    expect(chosen[0]).toBe(attempts[0])
    expect(spreadOverSkills(attempts.slice(0, 5), 20)).toEqual(attempts.slice(0, 5))
  })

  it('shows a group of attempts the same, and none of them itself or a lesson written from it', () => {
    const attempts = many(20)
    const [first, second] = attempts as [Trajectory, Trajectory]
    const served = [
      {
        ...first,
        recalled: [lessonOf(second, 'From the second.', 0), lessonOf(first, 'From the first.', 1)],
      },
    ]
    const planned = planDistillation(attempts, { ...choice, served })
    const groups = new Map<string, Set<unknown>>()
    for (const { views } of planned)
      for (const { group, few, lessons } of views) {
        const seen = groups.get(group) ?? new Set()
        groups.set(group, seen.add(JSON.stringify([few.map(({ id }) => id), lessons])))
      }
    for (const seen of groups.values()) expect(seen.size).toBe(1)
    const lessons = planned[0]?.views.map((view) => view.lessons)
    for (const { errorLessons, successLessons } of lessons ?? []) {
      expect(successLessons).toEqual([])
      for (const { text } of errorLessons) expect(text).toBe('From the second.')
    }
    const later = planned.find(({ attempt, views }) => attempt !== first && attempt !== second && views[0])
    expect(later?.views.some(({ lessons: { successLessons } }) => successLessons.length === 1)).toBe(true)
  })

  it('holds the same tasks out however many there are later', () => {
    const few = planDistillation(many(20), { ...choice, holdOut: 0.3 })
    const more = planDistillation(many(60), { ...choice, holdOut: 0.3 })
    const held = (planned: typeof few) =>
      planned.filter(({ heldOut }) => heldOut).map(({ attempt }) => attempt.id)
    expect(held(few).length).toBeGreaterThan(0)
    expect(held(more).filter((id) => Number(id) < 20)).toEqual(held(few))
    for (const { attempt, heldOut } of more) expect(isHeldOutTask(attempt.task, 0.3, 1)).toBe(heldOut)
    const shown = more.flatMap(({ views }) => views.flatMap((view) => view.few.map(({ id }) => id)))
    expect(shown.some((id) => held(more).includes(id))).toBe(false)
    expect(held(planDistillation(many(3), { ...choice, holdOut: 0.5 }))).toEqual([])
  })
})

describe('a trial', () => {
  const tasks = (pairs: readonly (readonly [0 | 1, 0 | 1])[]): ComparedTask[] =>
    pairs.map(([without, served], index) => ({
      ...{ id: `${index}`, index, instruction: '' },
      without: { reward: without, promptTokens: 1 },
      with: { reward: served, promptTokens: 1 },
    }))
  const repeat = (count: number, pair: readonly [0 | 1, 0 | 1]) => Array.from({ length: count }, () => pair)

  it('is won only where the whole interval lies above 0', () => {
    expect(judgeTrial(tasks([...repeat(12, [0, 1]), ...repeat(8, [1, 1])]))).toMatchObject({
      gain: 0.6,
      served: true,
    })
    expect(
      judgeTrial(tasks([...repeat(3, [0, 1]), ...repeat(1, [1, 0]), ...repeat(16, [1, 1])])).served,
    ).toBe(false)
    expect(judgeTrial(tasks(repeat(20, [1, 1])))).toEqual({ gain: 0, ci95: null, served: false })
    expect(judgeTrial([])).toEqual({ gain: 0, ci95: null, served: false })
  })

  it('is won by no fewer than six tasks: two, and four of twenty, may be luck', () => {
    const wins = (count: number, rest: number) =>
      judgeTrial(tasks([...repeat(count, [0, 1]), ...repeat(rest, [1, 1])])).served
    expect(wins(2, 0)).toBe(false)
    expect(wins(4, 16)).toBe(false)
    expect(wins(5, 15)).toBe(false)
    expect(wins(LEAST_TRIED, 14)).toBe(true)
    const four = judgeTrial(tasks(repeat(4, [0, 1])))
    const words = trialWords({ due: 12, tasks: 4, without: 0, with: 4, ...four })
    expect(words).toContain('stays on the shelf')
    expect(words).toContain('at least 6')
  })
})
