import type { SpaceInfo } from '../../shared/domain/space'
import { plural } from '../components/format'
import { nameOfMemory } from '../stores/spaces'
import type { MenuChoice } from './menu'

/** Spaces to choose from, each with how much is in it. */
export const spaceOptions = (
  spaces: readonly SpaceInfo[],
  detail: (space: SpaceInfo) => string = ({ cases }) => plural(cases, 'case'),
): MenuChoice<string>[] =>
  spaces.map((space) => ({ value: space.id, label: nameOfMemory(space), detail: detail(space) }))
