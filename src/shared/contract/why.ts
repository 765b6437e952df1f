import { attemptPlaceSchema, replayWithoutSchema, whySchema } from '../domain/why'
import { z } from 'zod'
import { asking, changing } from './procedure'

const place = z.object({ place: attemptPlaceSchema })

/** Why attempts of runs and asks failed. */
export const why = {
  explain: asking(
    'Why an attempt did not solve its task: what was expected, the first bad step, what may have misled it.',
  )
    .input(place)
    .output(whySchema),
  replay: changing(
    'Plays an attempt again with what it recalled then, but for an item or all of it; nothing is learned from that.',
  )
    .input(place.extend({ without: replayWithoutSchema }))
    .output(whySchema),
}
