import { readQueue, type QueueName } from '../../memory/lessons/queues'
import { bestLast } from '../../retrieval/best-last'
import { rankByCosine } from '../../retrieval/rank'
import { distilMoment } from './distil'
import { errorTemplate, extractErrorLesson, extractSuccessLesson, successTemplate } from './extract'
import {
  NOTHING_LEARNED,
  type Method,
  type MethodContext,
  type RecalledPart,
  type RecallInput,
} from '../../ground/method'
import { replayed } from '../../recall/replayed'
import { readSettings } from '../../ground/settings'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

/** The lessons of a queue that suit the task best (section 4.3), the best one last. */
async function recallLessons(
  queue: QueueName,
  { task, signal }: RecallInput,
  { bank, embedder, settings }: MethodContext,
): Promise<RecalledPart[]> {
  const lessons = await readQueue(bank, task.environment, queue)
  const ranked = await rankByCosine(embedder, task.instruction, lessons, ({ text }) => text, signal)
  return bestLast('lesson', ranked, readSettings(SETTINGS, settings).shown, ({ text, queue }) => ({
    text,
    title: text,
    reward: queue === 'success' ? 1 : 0,
  }))
}

/**
 * EvoSC (sections 4.1 and 4.3, algorithm 1). The prompt is P_theta + P_sys + Exp_c + Exp_s + C_s + task (eq. 7), C_s being
 * the K most recent successes. P_theta, the soft prompt (section 4.2), is trained and served outside of core
 * (src/main/soft-prompts): with the setting `ptc` between two tasks of the run, "at periodic intervals"; with `softPrompt` a
 * run begins with the one that its memory already uses.
 *
 * Algorithm 1 distils the experience at the start of task k+1 from what is known by then; here it is done at the end of
 * task k, from the same dialogs and pushed by the same rule, so that every dialog is distilled once: a success pushes Exp_s
 * (eq. 4: itself and the newest success at a different task) to Q_succ, a failure pushes Exp_c (eq. 3: itself against recent
 * successes) to Q_err. Both queues are FIFO, one pair per environment. Beyond the paper: a lesson that its queue already
 * holds word for word is not pushed again, and a lesson that comes out malformed or empty twice is only recorded.
 * At K = 0 lessons are still written and recalled, as in the "Exp=0" column of the paper's tables.
 */
export const evosc: Method = {
  info: {
    id: 'evosc',
    title: 'EvoSC lessons',
    description:
      'Writes short lessons from mistakes and from what worked, and shows them with recent successes.',
    source: 'EvoSC, contrastive extraction (eq. 3, 4 and 7, algorithm 1)',
    usesK: true,
    defaultK: 4,
    colour: 5,
    keeps: ['lesson', 'soft-prompt'],
    recalls: [
      { kind: 'soft-prompt', what: 'the one in use in the memory or trained by the run', place: 'first' },
      { kind: 'lesson', what: 'lessons from mistakes, the most relevant ones', place: 'task' },
      { kind: 'lesson', what: 'lessons from successes, the most relevant ones', place: 'task' },
      { kind: 'trajectory', what: 'the K most recent successes', place: 'task' },
    ],
  },
  settings: SETTINGS,
  paper: PAPER,
  softPrompt: {
    serves: (settings) => readSettings(SETTINGS, settings).softPrompt,
    trains: (settings) => readSettings(SETTINGS, settings).ptc,
  },
  prompts: (environment) => [errorTemplate(environment), successTemplate(environment)],
  async recall(input, context) {
    const { errorLessons, successLessons, attempts } = readSettings(SETTINGS, context.settings)
    const { environment } = input.task
    return {
      errorLessons: errorLessons ? await recallLessons('error', input, context) : [],
      successLessons: successLessons ? await recallLessons('success', input, context) : [],
      retrieved: attempts
        ? replayed(await context.bank.recentSuccesses(context.k, { environment }), input)
        : [],
    }
  },
  async learn(trajectory, context, signal) {
    const { errorLessons, successLessons } = readSettings(SETTINGS, context.settings)
    if (trajectory.reward === 1)
      return successLessons ? extractSuccessLesson(trajectory, context, signal) : NOTHING_LEARNED
    return errorLessons ? extractErrorLesson(trajectory, context, signal) : NOTHING_LEARNED
  },
  distil(progress, settings) {
    const { ptc, ...how } = readSettings(SETTINGS, settings)
    const at = ptc ? distilMoment(progress, how) : null
    if (at === null) return null
    const {
      ptcTeacher: teacher,
      ptcStudent: student,
      ptcLength: length,
      ptcSteps: steps,
      ptcHoldOut: holdOut,
      ptcRetry: retry,
      ptcCaution: caution,
      ptcServe: serve,
      ptcBackend: backend,
      ptcOtherwise: otherwise,
      attempts,
    } = how
    const view = { teacher, student: attempts ? student : 0 }
    return {
      at,
      ...view,
      length: length === 0 ? null : length,
      steps,
      holdOut,
      retry,
      caution,
      serve,
      backend,
      otherwise,
    }
  },
}
