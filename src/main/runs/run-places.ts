import { otherModels } from '../../core/agent/roles'
import type { RunConfig } from '../../shared/domain/run'
import { readReference } from '../ground/model-reference'

/** The place that all models in files share. */
export const ENGINE = 'engine'

/** What a run takes for itself: the engine or servers, where its models work, and its memory. Runs that share nothing of it go side by side. */
export const placesOf = ({
  model,
  settings,
  memoryId,
}: Pick<RunConfig, 'model' | 'settings' | 'memoryId'>): readonly string[] => [
  ...new Set([model, ...otherModels(model, settings)].map((path) => readReference(path)?.place ?? ENGINE)),
  `memory ${memoryId}`,
]
