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
