import type { ServedSoftPrompt } from '../../core/agent/actor'
import { isAbortError } from '../../core/ground/abort'
import { type DistilOrder, type MethodContext } from '../../core/ground/method'
import type { LanguageModel } from '../../core/ground/ports'
import { createWritingTally, type WritingTally } from '../../core/ground/writing'
import { trialResult } from '../../shared/domain/soft-prompt'
import type { Usage } from '../../shared/domain/trajectory'
import { type RunEntry } from './run-entry'
import { TrainingStopped, type PlayPorts, type RunResources } from './run-resources'

/** What the attempts of a run are made with, from one soft prompt to the next. */
export interface RunServing {
  readonly context: MethodContext
  /** Who plays the user, and who judges, where a model does. */
  readonly user: LanguageModel
  readonly judge: LanguageModel
  readonly served: ServedSoftPrompt | undefined
}

/** Milliseconds between two reports of how a training stands. */
const TELL_EVERY_MS = 300

/**
 * What a run's attempts are made with, kept up to date: a soft prompt that its method asks for is trained when it falls due, and served
 * from then on. A training that fails or is stopped lets the run rest (`TrainingStopped`).
 */
export function serveRun(
  entry: RunEntry,
  resources: RunResources,
  { clock, tell, record }: Pick<PlayPorts, 'clock' | 'tell' | 'record'>,
): {
  now(): RunServing
  readonly written: WritingTally
  bringUpToDate(signal: AbortSignal): Promise<Usage | null>
} {
  const { record: run } = entry.state
  const { method, distil, models, bank, embedder, prompts } = resources
  const { k, seed, settings } = run.config
  const output = createWritingTally()
  const on = (own: LanguageModel, served: ServedSoftPrompt | undefined): RunServing => ({
    context: {
      ...{ bank, embedder, prompts, k, seed, settings },
      model: models?.acting(own) ?? own,
      ...(models && { writer: models.of('writer', own) }),
      wrote: output.note,
    },
    user: models?.of('user', own) ?? own,
    judge: models?.of('judge', own) ?? own,
    served,
  })
  let now = on(resources.model, resources.softPrompt)
  let servedSince: number | null = null

  /** The newest soft prompt that is due by now, but for those whose training failed and those that stay on the shelf. */
  const dueOrder = (): DistilOrder | null => {
    const { untrained, tried } = entry.state
    const remainingSet = new Set(
      [...untrained, ...tried.filter(({ served }) => !served)].map(({ due }) => due),
    )
    let { rewards } = entry.state
    for (;;) {
      const order = method.distil?.({ rewards, total: run.total }, run.config.settings) ?? null
      if (!order || !remainingSet.has(order.at)) return order
      rewards = rewards.slice(0, Math.max(0, order.at - 1))
    }
  }

  /** Serves the soft prompt that is due by now, trained first where it is not there yet. */
  const bringUpToDate = async (signal: AbortSignal): Promise<Usage | null> => {
    const order = dueOrder()
    if (!order || order.at === servedSince) return null
    if (!distil) throw new Error(`Nothing here can train what ${method.info.id} asks for.`)
    const controller = new AbortController()
    const training: NonNullable<RunEntry['training']> = { controller, now: null }
    let noticeCount = -Infinity
    entry.training = training
    try {
      const {
        model: trainedOn,
        softPrompt: trained,
        usage,
        problem,
        trial,
      } = await distil(order, entry.state.steps.length, {
        signal: AbortSignal.any([signal, controller.signal]),
        onProgress(progress) {
          if (entry.training !== training || signal.aborted) return
          training.now = progress
          if (performance.now() - noticeCount < TELL_EVERY_MS) return
          noticeCount = performance.now()
          tell(entry)
        },
      })
      now = on(trainedOn, trained)
      if (problem) {
        await record(entry, { kind: 'untrained', due: order.at, problem, at: clock.now().toISOString() })
        return null
      }
      const isKnown = entry.state.tried.some(({ due }) => due === order.at)
      if (trial && !isKnown)
        await record(entry, {
          kind: 'tried',
          trial: trialResult(order.at, trial),
          at: clock.now().toISOString(),
        })
      // Another one, from before, may be served in its place.
      if (trial && !trial.served) return usage
      servedSince = order.at
      return usage
    } catch (error) {
      if (signal.aborted) throw error
      if (!isAbortError(error)) throw new TrainingStopped(error)
      if (!controller.signal.aborted) throw error
      // It rests here and goes on from its checkpoint, at once when the person thought better of it.
      return entry.pauseRequested ? null : await bringUpToDate(signal)
    } finally {
      entry.training = null
      tell(entry)
    }
  }
  return { now: () => now, written: output, bringUpToDate }
}
