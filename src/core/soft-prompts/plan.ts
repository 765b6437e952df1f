import type { Trajectory } from '../../shared/domain/trajectory'
import type { PromptParts, RecalledPart } from '../ground/method'
import { servedLessons } from '../memory/lessons/served'
import { createRng, hash32, type Rng } from '../ground/random'

/** What the student is shown with an attempt: what a prompt holds before the task. */
export interface StudentView {
  /** Attempts of one group are shown the same, so that it is computed once for all of them. */
  readonly group: string
  /** E_few of eq. 6, a part of E_many without the attempt itself; newest first. */
  readonly few: readonly Trajectory[]
  /** Lessons, as they were once served (eq. 7); none that was written from an attempt of the group. */
  readonly lessons: Pick<PromptParts, 'errorLessons' | 'successLessons'>
}

/** One attempt to learn from, with what the teacher and the student are shown of others. */
export interface DistilledAttempt {
  readonly attempt: Trajectory
  /** E_many of EvoSC's eq. 5: the attempt itself, E_few of all views, and what is most like the attempt of all that is learned. Newest first. */
  readonly many: readonly Trajectory[]
  readonly views: readonly StudentView[]
  /** Only looked at, never learned from. */
  readonly heldOut: boolean
  /** The failed attempt, where only a second try solved the task; `attempt` is then the second try. */
  readonly first?: Trajectory
}

/** A task that failed and was solved when it was tried again. */
export interface SecondTry {
  readonly failed: Trajectory
  readonly solved: Trajectory
}

/** How a distillation is laid out. */
export interface DistillationChoice {
  /** Successes shown to the teacher and to the student. */
  readonly teacher: number
  readonly student: number
  /** Most attempts learned from. */
  readonly most: number
  /** Share of the attempts that is held out. */
  readonly holdOut: number
  readonly seed: number
  /** Attempts whose recalled lessons the student is shown, as they were. Default: it is shown none. */
  readonly served?: readonly Trajectory[]
  /** Second tries at failed tasks that solved them, with the failed attempts. They are learned from like the others, and never shown. Default: none. */
  readonly retried?: readonly SecondTry[]
}

/** Surroundings in which each attempt is learned. */
const VIEWS = 2
/** Attempts that are shown the same. */
export const GROUP = 6

/** What makes two tasks the same. */
export const taskKey = ({
  instruction,
  context,
}: Pick<Trajectory['task'], 'instruction' | 'context'>): string => `${instruction}\n${context}`

/** Whether a soft prompt may be trained on an attempt: it cannot unlearn what rules told and nobody has confirmed. */
export const isProven = ({ probation }: Pick<Trajectory, 'probation'>): boolean => probation === undefined

/** Newest first. */
const byTime = (attempts: readonly Trajectory[]): Trajectory[] =>
  [...attempts].sort((a, b) => b.finishedAt.localeCompare(a.finishedAt))

/** The newest attempt at each task. */
function differentTasks(newestFirst: readonly Trajectory[]): Trajectory[] {
  const seenSet = new Set<string>()
  return newestFirst.filter(({ task }) => {
    const key = taskKey(task)
    return !seenSet.has(key) && seenSet.add(key)
  })
}

/**
 * At most `most` of the attempts, spread over their skills: skill by skill in turn, of each the newest that is left. Newest first, as given.
 */
export function spreadOverSkills(newestFirst: readonly Trajectory[], most: number): Trajectory[] {
  if (newestFirst.length <= most) return [...newestFirst]
  const bySkill = new Map<string, Trajectory[]>()
  for (const attempt of newestFirst)
    for (const skill of attempt.task.skills.length > 0 ? attempt.task.skills : ['']) {
      const of = bySkill.get(skill)
      if (of) of.push(attempt)
      else bySkill.set(skill, [attempt])
    }
  const choices = new Set<Trajectory>()
  const queues = [...bySkill.values()].sort((a, b) => a.length - b.length)
  while (choices.size < most)
    for (const queue of queues) {
      let next = queue.shift()
      while (next && choices.has(next)) next = queue.shift()
      if (next && choices.size < most) choices.add(next)
    }
  return newestFirst.filter((attempt) => choices.has(attempt))
}

/**
 * Whether a task is held out: drawn by the seed from the task alone, so that one that was held out once is never learned from later.
 */
export const isHeldOutTask = (task: Trajectory['task'], share: number, seed: number): boolean =>
  hash32(`hold-out/${seed}/${taskKey(task)}`) / 2 ** 32 < share

