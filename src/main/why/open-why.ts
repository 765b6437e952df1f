import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { runAttempt } from '../../core/agent/actor'
import { isQuestions } from '../../core/ground/question-environment'
import { findMethod } from '../../core/methods'
import { findEnvironment } from '../../core/tasks'
import { rulingOn } from '../../core/lab/error-classes'
import { firstBadStep, givenBy, recallingOnly, suspectsOf } from '../../core/lab/why'
import type { AskJudgement } from '../../shared/domain/ask'
import { BASELINE } from '../../shared/domain/experiment'
import type { MemoryRef } from '../../shared/domain/memory-item'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { AttemptPlace, Replay, ReplayWithout, Why } from '../../shared/domain/why'
import { LoamError } from '../../shared/errors'
import { correctedId } from '../asks/learn-from-ask'
import type { AsksArea } from '../asks/open-asks'
import type { Host } from '../host/host'
import type { MemoryItems } from '../memory/memory-items'
import type { RunsArea } from '../runs/open-runs'
import type { SpaceFiles } from '../spaces/space-files'
import type { StreamsArea } from '../streams/open-streams'
import { shownOf, similarTo, type FactNeeds } from './facts'
import { openReplays } from './replays'

/** Why attempts failed, and how they go when something is left out. */
export interface WhyFailed {
  /** @throws LoamError `NOT_FOUND` */
  explain(place: AttemptPlace, signal?: AbortSignal): Promise<Why>
  /**
   * Plays an attempt again with what it recalled then, but for something, and keeps what came of it. Of an ask this is a further try,
   * which has only begun when this resolves.
   * @throws LoamError `BAD_INPUT` where it cannot be played again
   */
  replay(place: AttemptPlace, without: ReplayWithout, signal?: AbortSignal): Promise<Why>
}

export interface WhyNeeds extends StreamsArea, Pick<AsksArea, 'asks' | 'askDrafts'>, Pick<RunsArea, 'runs'> {
  readonly spaces: SpaceFiles
  readonly memory: MemoryItems
}

/** An attempt, its task as the stream has it, and what would have solved it. */
interface Subject {
  readonly trajectory: Trajectory
  readonly task: Task | null
  readonly expected: string | null
  readonly wrongAt: { readonly step: number; readonly reason: string } | null
}

