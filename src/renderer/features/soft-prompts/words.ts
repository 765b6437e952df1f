import type {
  TrainInput,
  TrainingPlan,
  TrainingWork,
  ScheduleRule,
} from '../../../shared/domain/soft-prompt-training'
import type { ComparedTask } from '../../../shared/domain/soft-prompt'
import { formatBytes, formatDuration, plural } from '../../components/format'
import type { TrainingForm } from '../../stores/soft-prompts'

/** Sums over compared tasks. */
export function sumUp(tasks: readonly ComparedTask[]) {
  const of = (which: 'without' | 'with') => ({
    solved: tasks.reduce((sum, task) => sum + task[which].reward, 0),
    tokens: tasks.reduce((sum, task) => sum + task[which].promptTokens, 0),
  })
  return { without: of('without'), with: of('with') }
}

/** What a comparison says, in one sentence. */
export function compareWords(tasks: readonly ComparedTask[], total: number): string {
  if (tasks.length === 0) return `Playing ${plural(total, 'task')}, each without and with the soft prompt.`
  const { without, with: served } = sumUp(tasks)
  const of = tasks.length < total ? `${tasks.length} of ${total} tasks so far` : plural(total, 'task')
  const gained = served.solved - without.solved
  const verdict =
    gained > 0 ? `It solves ${gained} more` : gained < 0 ? `It solves ${-gained} fewer` : 'It solves as many'
  return `${of}: ${without.solved} solved without, ${served.solved} with. ${verdict}.`
}

/** What is going on now, and for how long still. */
export function phaseWords(work: TrainingWork): string {
  const { phase, done, total, etaMs, waitingFor } = work
  const restText = etaMs === null || etaMs === 0 ? '' : `, about ${formatDuration(etaMs)} left`
  switch (phase) {
    case 'waiting':
      return waitingFor === null
        ? 'Waiting for its turn'
        : `Waiting for its turn: ${waitingFor} has the model`
    case 'preparing':
      return 'Getting ready: reading the solved tasks and the model'
    case 'copying':
      return `Writing an untied copy of the model: ${formatBytes(done)} of ${formatBytes(total ?? 0)}`
    case 'teaching':
      return `1 of 2: the teacher acts, ${done} of ${plural(total ?? 0, 'attempt')}${restText}`
    case 'training':
      if (work.curve.length === 0) return '2 of 2: learning, looking at where it begins'
      if (done === total) return '2 of 2: learning, measuring what it has learned'
      return `2 of 2: learning, step ${done} of ${total ?? 0}${restText}`
    case 'comparing':
      return `Trying it on tasks it has not seen: ${done} of ${total ?? 0}${restText}`
    case 'done':
      return work.kind === 'training' ? 'Trained' : 'Tried'
    case 'failed':
      return 'It did not work'
    case 'cancelled':
      return 'Stopped'
  }
}

/** How much work a plan is, in one line. */
export function planWords({ attempts, settings, time, compared }: TrainingPlan): string {
  const heldCount = attempts.filter(({ heldOut }) => heldOut).length
  const ms = time.teacherMs + time.trainingMs
  return `${plural(attempts.length - heldCount, 'solved task')} to learn from, ${heldCount} held out, at most ${plural(settings.steps, 'step')}, about ${formatDuration(ms)}${compared > 0 ? `, then ${plural(compared, 'task')} to try it on` : ''}`
}

export function ruleWords(rule: ScheduleRule): string {
  switch (rule.kind) {
    case 'manual':
      return 'Only when you start it'
    case 'solved':
      return `After every ${plural(rule.tasks, 'newly solved task')}`
    case 'idle':
      return `When Loam had nothing to do for ${plural(rule.minutes, 'minute')}`
  }
}

/** The call a form stands for. */
export const inputOf = (form: TrainingForm, memory: string, stream: string, model: string): TrainInput => ({
  memory,
  stream,
  model,
  teacher: form.teacher,
  student: form.student,
  settings: { ...(form.length > 0 && { length: form.length }), steps: form.steps },
  backend: form.backend,
  untie: form.untie,
  compare: { stream, tasks: form.compare, from: form.compareFrom },
})
