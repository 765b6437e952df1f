import { learningOf, learnFromAttempt, type Learn } from '../../core/ground/learn-from-attempt'
import { AGENT } from '../../core/agent/settings'
import { runQuestion } from '../../core/agent/question-attempt'
import { abortable } from '../../core/ground/abort'
import { attemptId } from '../../core/ground/identity'
import { drawingAt, isHeldOut, isSolvedBefore, isTest, ONCE, streamCount } from '../../core/lab/protocol'
import { carriedStep, stepOf, type StepEvent } from '../../core/lab/run-record'
import { learningAnswers } from '../../core/lab/told-answers'
import { runTasks } from '../../core/lab/runner'
import { followsOthers, goesUnaided, isUnproven, withoutMemory } from '../../core/lab/unaided'
import { readSettings } from '../../core/ground/settings'
import { ownAttempts, readPresentation } from '../../core/ground/presentation'
import { asTold } from '../../core/lab/feedback'
import type { PlayAttempt } from '../../core/ground/method'
import type { LanguageModel } from '../../core/ground/ports'
import { isQuestions } from '../../core/ground/question-environment'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { listen, type RunEntry } from './run-entry'
import { memoryBuilder } from './build-memory'
import type { PlayPorts, RunResources } from './run-resources'
import { serveRun, type RunServing } from './run-serving'
import { foreignAttemptId, playForeignAttempt, underName } from '../../core/lab/foreign-attempt'

/**
 * Plays a run from its next task on, building memory and training soft prompts where its method asks for it.
 *
 * @returns `paused` when the run is to rest before its end.
 * @throws AbortError when `signal` fires; whatever preparing, an attempt, learning or storing failed with.
 */
export async function playRun(
  entry: RunEntry,
  signal: AbortSignal,
  ports: PlayPorts,
): Promise<'done' | 'paused'> {
  const { prepare, clock, attempt, tell, record } = ports
  const { record: run, steps } = entry.state
  const resources = await abortable(prepare(run, signal, entry.insist, entry.lane), signal)
  const { tasks, method, environment, bank, notes = [] } = resources
  for (const text of notes)
    if (!entry.state.notes.includes(text))
      await record(entry, { kind: 'noted', text, at: clock.now().toISOString() })
  const { protocol } = run.config
  const serving = serveRun(entry, resources, ports)

  const play = (
    one: Parameters<PlayAttempt>[0],
    own: AbortSignal,
    events: Parameters<typeof attempt>[1],
    settingsFor = (changes: SettingChanges): SettingChanges => changes,
  ): Promise<Trajectory> => {
    const { context: usual, user, judge, served } = serving.now()
    const context = { ...usual, settings: settingsFor(usual.settings) }
    const { seed, ...attempted } = one
    const input = {
      ...attempted,
      runId: run.id,
      memoryId: run.config.memoryId,
      context: seed === undefined ? context : { ...context, seed },
      clock,
      maxTokens: run.config.maxTokens,
      signal: own,
    }
    if (isQuestions(environment)) return runQuestion({ ...input, environment }, events)
    return attempt({ ...input, environment, user, judge, ...(served && { softPrompt: served }) }, events)
  }

  if (steps.length === 0) {
    await abortable(importAttempts(entry, resources, serving.now, signal, ports), signal)
    if (entry.pauseRequested) return 'paused'
  }

  const isOnlyTest = ({ index, skills }: Task): boolean =>
    isHeldOut(skills, protocol ?? ONCE) ||
    isTest(index, streamCount(run.total, protocol ?? ONCE), protocol ?? ONCE)

  const build = memoryBuilder(
    entry,
    resources,
    serving.now,
    async (one, own) => asTold(await play(one, own, {}), one.task),
    ports,
  )
  return runTasks(
    run.id,
    tasks,
    steps.length,
    {
      bank,
      async attempt(task, taskSignal) {
        const events = listen(entry, task, taskSignal, tell)
        const rules = protocol ?? ONCE
        const drawing = drawingAt(task.index, streamCount(run.total, rules), rules, run.config.temperature)
        const { temperature } = drawing
        const id = attemptId(run.id, task.index)
        // A test measures memory; and where rewards are withheld or turned round, they would tell nothing of it.
        const isGuarded = task.feedback === undefined && !isOnlyTest(task)
        const share = isGuarded ? readPresentation(run.config.settings).unaided : 0
        const place = { seed: run.config.seed, index: task.index }
        const settingsFor = followsOthers(share, steps, place) ? undefined : ownAttempts
        const playAsTold: PlayAttempt = async (one, own) =>
          asTold(await play({ ...drawing, ...one }, own, one.id === id ? events : {}, settingsFor), task)
        const unproven = isUnproven(method.info, run.config.settings)
        if (goesUnaided(share, steps, place, unproven)) {
          const alone = { id, task, method: withoutMemory(method), temperature }
          return { ...(await playAsTold(alone, taskSignal)), unaided: true as const }
        }
        const several = method.attempts?.(
          { id, task, temperature, play: playAsTold, signal: taskSignal },
          serving.now().context,
        )
        const played = await (several ?? playAsTold({ id, task, method, temperature }, taskSignal))
        return isOnlyTest(task) ? { ...played, heldOut: true } : played
      },
      prepare: async (task, own) => {
        try {
          await build(task, own)
        } finally {
          const writings = serving.written.take()
          if (writings.length > 0)
            await record(entry, { kind: 'wrote', writings, at: clock.now().toISOString() })
        }
      },
      writings: () => serving.written.take(),
      distil: serving.bringUpToDate,
      learn: toldLearning(
        learningOf(method, () => serving.now().context),
        run.config.settings,
        resources,
      ),
      async finished(trajectory) {
        entry.live = null
        entry.last = entry.lane === null ? trajectory : null
        await record(entry, stepOf(trajectory))
        refuseOverflowing(entry.state.steps, serving.now().context.model)
      },
      async carry(task) {
        if (!protocol || protocol.passes === 1) return false
        const { rewards } = entry.state
        if (!isSolvedBefore(task.index, streamCount(run.total, protocol), protocol, rewards)) return false
        await record(entry, carriedStep(run.id, task, clock.now().toISOString()))
        return true
      },
    },
    { signal, pauseRequested: () => entry.pauseRequested },
  )
}

