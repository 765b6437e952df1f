import type { RecalledItem, Trajectory } from '../../../shared/domain/trajectory'

/** The lessons an attempt was shown, each with its whole text as title, in the order in which they stood. */
export const servedLessons = ({ recalled }: Pick<Trajectory, 'recalled'>): RecalledItem[] =>
  recalled.filter(({ kind }) => kind === 'lesson')
