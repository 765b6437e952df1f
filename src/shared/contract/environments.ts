import { z } from 'zod'
import { environmentInfoSchema, generatorInfoSchema } from '../domain/environment'
import { describing } from './procedure'

/** Environments. */
export const environments = {
  list: describing('The environments tasks can be for.').output(z.array(environmentInfoSchema)),
  generators: describing('What can generate streams, the default one first.').output(
    z.array(generatorInfoSchema).min(1),
  ),
}
