import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/ground/canonical-json'
import type { CaseEntry, LearnedEntry, MemoryState, TrajectoryEntry } from '../../core/memory/entries'
import type { ExperienceEntry } from '../../core/memory/experiences/fold'
import type { CaseRecord } from '../../shared/domain/case'
import type { StoredExperience } from '../../shared/domain/experience'
import type { LearnedText } from '../../shared/domain/memory'
import type { Trajectory } from '../../shared/domain/trajectory'

/** Reads what the fold says where something is. */
export interface ContentReaders {
  trajectory(entry: TrajectoryEntry): Promise<Trajectory>
  case(entry: CaseEntry): Promise<CaseRecord>
  memory(entry: LearnedEntry): Promise<LearnedText>
  experience(entry: ExperienceEntry): Promise<StoredExperience>
}

/** SHA-256 of all that a memory says, in order of ids: equal for memories that hold the same, however they came to it. */
export async function contentHash(state: MemoryState, read: ContentReaders): Promise<string> {
  const hash = createHash('sha256')
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)
  for (const entry of [...state.trajectories.values()].sort(byId))
    hash.update(canonicalJson(await read.trajectory(entry)) + '\n')
  for (const entry of [...state.cases.values()].sort(byId))
    hash.update(canonicalJson(await read.case(entry)) + '\n')
  for (const entry of [...state.items.values()].filter(({ droppedAt }) => droppedAt === null).sort(byId))
    hash.update(canonicalJson(await read.memory(entry)) + '\n')
  for (const entry of [...state.experiences.values()].sort(byId))
    hash.update(canonicalJson(await read.experience(entry)) + '\n')
  for (const version of [...state.concepts.versions.values()].sort(byId))
    hash.update(canonicalJson(version) + '\n')
  for (const [conceptId, { accepted }] of [...state.concepts.standings].sort())
    hash.update(canonicalJson([conceptId, accepted]) + '\n')
  for (const [kind, items] of [...state.curated].sort())
    for (const [id, { project }] of [...items].sort())
      if (project !== null) hash.update(canonicalJson([kind, id, project]) + '\n')
  return hash.digest('hex')
}
