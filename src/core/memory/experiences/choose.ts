import type { StartingExperiences } from '../../../shared/domain/experiment'
import { hash32 } from '../../ground/random'
import type { ExperienceEntry } from './fold'

type Entry = Pick<ExperienceEntry, 'id' | 'domain' | 'framework' | 'gone'>

/**
 * The ids of the live experiences that a study starts with, in order of arrival. A smaller share is part of every larger one,
 * and which ones it holds follows from their ids alone.
 */
export function chooseExperiences(entries: Iterable<Entry>, choice: StartingExperiences): string[] {
  const { share, domains, exceptDomains, frameworks, exceptFrameworks } = choice
  const fits = ({ gone, domain, framework }: Entry): boolean =>
    gone === null &&
    (domains.length === 0 || domains.includes(domain)) &&
    !exceptDomains.includes(domain) &&
    (frameworks.length === 0 || frameworks.includes(framework)) &&
    !exceptFrameworks.includes(framework)
  const fitting = [...entries].filter(fits).map(({ id }) => id)
  const draws = fitting
    .map((id) => ({ id, place: hash32(id) }))
    .sort((a, b) => a.place - b.place || (a.id < b.id ? -1 : 1))
    .slice(0, Math.round(share * fitting.length))
  const keptSet = new Set(draws.map(({ id }) => id))
  return fitting.filter((id) => keptSet.has(id))
}
