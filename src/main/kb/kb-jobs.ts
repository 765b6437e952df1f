import type { AbstractReport, KbReport } from '../../shared/domain/experience-view'
import { defaultsOf } from '../../core/ground/settings'
import { SETTINGS as AGENT_KB } from '../../core/methods/agent-kb/settings'
import { readingWords } from '../../shared/domain/reading'
import { LoamError } from '../../shared/errors'
import type { JobRegistry } from '../ground/jobs'
import type { KnowledgeBase } from './knowledge-base'

/** Importing and abstracting as jobs, whose reports can be asked for once they ended. */
export interface KbJobs {
  /** The job's subject is the space. */
  startImport(input: {
    readonly spaceId: string
    readonly format: string
    readonly path: string | readonly string[]
  }): string
  /**
   * Goes on with the logs that no experience was written from yet, so starting it again is resuming it.
   * @throws LoamError `CONFLICT` while a run uses the model, or logs of the space are being worked through already
   */
  startAbstraction(input: {
    readonly spaceId: string
    /** Default: the bundled demo model. */
    readonly model: string | null
    readonly limit: number | null
    readonly seed: number
    /** Default: Agent KB's. */
    readonly tau: number | null
  }): string
  /** @throws LoamError `NOT_FOUND` for a job that is no such one, goes on, failed, was cancelled or is long over */
  report(jobId: string): KbReport
}

export interface KbJobsDeps {
  readonly kb: Pick<KnowledgeBase, 'import' | 'abstract'>
  readonly jobs: JobRegistry
  /** Whether a run works on the loaded model. */
  readonly engineTaken: () => boolean
  readonly demoModel: string
}

/** Reports kept, the newest. */
const KEPT = 50

/** Creates the jobs. */
export function createKbJobs({ kb, jobs, engineTaken, demoModel }: KbJobsDeps): KbJobs {
  const reports = new Map<string, KbReport>()
  const keep = (jobId: string, report: KbReport): void => {
    reports.set(jobId, report)
    const [oldest] = reports.keys()
    if (reports.size > KEPT && oldest !== undefined) reports.delete(oldest)
  }

  return {
    startImport: ({ spaceId, format, path }) =>
      jobs.start(
        'kb-import',
        'Importing experiences',
        async ({ jobId, signal, progress }) => {
          const report = await kb.import(spaceId, {
            format,
            file: path,
            signal,
            onProgress: (done, total) => {
              progress({
                done,
                total,
                activity: `Reading ${typeof path === 'string' ? path : `${path.length} paths`}`,
              })
            },
          })
          keep(jobId, { kind: 'import', report })
          progress({ activity: readingWords(report) })
        },
        { unit: 'bytes', subject: spaceId },
      ).id,
    startAbstraction({ spaceId, model, limit, seed, tau }) {
      if (engineTaken()) throw busy('A run is using the model.', 'Wait for it, or pause it.')
      const same = jobs
        .list()
        .find(
          ({ kind, status, subject }) =>
            kind === 'kb-abstract' && status === 'running' && subject === spaceId,
        )
      if (same) throw busy('The logs of this space are being worked through already.', 'See Jobs.')
      return jobs.start(
        'kb-abstract',
        'Writing experiences from logs',
        async ({ jobId, signal, progress }) => {
          const report = await kb.abstract(spaceId, {
            model: model ?? demoModel,
            seed,
            limit,
            tau: tau ?? defaultsOf(AGENT_KB).tau,
            signal,
            onProgress: (done, total) => {
              progress({ done, total, activity: 'The model reads a log and writes what can be learned' })
            },
          })
          keep(jobId, { kind: 'abstract', report })
          progress({ activity: abstractWords(report) })
        },
        { unit: 'logs', subject: spaceId },
      ).id
    },
    report(jobId) {
      const found = reports.get(jobId)
      if (found) return found
      throw new LoamError('NOT_FOUND', `Job ${jobId} left no report.`, {
        suggestion: 'Only imports and abstractions that ended well leave one.',
      })
    },
  }
}

const abstractWords = ({ written, logs, failed }: AbstractReport): string =>
  `${written} of ${logs} logs became experiences${failed.length > 0 ? `, ${failed.length} gave nothing usable` : ''}`

const busy = (cause: string, suggestion: string): LoamError =>
  new LoamError('CONFLICT', cause, { suggestion, retryable: true })
