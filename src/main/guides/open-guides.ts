import type { Host } from '../host/host'
import type { RunQueue } from '../runs/run-queue'
import type { SpaceFiles } from '../spaces/space-files'
import type { StreamsArea } from '../streams/open-streams'
import { createGuides, type Guides } from './guides'

/** What concept documents need of other areas. */
export interface GuideNeeds extends StreamsArea {
  readonly spaces: SpaceFiles
  readonly runs: Pick<RunQueue, 'takeTurn'>
}

/** BREW's concept documents: builds wait in the line of runs. */
export function openGuides(host: Host, needs: GuideNeeds): Guides {
  const { clock, jobs, hasher, embedder, prompts, demoModel } = host
  const { spaces, streams, environments, runs } = needs
  return createGuides({
    spaces,
    streams,
    clock,
    jobs,
    hasher,
    embedder,
    prompts,
    environment: (id) => environments.acting(id),
    loadModel: (path, sequences, signal) => host.loadModel(path, { sequences, signal }),
    takeTurn: (title, signal) => runs.takeTurn(title, signal),
    demoModel,
  })
}
