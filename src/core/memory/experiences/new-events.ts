import { canonicalJson } from '../../ground/canonical-json'
import { LoamError } from '../../../shared/errors'
import type { ExperienceEvent } from './events'
import { applyExperienceEvent, changesExperience, type ExperienceEntries, type ExperienceEntry } from './fold'

/** Tells, event by event of one commit, which of them change something. */
export interface NewExperienceEvents {
  /** @throws LoamError `CONFLICT` for an id that holds another experience, `NOT_FOUND` for an unknown one */
  isNew(event: ExperienceEvent): Promise<boolean>
}

export function newExperienceEvents(
  entries: ExperienceEntries,
  getRecord: (at: number) => Promise<unknown>,
): NewExperienceEvents {
  /** Entries as they would stand after the commit so far; copied when first touched. */
  const after: ExperienceEntries = new Map()
  const eventMap = new Map<string, ExperienceEvent>()

  const touch = (id: string): void => {
    const entry = entries.get(id)
    if (entry && !after.has(id)) after.set(id, copyOf(entry))
  }

  return {
    async isNew(event) {
      if (event.kind === 'experience-added') {
        const { id } = event.experience
        const entry = entries.get(id)
        const earlier = eventMap.get(id) ?? (entry && (await getRecord(entry.at)))
        if (earlier && canonicalJson(earlier) === canonicalJson(event)) return false
        if (earlier) {
          throw new LoamError('CONFLICT', `The memory already holds a different experience ${id}.`, {
            suggestion: 'Memories are never overwritten; give the new one an id of its own.',
          })
        }
        eventMap.set(id, event)
      } else {
        touch(event.experienceId)
        const changes = changesExperience(after, event)
        if (changes === null) throw unknownExperience(event.experienceId)
        if (!changes) return false
      }
      applyExperienceEvent(after, event, 0)
      return true
    },
  }
}

const copyOf = (entry: ExperienceEntry): ExperienceEntry => ({
  ...entry,
  usedBy: new Set(entry.usedBy),
  transfers: new Set(entry.transfers),
})

/** The error for an experience a memory does not hold. */
export const unknownExperience = (id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no experience ${id} in this memory.`, {
    suggestion: 'Reload the list of experiences.',
  })
