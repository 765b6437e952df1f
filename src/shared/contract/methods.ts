import { z } from 'zod'
import { methodInfoSchema } from '../domain/method'
import { describing } from './procedure'

/** Methods. */
export const methods = {
  list: describing('The methods, with what each needs.').output(z.array(methodInfoSchema)),
}
