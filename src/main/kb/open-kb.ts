import type { Host } from '../host/host'
import type { Memories } from '../memories/memories'
import { createKbJobs, type KbJobs } from './kb-jobs'
import { createExperienceBase, type ExperienceBase } from './experience-base'

/** Agent KB: the experiences of every memory, and the long work on them. */
export interface KbArea {
  readonly kb: ExperienceBase
  readonly kbJobs: KbJobs
}

/** `engineTaken`: whether a run, or something in their line, works with the model now. */
export function openKb(
  host: Host,
  { memories, engineTaken }: { readonly memories: Memories; engineTaken(): boolean },
): KbArea {
  const { jobs, demoModel } = host
  const kb = createExperienceBase({ ...host, memories })
  return { kb, kbJobs: createKbJobs({ kb, jobs, engineTaken, demoModel }) }
}
