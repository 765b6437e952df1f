import type { Host } from '../host/host'
import { restingModel } from '../runs/resting-model'
import type { RunQueue } from '../runs/run-queue'
import type { Memories } from '../memories/memories'
import type { StreamsArea } from '../streams/open-streams'
import { createGuides, type Guides } from './guides'

/** What concept documents need of other areas. */
export interface GuideNeeds extends StreamsArea {
  readonly memories: Memories
  readonly runs: Pick<RunQueue, 'waitForModel' | 'quiet'>
}

/** BREW's concept documents: builds wait in the line of runs. */
export function openGuides(host: Host, needs: GuideNeeds): Guides {
  const { clock, jobs, hasher, embedder, prompts, demoModel } = host
  const { memories, streams, environments, runs } = needs
  return createGuides({
    memories,
    streams,
    clock,
    jobs,
    hasher,
    embedder,
    prompts,
    environment: (id) => environments.acting(id),
    loadModel: (path, sequences, signal) =>
      restingModel((own) => host.loadModel(path, { sequences, signal: own }), runs.quiet, signal),
    waitForModel: (title, signal) => runs.waitForModel(title, signal, { rests: true }),
    demoModel,
  })
}
