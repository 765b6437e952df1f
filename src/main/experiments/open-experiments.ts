import { join } from 'node:path'
import { readMemoryInfo } from '../memory-store/memory-info'
import type { Host } from '../host/host'
import type { RunsArea } from '../runs/open-runs'
import type { Memories } from '../memories/memories'
import type { StreamLibrary } from '../streams/stream-library'
import { createExperimentDrafts } from './experiment-drafts'
import { openExperimentQueue } from './experiment-queue'
import { openExperimentStore } from './experiment-store'
import { createRecordings } from './recordings'
import { chooseExperiences } from '../../core/memory/experiences/choose'
import type { MemoryStore, MemoryEvent } from '../../core/ground/ports'
import type { StartingExperiences } from '../../shared/domain/experiment'

const PER_COMMIT = 64

/**
 * Copies the chosen experiences of one memory into another, as new: without uses and utility, so that every cell starts alike.
 * Doing it again changes nothing. Answers how many there are.
 */
export async function startWithExperiences(
  from: Pick<MemoryStore, 'experiences'>,
  into: Pick<MemoryStore, 'commit'>,
  choice: StartingExperiences,
): Promise<number> {
  const ids = chooseExperiences(from.experiences.entries(), choice)
  for (let at = 0; at < ids.length; at += PER_COMMIT) {
    const records = await Promise.all(ids.slice(at, at + PER_COMMIT).map((id) => from.experiences.get(id)))
    await into.commit(
      records.flatMap((each): MemoryEvent[] =>
        each ? [{ kind: 'experience-added', experience: each.experience }] : [],
      ),
    )
  }
  return ids.length
}

/** Experiments: what is planned, and the cells that are played. */
export type ExperimentsArea = Awaited<ReturnType<typeof openExperiments>>

/** What experiments need of other areas. */
export interface ExperimentNeeds extends Pick<
  RunsArea,
  'runs' | 'runDrafts' | 'onRunChange' | 'trainContext'
> {
  readonly memories: Memories
  readonly streams: StreamLibrary
}

/** Opens the experiments of the data folder; they hear of every change of their cells' runs. */
export async function openExperiments(host: Host, needs: ExperimentNeeds) {
  const { data, clock, logger, jobs, demoModel, resources } = host
  const { runs, runDrafts, memories, streams } = needs
  const requireItem = (idOrPath: string) => readMemoryInfo(memories.folder(idOrPath))
  const experiments = await openExperimentQueue({
    store: openExperimentStore(join(data.path, 'experiments')),
    runs,
    drafts: runDrafts,
    streams,
    clock,
    logger,
    atATime: host.atATime,
    releaseMemory: (folder) => memories.release(folder),
    startWith: async (from, folder, choice) => {
      // Opening makes a memory where there is none.
      await requireItem(from)
      return startWithExperiences(await memories.open(from), await memories.open(folder), choice)
    },
  })
  needs.onRunChange(experiments.hear)
  const experimentDrafts = createExperimentDrafts({
    experiments,
    jobs,
    streams,
    runDrafts,
    runs,
    clock,
    demoModel,
    modelNamed: host.modelNamed,
    appVersion: resources.version,
    trainContext: (model) => needs.trainContext(model),
    requireItem,
  })
  return { experiments, experimentDrafts, recordings: createRecordings(host, memories) }
}
