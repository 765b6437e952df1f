import { z } from 'zod'
import { embedderInfoSchema, engineStateSchema } from '../domain/model'
import { describing, following, onlyOne } from './procedure'

/** The model engine. */
export const engine = {
  state: describing('What the model engine is doing.').output(engineStateSchema),
  watch: following('Follows what the model engine is doing.', onlyOne, engineStateSchema),
  embedders: describing('The embedding models that are there.').output(z.array(embedderInfoSchema)),
}
