import type { Host } from '../host/host'
import type { SpaceFiles } from '../spaces/space-files'
import { createKbJobs, type KbJobs } from './kb-jobs'
import { createExperienceBase, type ExperienceBase } from './experience-base'

/** Agent KB: the experiences of every space, and the long work on them. */
export interface KbArea {
  readonly kb: ExperienceBase
  readonly kbJobs: KbJobs
}

/** `engineTaken`: whether a run, or something in their line, works with the model now. */
export function openKb(
  host: Host,
  { spaces, engineTaken }: { readonly spaces: SpaceFiles; engineTaken(): boolean },
): KbArea {
  const { jobs, demoModel } = host
  const kb = createExperienceBase({ ...host, spaces })
  return { kb, kbJobs: createKbJobs({ kb, jobs, engineTaken, demoModel }) }
}