/** Learning as the run's settings say: a wrong answer to a question may be told the known one, but where a stream says what is told. */
function toldLearning(learn: Learn, settings: SettingChanges, { environment, tasks }: RunResources): Learn {
  if (!isQuestions(environment) || readSettings(AGENT, settings).told === 'reward') return learn
  return learningAnswers(learn, ({ task: { index } }) => {
    const task = tasks.find((one) => one.index === index)
    return task === undefined || task.feedback !== undefined ? null : (environment.answerOf?.(task) ?? null)
  })
}

/** Attempts without room for their prompts, from a run's first on, that end it. */
const MOST_OVERFLOWS = 3

/** Ends a run whose every attempt so far outgrew the context: the rest would do no better. @throws LoamError `CONTEXT_OVERFLOW` */
function refuseOverflowing(steps: readonly StepEvent[], { contextSize, name }: LanguageModel): void {
  if (steps.length !== MOST_OVERFLOWS || !steps.every(({ finish }) => finish === 'context-overflow')) return
  throw new LoamError(
    'CONTEXT_OVERFLOW',
    `The prompts of the first ${MOST_OVERFLOWS} tasks are all longer than the ${contextSize} tokens that ${name} reads here, so the run was ended.`,
    { suggestion: 'Give the model a larger context, recall less, or choose a model that reads more.' },
  )
}

/**
 * What a stream's memory starts with: each attempt of another agent is played as it was, learned from by the run's method as an attempt of its own would be,
 * and kept under that agent's name. Taken in once per memory: begun again it goes on with the ones that are missing.
 */
export async function importAttempts(
  entry: RunEntry,
  { given = [], environment, bank, method }: RunResources,
  serving: () => RunServing,
  signal: AbortSignal,
  { clock, tell }: Pick<PlayPorts, 'clock' | 'tell'>,
): Promise<void> {
  if (given.length === 0 || isQuestions(environment)) return
  const { config } = entry.state.record
  try {
    for (const [i, attempt] of given.entries()) {
      const id = foreignAttemptId(config.stream, i)
      if (await bank.trajectory(id)) continue
      if (signal.aborted || entry.pauseRequested) return
      entry.building = `Taking in what it is given, ${i + 1} of ${given.length}`
      tell(entry)
      const at = clock.now().toISOString()
      const trajectory = await playForeignAttempt(
        { ...attempt, id },
        { environment, memoryId: config.memoryId, at },
      )
      const learn = learningOf(method, () => serving().context)
      const getReferences = underName(attempt.by)
      await learnFromAttempt(trajectory, learn, bank, { signal, named: getReferences })
    }
  } finally {
    entry.building = null
    tell(entry)
  }
}
