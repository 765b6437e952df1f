import { z } from 'zod'
import { embedderInfoSchema, engineStateSchema } from '../domain/model'
import { following, onlyOne, reading } from './procedure'

/** The model engine. */
export const engine = {
  state: reading('What the model engine is doing.').output(engineStateSchema),
  watch: following('Follows what the model engine is doing.', onlyOne, engineStateSchema),
  embedders: reading('The embedding models that are there.').output(z.array(embedderInfoSchema)),
}
