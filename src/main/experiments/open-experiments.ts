import { join } from 'node:path'
import { readSpaceInfo } from '../memory-store/space-info'
import type { Host } from '../host/host'
import type { RunsArea } from '../runs/open-runs'
import type { SpaceFiles } from '../spaces/space-files'
import type { StreamLibrary } from '../streams/stream-library'
import { createExperimentDrafts, type ExperimentDrafts } from './experiment-drafts'
import { openExperimentQueue, type ExperimentQueue } from './experiment-queue'
import { openExperimentStore } from './experiment-store'
import { startWithExperiences } from './start-experiences'

/** Experiments: what is planned, and the cells that are played. */
export interface ExperimentsArea {
  readonly experiments: ExperimentQueue
  readonly experimentDrafts: ExperimentDrafts
}

/** What experiments need of other areas. */
export interface ExperimentNeeds extends Pick<
  RunsArea,
  'runs' | 'runDrafts' | 'onRunChange' | 'trainContext'
> {
  readonly spaces: SpaceFiles
  readonly streams: StreamLibrary
}

/** Opens the experiments of the data folder; they hear of every change of their cells' runs. */
export async function openExperiments(host: Host, needs: ExperimentNeeds): Promise<ExperimentsArea> {
  const { data, clock, logger, jobs, demoModel, resources } = host
  const { runs, runDrafts, spaces, streams } = needs
  const requireItem = (idOrPath: string) => readSpaceInfo(spaces.folder(idOrPath))
  const experiments = await openExperimentQueue({
    store: openExperimentStore(join(data.path, 'experiments')),
    runs,
    drafts: runDrafts,
    streams,
    clock,
    logger,
    releaseSpace: (folder) => spaces.release(folder),
    startWith: async (from, folder, choice) => {
      // Opening makes a memory where there is none.
      await requireItem(from)
      return startWithExperiences(await spaces.open(from), await spaces.open(folder), choice)
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
  return { experiments, experimentDrafts }
}
