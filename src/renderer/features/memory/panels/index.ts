import { casePanel } from './case/panel'
import { experiencePanel } from './experience/panel'
import type { KindPanel } from './panel'

/** The panels of kinds that show more than every item does, a line a kind. */
export const KIND_PANELS: readonly KindPanel[] = [casePanel, experiencePanel]

/** The panel of a kind; undefined where it has none. */
export const panelOf = (kind: string | null): KindPanel | undefined =>
  KIND_PANELS.find((panel) => panel.kind === kind)
