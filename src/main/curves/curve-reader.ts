import { runCurve, type CurveSource } from '../../core/lab/run-curve'
import { METHODS } from '../../core/methods'
import { heldOutLast, ONCE, streamCount } from '../../core/lab/protocol'
import type { RunRecord } from '../../core/lab/run-record'
import type { CurveChoices, RunCurve } from '../../shared/domain/curve'
import type { ExperimentInfo } from '../../shared/domain/experiment'
import type { ExperimentQueue } from '../experiments/experiment-queue'
import { nameOfModel } from '../ground/model-file'
import type { RunQueue } from '../runs/run-queue'
import { hashTasks, type StreamLibrary } from '../streams/stream-library'

export interface CurveReaderDeps {
  readonly runs: Pick<RunQueue, 'list' | 'get' | 'has' | 'record' | 'steps'>
  readonly experiments: Pick<ExperimentQueue, 'list' | 'get'>
  readonly streams: Pick<StreamLibrary, 'load'>
}

/** What the Learning curves screen is made of. */
export interface CurveReader {
  /** Newest first. */
  choices(): CurveChoices
  /** Runs and cells that have begun; what is asked for twice or no longer there comes once or not at all. */
  series(choice: {
    readonly experimentIds: readonly string[]
    readonly runIds: readonly string[]
  }): Promise<RunCurve[]>
}

const usesExp = (method: string): boolean =>
  METHODS.find(({ info }) => info.id === method)?.info.usesK ?? false

/** Creates it. */
export function createCurveReader({ runs, experiments, streams }: CurveReaderDeps): CurveReader {
  /** Skills by the hash of the tasks, which never change under it. */
  const groupedRecordsMap = new Map<string, CurveSource['skills']>()

  const all = (): ExperimentInfo[] => experiments.list().map(({ id }) => experiments.get(id))

  /** Runs with the same key have the same skills in the same order. */
  const skillsKey = ({ hashes, config }: RunRecord): string =>
    JSON.stringify([hashes.stream, config.protocol?.heldOut])

  const skillsOf = async (record: RunRecord): Promise<CurveSource['skills']> => {
    const { config, hashes, total } = record
    const protocol = config.protocol ?? ONCE
    const key = skillsKey(record)
    const groupedMatches = groupedRecordsMap.get(key)
    if (groupedMatches) return groupedMatches
    // A stream that is gone or was changed has no skills to tell; the curves do without.
    const stream = await streams.load(config.stream).catch(() => null)
    const tasks = stream?.tasks.slice(0, streamCount(total, protocol)) ?? []
    if ((await hashTasks(tasks)) !== hashes.stream) return []
    const skills = heldOutLast(tasks, protocol).map((task) => task.skills)
    groupedRecordsMap.set(key, skills)
    return skills
  }

  return {
    choices() {
      const infos = all()
      const cells = new Set(infos.flatMap((info) => info.cells.map(({ runId }) => runId)))
      return {
        experiments: infos.map(({ id, name, definition, cells: own, status, done, total, createdAt }) => ({
          id,
          name,
          stream: definition.stream,
          methods: [...new Set(own.map(({ method }) => method))],
          cells: own.length,
          seeds: definition.seeds.length,
          status,
          done,
          total,
          createdAt,
        })),
        runs: runs
          .list()
          .filter(({ id }) => !cells.has(id) && runs.has(id))
          .map(({ id, config, status, done, total, solved, createdAt }) => ({
            id,
            method: config.method,
            stream: config.stream,
            model: nameOfModel(config.model),
            seed: config.seed,
            exp: usesExp(config.method) ? config.k : null,
            status,
            done,
            total,
            solved,
            createdAt,
          })),
      }
    },
    async series({ experimentIds, runIds }) {
      const owners = new Map<string, CurveSource['experiment']>()
      for (const { id, name, definition, cells } of all())
        for (const { runId, method } of cells)
          if (experimentIds.includes(id) || runIds.includes(runId))
            owners.set(runId, { id, name, cell: method, baseline: definition.baseline })
      const targets = [...new Set([...owners.keys(), ...runIds])].filter((runId) => runs.has(runId))
      const memories = new Set(targets.map((runId) => runs.record(runId).config.memoryId))
      const neighbours = runs
        .list()
        .filter(({ id, config }) => runs.has(id) && memories.has(config.memoryId))
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      // Runs over the same tasks share one look at the stream.
      const skills = new Map<string, Promise<CurveSource['skills']>>()
      const skillsOnce = (record: RunRecord): Promise<CurveSource['skills']> => {
        const key = skillsKey(record)
        const groupedRequestsPromise = skills.get(key) ?? skillsOf(record)
        skills.set(key, groupedRequestsPromise)
        return groupedRequestsPromise
      }
      return Promise.all(
        targets.map(async (runId) => {
          const record = runs.record(runId)
          const before = neighbours.filter(
            ({ config, createdAt }) =>
              config.memoryId === record.config.memoryId && createdAt < record.createdAt,
          )
          return runCurve({
            record,
            steps: runs.steps(runId),
            status: runs.get(runId).status,
            experiment: owners.get(runId) ?? null,
            before: before.map(({ id }) => runs.record(id)),
            skills: await skillsOnce(record),
          })
        }),
      )
    },
  }
}