export function openWhy(host: Host, needs: WhyNeeds): WhyFailed {
  const replays = openReplays(join(host.data.path, 'runs'))
  const facts: FactNeeds = { ...needs, embedder: host.embedder }

  const solutionOf = async (task: Task, settings: SettingChanges): Promise<string | null> => {
    const solve = await findEnvironment(task.environment).solution?.(needs.environments.world, settings)
    return (await solve?.(task)) ?? null
  }

  /** What a person said it should have been; acted out in its world, with what that came to. */
  const correctionOf = async (
    { spaceId, cycles, question }: Trajectory,
    judgement: AskJudgement | null,
  ): Promise<string | null> => {
    if (judgement === null || judgement.answer === null || cycles || question)
      return judgement?.answer ?? null
    const space = await needs.spaces.open(spaceId).catch(() => null)
    const acted = await space?.trajectory(correctedId(judgement))
    return acted ? givenBy(acted) : judgement.answer
  }

  const subjectOf = async (place: AttemptPlace): Promise<Subject> => {
    if (place.kind === 'ask') {
      const { ask, attempts } = needs.asks.get(place.askId)
      const attempt = attempts[place.attempt]
      if (!attempt) throw gone('That attempt is not there.')
      const { judgement, trajectory } = attempt
      const check = ask.check?.turn === attempt.turn ? ask.check.answer : ''
      const expected = (await correctionOf(trajectory, judgement)) ?? (check === '' ? null : check)
      const wrongAt =
        judgement === null || judgement.wrongAt === null
          ? null
          : { step: judgement.wrongAt, reason: judgement.note ?? 'You said that it went wrong here.' }
      return { trajectory, task: null, expected, wrongAt }
    }
    const trajectory = await needs.runs.trajectory(place.runId, place.index)
    const { config } = needs.runs.record(place.runId)
    const stream = await needs.streams.load(config.stream).catch(() => null)
    const task = stream?.tasks.find(({ id }) => id === trajectory.task.id) ?? null
    return { trajectory, task, expected: task && (await solutionOf(task, config.settings)), wrongAt: null }
  }

  const cannotReplay = async (place: AttemptPlace, { task, trajectory }: Subject): Promise<string | null> => {
    if (place.kind === 'ask') return null
    if (!task) return 'Its stream is not here any more, or is another one now.'
    if (trajectory.cycles)
      return 'Questions with plans and tools are not played again here; ask it anew instead.'
    return null
  }

  const explain = async (place: AttemptPlace, signal?: AbortSignal): Promise<Why> => {
    const subject = await subjectOf(place)
    const { trajectory, expected, wrongAt } = subject
    const kept = place.kind === 'run' ? await replays.list(place.runId, place.index) : []
    return {
      instruction: trajectory.task.instruction,
      expected,
      given: givenBy(trajectory),
      error: rulingOn(trajectory),
      badStep: wrongAt ?? firstBadStep(trajectory, expected),
      suspects: suspectsOf(trajectory, await shownOf(trajectory, facts)),
      recalled: trajectory.recalled.length,
      similar: await similarTo(trajectory, facts, signal),
      cannotReplay: await cannotReplay(place, subject),
      replays: kept.map(({ trajectory: played, ...replay }) => ({
        ...replay,
        finish: played.finish,
        reward: played.reward,
        given: givenBy(played),
        recalled: played.recalled.length,
      })),
    }
  }

  return {
    explain,
    async replay(place, without, signal = new AbortController().signal) {
      const subject = await subjectOf(place)
      const no = await cannotReplay(place, subject)
      if (no !== null) throw new LoamError('BAD_INPUT', no, { suggestion: 'Ask it anew.' })
      if (place.kind === 'ask') {
        const { attempt } = place
        const left = without.kind === 'item' ? [without.item] : []
        await needs.askDrafts.branch(
          place.askId,
          { attempt, step: 0, edit: null },
          without.kind === 'memory'
            ? { method: BASELINE, ownFiles: false }
            : { recall: { attempt, without: left } },
        )
        return explain(place, signal)
      }
      const trajectory = await playAgain(subject, place.runId, without, signal, host, needs)
      const replay: Replay = {
        id: trajectory.id,
        without,
        at: host.clock.now().toISOString(),
        trajectory,
      }
      await replays.add(place.runId, place.index, replay)
      return explain(place, signal)
    },
  }
}

const gone = (cause: string): LoamError =>
  new LoamError('NOT_FOUND', cause, { suggestion: 'Reload what is on screen.' })

/** Plays an attempt of a run again, as it was but for something. */
async function playAgain(
  { trajectory, task }: Subject,
  runId: string,
  without: ReplayWithout,
  signal: AbortSignal,
  host: Host,
  needs: WhyNeeds,
): Promise<Trajectory> {
  if (!task) throw gone('Its task is not there.')
  const { config } = needs.runs.record(runId)
  const environment = await needs.environments.get(task.environment, config.settings)
  if (isQuestions(environment)) throw gone('It is not acted in.')
  const found = findMethod(without.kind === 'memory' ? BASELINE : config.method)
  const key = ({ kind, id }: MemoryRef): string => `${kind} ${id}`
  const known = new Set(trajectory.recalled.map(key))
  if (without.kind === 'item') known.delete(key(without.item))
  const giveBack = await needs.runs.takeTurn('an attempt played again', signal)
  try {
    const model = await host.loadModel(config.model, {
      signal,
      ...(config.contextSize !== undefined && { contextSize: config.contextSize }),
    })
    return await runAttempt({
      id: `${trajectory.id}-again-${randomBytes(4).toString('hex')}`,
      runId,
      spaceId: trajectory.spaceId,
      task,
      environment,
      // What was learned since, from this attempt too, would help it now.
      method: recallingOnly(found, (item) => known.has(key(item))),
      context: {
        bank: await needs.spaces.open(trajectory.spaceId),
        embedder: await host.embedder(),
        prompts: await host.prompts(),
        model,
        settings: config.settings,
        k: config.k,
        seed: config.seed,
      },
      clock: host.clock,
      temperature: config.temperature,
      maxTokens: config.maxTokens,
      signal,
    })
  } finally {
    giveBack()
  }
}