/** The lessons an attempt was served, less those that were written from one of `group`. */
function lessonsOf(served: Trajectory | undefined, group: ReadonlySet<string>): StudentView['lessons'] {
  const parts = (served ? servedLessons(served) : []).flatMap(({ tokens: _, ...item }): RecalledPart[] =>
    group.has(item.trajectoryId ?? '') ? [] : [{ text: item.title, item }],
  )
  return {
    errorLessons: parts.filter(({ item }) => item.reward === 0),
    successLessons: parts.filter(({ item }) => item.reward === 1),
  }
}

/** How much two attempts have in common: their shared skills, the rarer ones for more. */
export function likeness(attempts: readonly Trajectory[]): (a: Trajectory, b: Trajectory) => number {
  const counts = new Map<string, number>()
  for (const { task } of attempts)
    for (const skill of new Set(task.skills)) counts.set(skill, (counts.get(skill) ?? 0) + 1)
  const weight = (skill: string) => Math.log((1 + attempts.length) / (counts.get(skill) ?? 1))
  return (a, b) =>
    a.task.skills.reduce((sum, skill) => sum + (b.task.skills.includes(skill) ? weight(skill) : 0), 0)
}

/** Attempts in groups of about `GROUP`, each of which leaves enough others to be shown. */
function groupsOf(
  attempts: readonly Trajectory[],
  others: number,
  student: number,
  random: Rng,
): Trajectory[][] {
  const size = Math.max(1, Math.min(GROUP, others - student))
  const draws = random.sample(attempts, attempts.length)
  return Array.from({ length: Math.ceil(draws.length / size) }, (_, i) =>
    draws.slice(i * size, (i + 1) * size),
  )
}

/**
 * Which attempts are learned from, and from what. Takes at most `most` of the given successes (newest first), each task once, spread over
 * their skills. The teacher sees each attempt itself and what is most like it, `teacher` in all: it then acts on what the attempt found out,
 * instead of finding it out again, and that knowledge is what the student has to get from P_theta. The student sees `student` of the others, and
 * the lessons that an attempt of `served` saw; both change from view to view, so that P_theta leans on none of it.
 */
export function planDistillation(
  newestFirst: readonly Trajectory[],
  { teacher, student, most, holdOut, seed, served = [], retried = [] }: DistillationChoice,
): DistilledAttempt[] {
  const again = new Map(retried.map(({ failed, solved }) => [solved, failed]))
  const choices = spreadOverSkills(
    differentTasks(retried.length === 0 ? newestFirst : byTime([...newestFirst, ...again.keys()])),
    most,
  )
  const holdings = new Set(choices.filter(({ task }) => isHeldOutTask(task, holdOut, seed)))
  // With fewer than four nothing can be spared; from then on one is.
  if (choices.length < 4 || holdOut === 0) holdings.clear()
  else if (holdings.size === 0) holdings.add(choices.at(-1) as Trajectory)
  const learnedLessons = choices.filter((attempt) => !holdings.has(attempt))
  const shownTo = learnedLessons.filter((attempt) => !again.has(attempt))
  const withLessons = served.filter((attempt) => servedLessons(attempt).length > 0)
  const views = new Map<Trajectory, StudentView[]>(choices.map((attempt) => [attempt, []]))
  const like = likeness(learnedLessons)
  const varied = student > 0 || withLessons.length > 0
  for (let view = 0; view < (varied ? VIEWS : 1); view++) {
    const random = createRng(`views/${seed}/${view}`)
    const groups = [
      ...groupsOf(learnedLessons, shownTo.length, student, random),
      ...(view === 0 ? groupsOf([...holdings], shownTo.length + GROUP, student, random) : []),
    ]
    for (const [number, group] of groups.entries()) {
      const ids = new Set(group.map(({ id }) => id))
      const few = new Set(
        random.sample(
          shownTo.filter(({ id }) => !ids.has(id)),
          student,
        ),
      )
      const lessons = lessonsOf(withLessons.length > 0 ? random.pick(withLessons) : undefined, ids)
      const shownView = {
        group: `${view}/${number}`,
        few: shownTo.filter((other) => few.has(other)),
        lessons,
      }
      for (const attempt of group) views.get(attempt)?.push(shownView)
    }
  }
  return choices.map((attempt) => {
    const own = views.get(attempt) ?? []
    const many = new Set([attempt, ...own.flatMap(({ few }) => few)])
    const nearest = shownTo
      .filter((other) => !many.has(other))
      .map((other, at) => ({ other, score: like(attempt, other), at }))
      .sort((a, b) => b.score - a.score || a.at - b.at)
    for (const { other } of nearest.slice(0, Math.max(0, teacher - many.size))) many.add(other)
    const first = again.get(attempt)
    return {
      attempt,
      many: choices.filter((one) => many.has(one)),
      views: own,
      heldOut: holdings.has(attempt),
      ...(first && { first }),
    }
  })
}
