import { join, dirname } from 'node:path'
import { findEnvironment } from '../../core/tasks'
import { rulingOn } from '../../core/lab/error-classes'
import { firstBadStep, givenBy, suspectsOf } from '../../core/lab/why'
import type { AskVerdict } from '../../shared/domain/ask'
import { suggestedMethod } from '../../core/methods'
import { stepName } from '../../shared/domain/plan'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Task } from '../../shared/domain/task'
import type { Trajectory } from '../../shared/domain/trajectory'
import {
  type AttemptPlace,
  type Replay,
  type ReplayWithout,
  type Why,
  replaySchema,
} from '../../shared/domain/why'
import { LoamError } from '../../shared/errors'
import { correctedId } from '../asks/learn-from-ask'
import type { AsksArea } from '../asks/open-asks'
import type { Host } from '../host/host'
import type { Items } from '../items/memory-items'
import { shownOf, similarTo, type FactNeeds } from './facts'
import { playAgain, type PlayAgainNeeds } from './play-again'
import { mkdir, readFile } from 'node:fs/promises'
import { diskError, errnoOf, replaceFile } from '../ground/atomic-file'
import { sealed, unsealed } from '../ground/sealed'

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

export interface WhyNeeds extends PlayAgainNeeds, Pick<AsksArea, 'asks' | 'askDrafts'> {
  readonly memory: Items
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
    { memoryId, cycles, question }: Trajectory,
    judgement: AskVerdict | null,
  ): Promise<string | null> => {
    if (judgement === null || judgement.answer === null || cycles || question)
      return judgement?.answer ?? null
    const memory = await needs.memories.open(memoryId).catch(() => null)
    const acted = await memory?.trajectory(correctedId(judgement))
    return acted ? givenBy(acted) : judgement.answer
  }

  const subjectOf = async (place: AttemptPlace): Promise<Subject> => {
    if (place.kind === 'ask') {
      const { ask, attempts } = needs.asks.get(place.askId)
      const attempt = attempts[place.attempt]
      if (!attempt) throw getError('That attempt is not there.')
      const { judgement, trajectory } = attempt
      const check = ask.check?.turn === attempt.turn ? ask.check.answer : ''
      const expectation = (await correctionOf(trajectory, judgement)) ?? (check === '' ? null : check)
      const wrongAt =
        judgement === null || judgement.wrongAt === null
          ? null
          : { step: judgement.wrongAt, reason: judgement.note ?? 'You said that it went wrong here.' }
      return { trajectory, task: null, expected: expectation, wrongAt }
    }
    const trajectory = await needs.runs.trajectory(place.runId, place.index)
    const { config } = needs.runs.record(place.runId)
    const stream = await needs.streams.load(config.stream).catch(() => null)
    const task = stream?.tasks.find(({ id }) => id === trajectory.task.id) ?? null
    return { trajectory, task, expected: task && (await solutionOf(task, config.settings)), wrongAt: null }
  }

  const cannotReplay = (place: AttemptPlace, { task }: Subject): string | null =>
    place.kind === 'ask' || task ? null : 'Its stream is not here any more, or is another one now.'

  const explain = async (place: AttemptPlace, signal?: AbortSignal): Promise<Why> => {
    const subject = await subjectOf(place)
    const { trajectory, expected, wrongAt } = subject
    const bad = wrongAt ?? firstBadStep(trajectory, expected)
    const views = await shownOf(trajectory, facts)
    const suspects = suspectsOf(trajectory, views)
    const selection = place.kind === 'run' ? await replays.list(place.runId, place.index) : []
    return {
      instruction: trajectory.task.instruction,
      expected,
      given: givenBy(trajectory),
      error: rulingOn(trajectory),
      badStep: bad && { ...bad, name: stepName(trajectory, bad.step) },
      suspects,
      others: views
        .filter(({ kind, id }) => !suspects.some((one) => one.kind === kind && one.id === id))
        .map(({ kind, id, title }) => ({ kind, id, title })),
      recalled: trajectory.recalled.length,
      similar: await similarTo(trajectory, facts, signal),
      cannotReplay: cannotReplay(place, subject),
      replays: selection.map(({ trajectory: played, ...replay }) => ({
        ...replay,
        finish: played.finish,
        reward: played.reward,
        ungraded: played.ungraded ?? null,
        given: givenBy(played),
        recalled: played.recalled.length,
      })),
    }
  }

  return {
    explain,
    async replay(place, without, signal = new AbortController().signal) {
      const subject = await subjectOf(place)
      const no = cannotReplay(place, subject)
      if (no !== null) throw new LoamError('BAD_INPUT', no, { suggestion: 'Ask it anew.' })
      if (place.kind === 'ask') {
        const { attempt } = place
        const rest = without.kind === 'item' ? [without.item] : []
        // From the same seed: what differs is what was recalled.
        await needs.askDrafts.branch(
          place.askId,
          { attempt, step: 0, edit: null },
          {
            seed: subject.trajectory.seed,
            ...(without.kind === 'memory'
              ? { method: suggestedMethod('baseline').info.id, ownFiles: false }
              : { recall: { attempt, without: rest } }),
          },
        )
        return explain(place, signal)
      }
      const { task, trajectory: first } = subject
      if (!task) throw getError('Its task is not there.')
      const trajectory = await playAgain({ runId: place.runId, task, first, without }, host, needs, signal)
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

const getError = (cause: string): LoamError =>
  new LoamError('NOT_FOUND', cause, { suggestion: 'Reload what is on screen.' })

/** `folder` holds each run's own. */
function openReplays(folder: string) {
  const fileOf = (runId: string, index: number): string => join(folder, runId, 'replays', `${index}.jsonl`)
  const linesOf = async (path: string): Promise<string[]> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return ''
      throw diskError(error, path)
    })
    return text.split('\n').filter((line) => line !== '')
  }
  return {
    /** Of one attempt, oldest first. Lines that cannot be read are left out. */
    async list(runId: string, index: number): Promise<Replay[]> {
      return (await linesOf(fileOf(runId, index))).flatMap((line) => {
        try {
          return [replaySchema.parse(unsealed(line))]
        } catch {
          return []
        }
      })
    },
    async add(runId: string, index: number, replay: Replay) {
      const path = fileOf(runId, index)
      try {
        await mkdir(dirname(path), { recursive: true })
        const lines = [...(await linesOf(path)), sealed(replay)]
        await replaceFile(path, (target) => target.writeFile(`${lines.join('\n')}\n`))
      } catch (error) {
        throw diskError(error, path)
      }
    },
  }
}
