import { join } from 'node:path'
import { z } from 'zod'
import { judgeError, lastAttempts, overlapOf, rulingOn, runErrors } from '../../core/lab/error-classes'
import type { PromptTemplates } from '../../core/ground/ports'
import { errorVerdictSchema, type ErrorVerdict, type ErrorReport } from '../../shared/domain/error-class'
import type { Trajectory } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { readRecord, writeRecord } from '../ground/record-file'
import type { Host } from '../host/host'
import { attemptsOf } from './run-costs'
import type { RunQueue } from './run-queue'

/** Failures of runs by class. What a model said is kept beside the run, so asking goes on where it stopped. */
export interface ErrorJudging {
  /** Rules and earlier judgements; asks no model. @throws LoamError `NOT_FOUND` */
  report(runId: string, otherId: string | null): Promise<ErrorReport>
  /** Has a model judge the failures that no rule fits and that were not judged yet. Answers how many got a class. */
  judge(
    runId: string,
    options: {
      /** GGUF path. Default: the run's own model. */
      readonly model: string | null
      readonly signal?: AbortSignal
      readonly onProgress?: (doneCount: number, total: number) => void
    },
  ): Promise<number>
  /** `judge` as a job. @throws LoamError `CONFLICT` while a run uses the model */
  startJudging(runId: string, model?: string | null): string
}

export interface ErrorJudgingDeps extends Pick<Host, 'jobs' | 'loadModel'> {
  readonly runs: Pick<RunQueue, 'get' | 'record' | 'steps' | 'trajectory' | 'list'>
  /** The folder that holds each run's own. */
  readonly folder: string
  readonly prompts: () => Promise<PromptTemplates>
}

/** Creates it. */
export function createErrorJudging({
  runs,
  folder,
  jobs,
  prompts,
  loadModel,
}: ErrorJudgingDeps): ErrorJudging {
  const fileOf = (runId: string): string => join(folder, runId, 'errors.json')

  const judgementsOf = async (runId: string): Promise<Map<string, ErrorVerdict>> => {
    const selection = await readRecord(fileOf(runId), z.array(errorVerdictSchema), [])
    return new Map(selection.map((each) => [each.trajectoryId, each]))
  }

  const lastOf = async (runId: string): Promise<Trajectory[]> => {
    const all: Trajectory[] = []
    for await (const trajectory of attemptsOf(runs, runId)) all.push(trajectory)
    return lastAttempts(all)
  }

  const one = async (runId: string) => {
    const { method } = runs.get(runId).config
    const last = await lastOf(runId)
    const errors = runErrors({ runId, method }, last, await judgementsOf(runId))
    return { errors, tried: new Set(last.map(({ task }) => task.id)) }
  }

  const judge: ErrorJudging['judge'] = async (runId, { model: path, signal, onProgress }) => {
    const { config } = runs.get(runId)
    const judgedMap = await judgementsOf(runId)
    const open = (await lastOf(runId)).filter(
      (trajectory) =>
        trajectory.reward === 0 && rulingOn(trajectory) === null && !judgedMap.has(trajectory.id),
    )
    if (open.length === 0) return 0
    const context = {
      model: await loadModel(path ?? config.model, { signal }),
      prompts: await prompts(),
      seed: config.seed,
    }
    let classed = 0
    for (const [doneCount, trajectory] of open.entries()) {
      signal?.throwIfAborted()
      onProgress?.(doneCount, open.length)
      const { value } = await judgeError(trajectory, context, signal)
      if (value === null) continue
      judgedMap.set(trajectory.id, { trajectoryId: trajectory.id, ...value, model: context.model.name })
      await writeRecord(fileOf(runId), [...judgedMap.values()])
      classed++
    }
    onProgress?.(open.length, open.length)
    return classed
  }

  return {
    async report(runId, otherId) {
      const a = await one(runId)
      const b = otherId === null ? null : await one(otherId)
      return {
        a: a.errors,
        b: b?.errors ?? null,
        overlap: b ? overlapOf(a.errors, b.errors, { a: a.tried, b: b.tried }) : null,
      }
    },
    judge,
    startJudging(runId, model = null) {
      runs.get(runId)
      if (runs.list().some(({ status }) => status === 'running'))
        throw new LoamError('CONFLICT', 'A run is using the model.', {
          suggestion: 'Wait for it, or pause it.',
          retryable: true,
        })
      return jobs.start(
        'errors',
        'Judging failures',
        async ({ signal, progress }) => {
          const classed = await judge(runId, {
            model,
            signal,
            onProgress: (doneCount, total) => {
              progress({
                done: doneCount,
                total,
                activity: 'The model reads a failed attempt and names what went wrong',
              })
            },
          })
          progress({ activity: `${classed} failures got a class` })
        },
        { unit: 'failures', subject: runId },
      ).id
    },
  }
}
