import type { Abstraction, AbstractReport } from '../../shared/domain/experience-view'
import { defaultsOf } from '../../core/ground/settings'
import { SETTINGS as AGENT_KB } from '../../core/methods/agent-kb/settings'
import { LoamError } from '../../shared/errors'
import type { JobRegistry } from '../ground/jobs'
import type { ExperienceBase } from './experience-base'

/** Writing experiences from logs as a job; `jobs.report` tells what came of it. */
export interface KbJobs {
  /**
   * Goes on with the logs that no experience was written from yet, so starting it again is resuming it.
   * @throws LoamError `CONFLICT` while a run uses the model, or logs of the memory are being worked through already
   */
  startAbstraction(input: Abstraction & { readonly memoryId: string }): string
}

export interface KbJobsDeps {
  readonly kb: Pick<ExperienceBase, 'abstract'>
  readonly jobs: JobRegistry
  /** Whether a run works on the loaded model. */
  readonly engineTaken: () => boolean
  readonly demoModel: string
}

/** Creates the jobs. */
export function createKbJobs({ kb, jobs, engineTaken, demoModel }: KbJobsDeps): KbJobs {
  return {
    startAbstraction({ memoryId, model, limit, seed, tau }) {
      if (engineTaken()) throw busy('A run is using the model.', 'Wait for it, or pause it.')
      const same = jobs
        .list()
        .find(
          ({ kind, status, subject }) =>
            kind === 'kb-abstract' && status === 'running' && subject === memoryId,
        )
      if (same) throw busy('The logs of this memory are being worked through already.', 'See Jobs.')
      return jobs.start(
        'kb-abstract',
        'Writing experiences from logs',
        async ({ signal, progress, tell }) => {
          const report = await kb.abstract(memoryId, {
            model: model ?? demoModel,
            seed,
            limit,
            tau: tau ?? defaultsOf(AGENT_KB).tau,
            signal,
            onProgress: (doneCount, total) => {
              progress({
                done: doneCount,
                total,
                activity: 'The model reads a log and writes what can be learned',
              })
            },
          })
          tell(report)
          progress({ activity: abstractWords(report) })
        },
        { unit: 'logs', subject: memoryId },
      ).id
    },
  }
}

const abstractWords = ({ written, logs, failed }: AbstractReport): string =>
  `${written} of ${logs} logs became experiences${failed.length > 0 ? `, ${failed.length} gave nothing usable` : ''}`

const busy = (cause: string, suggestion: string): LoamError =>
  new LoamError('CONFLICT', cause, { suggestion, retryable: true })
