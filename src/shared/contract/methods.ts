import { z } from 'zod'
import { methodInfoSchema } from '../domain/method'
import { methodChoiceSchema } from '../domain/method-choice'
import { changing, describing, showing } from './procedure'

/** Methods. */
export const methods = {
  choice: showing('What Loam chooses for everyday asks, and what that rests on.').output(methodChoiceSchema),
  choose: changing('Has everyday asks use a method where nobody chose one.')
    .input(z.object({ method: z.string() }))
    .output(methodChoiceSchema),
  decline: changing('Says no to changing to a method, until more asks were replayed.')
    .input(z.object({ method: z.string() }))
    .output(methodChoiceSchema),
  compare: changing('Replays judged asks with several methods now.').output(z.object({ jobId: z.string() })),
  list: describing('The methods, with what each needs.').output(z.array(methodInfoSchema)),
}
