import type { Trajectory } from '../../shared/domain/trajectory'
import type { PromptParts, RecalledPart } from '../ground/method'
import { servedLessons } from '../memory/lessons/served'
import { createRng, hash32, type Rng } from '../ground/random'

/** What the student is shown in the place of its own past: what a prompt holds before the task. */
export interface StudentView {
  /** Attempts of one group are shown the same, so that it is computed once for all of them. */
  readonly group: string
  /** E_few of eq. 6, newest first; never the attempt itself. */
  readonly few: readonly Trajectory[]
  /** The lessons, as they were once served (eq. 7); none that was written from an attempt of the group. */
  readonly lessons: Pick<PromptParts, 'errorLessons' | 'successLessons'>
}

/** One attempt to learn from, with what the teacher and the student are shown of others. */
export interface DistilledAttempt {
  readonly attempt: Trajectory
  /** E_many of EvoSC's eq. 5: the attempt itself among the newest others. Newest first. */
  readonly many: readonly Trajectory[]
  readonly views: readonly StudentView[]
  /** Only looked at, never learned from. */
  readonly heldOut: boolean
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
}

/** Surroundings in which each attempt is learned. */
const VIEWS = 3
/** Attempts that are shown the same. */
const GROUP = 6

/** What makes two tasks the same. */
export const taskKey = ({
  instruction,
  context,
}: Pick<Trajectory['task'], 'instruction' | 'context'>): string => `${instruction}\n${context}`

/** The newest attempt at each task. */
function differentTasks(newestFirst: readonly Trajectory[]): Trajectory[] {
  const seen = new Set<string>()
  return newestFirst.filter(({ task }) => {
    const key = taskKey(task)
    return !seen.has(key) && seen.add(key)
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
  const chosen = new Set<Trajectory>()
  const queues = [...bySkill.values()].sort((a, b) => a.length - b.length)
  while (chosen.size < most)
    for (const queue of queues) {
      let next = queue.shift()
      while (next && chosen.has(next)) next = queue.shift()
      if (next && chosen.size < most) chosen.add(next)
    }
  return newestFirst.filter((attempt) => chosen.has(attempt))
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

/** Attempts in groups of about `GROUP`, each of which leaves enough others to be shown. */
function groupsOf(
  attempts: readonly Trajectory[],
  others: number,
  student: number,
  random: Rng,
): Trajectory[][] {
  const size = Math.max(1, Math.min(GROUP, others - student))
  const drawn = random.sample(attempts, attempts.length)
  return Array.from({ length: Math.ceil(drawn.length / size) }, (_, i) =>
    drawn.slice(i * size, (i + 1) * size),
  )
}

/**
 * Which attempts are learned from, and from what. Takes at most `most` of the given successes (newest first), each task once, spread over
 * their skills. The teacher sees each attempt itself and the newest others, `teacher` in all: it then acts on what the attempt found out,
 * instead of finding it out again, and that knowledge is what the student has to get from P_theta. The student sees others alone, `student`
 * of them, and lessons as an attempt of `served` saw them; what it sees changes from view to view, so that P_theta leans on none of it.
 */
export function planDistillation(
  newestFirst: readonly Trajectory[],
  { teacher, student, most, holdOut, seed, served = [] }: DistillationChoice,
): DistilledAttempt[] {
  const different = differentTasks(newestFirst)
  const chosen = spreadOverSkills(different, most)
  const held = new Set(chosen.filter(({ task }) => isHeldOutTask(task, holdOut, seed)))
  // With fewer than four nothing can be spared; from then on one is.
  if (chosen.length < 4 || holdOut === 0) held.clear()
  else if (held.size === 0) held.add(chosen.at(-1) as Trajectory)
  const learned = chosen.filter((attempt) => !held.has(attempt))
  const withLessons = served.filter((attempt) => servedLessons(attempt).length > 0)
  const views = new Map<Trajectory, StudentView[]>(chosen.map((attempt) => [attempt, []]))
  const varied = student > 0 || withLessons.length > 0
  for (let view = 0; view < (varied ? VIEWS : 1); view++) {
    const random = createRng(`views/${seed}/${view}`)
    const groups = [
      ...groupsOf(learned, learned.length, student, random),
      ...(view === 0 ? groupsOf([...held], learned.length + GROUP, student, random) : []),
    ]
    for (const [number, group] of groups.entries()) {
      const ids = new Set(group.map(({ id }) => id))
      const drawn = new Set(
        random.sample(
          learned.filter(({ id }) => !ids.has(id)),
          student,
        ),
      )
      const few = different.filter((other) => drawn.has(other))
      const donor = withLessons.length > 0 ? random.pick(withLessons) : undefined
      const one = { group: `${view}/${number}`, few, lessons: lessonsOf(donor, ids) }
      for (const attempt of group) views.get(attempt)?.push(one)
    }
  }
  return chosen.map((attempt) => {
    const others = different.filter((other) => other !== attempt).slice(0, teacher - 1)
    const many = different.filter((one) => one === attempt || others.includes(one))
    return { attempt, many, views: views.get(attempt) ?? [], heldOut: held.has(attempt) }
  })
}
