import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { loamErrorShape } from '../errors'
import { feedMessage } from '../feed'
import { integer } from '../domain/units'

/** What a program's token must allow. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** What a procedure says about itself beside its shapes. */
export interface ProcedureMeta {
  /** What a token needs for it. Default `write`. */
  readonly scope: Scope
  /** Whether the text of a whole file is handed in. Default no. */
  readonly takesFile?: boolean
  /** Whether it is for the person's own window and commands alone: REST does not serve it, whatever a token allows. Default no. */
  readonly ownOnly?: boolean
}

/** Every procedure may fail with this one error; its `data` is the error shape people see. */
const procedure = oc.$meta<ProcedureMeta>({ scope: 'write' }).errors({ LOAM: { data: loamErrorShape } })

/** Changes nothing: GET over REST, its input in the query. `summary` says what it answers, in the OpenAPI document too. */
export const reading = (summary: string) =>
  procedure.meta({ scope: 'read' }).route({ method: 'GET', summary })

/** Changes nothing either, but what it is asked about is too much for an address: POST. */
export const asking = (summary: string) =>
  procedure.meta({ scope: 'read' }).route({ method: 'POST', summary })

/** Changes something or starts work. */
export const changing = (summary: string) => procedure.route({ method: 'POST', summary })

/** As `changing`, and the text of a whole file is handed in. */
export const takingFile = (summary: string) =>
  procedure.meta({ scope: 'write', takesFile: true }).route({ method: 'POST', summary })

/**
 * Changes what Loam may do on this machine, reads or writes any file of it, names a model's address, lets tools work, or is a person's verdict:
 * programs need a key for that alone. `takesFile`: a whole file may be handed in.
 */
export const managing = (summary: string, takesFile?: 'takesFile') =>
  procedure.meta({ scope: 'admin', takesFile: takesFile !== undefined }).route({ method: 'POST', summary })

/** A person's word on what others wrote or proposed, or on what is theirs: never over REST, so that no program agrees to its own writes. */
export const deciding = (summary: string) =>
  procedure.meta({ scope: 'admin', ownOnly: true }).route({ method: 'POST', summary })

/** Looks at this machine for the person who sits at it: never over REST. */
export const showing = (summary: string) =>
  procedure.meta({ scope: 'admin', ownOnly: true }).route({ method: 'POST', summary })

/** What names a memory. */
export const memoryId = z.object({ memoryId: z.string() })

/** Resume point of a feed: pass the last seq seen to get only what came after it, when that is still kept. */
export const since = z.object({ since: integer.nullable().default(null) })

/** Follows some state: all of it at once, then patches of it. `named` says what names it. */
export const following = <State extends z.ZodType, Named extends z.ZodRawShape>(
  summary: string,
  zodObject: z.ZodObject<Named>,
  state: State,
) =>
  reading(summary)
    .input(zodObject.extend(since.shape))
    .output(eventIterator(feedMessage(state)))

/** What names nothing: there is only one. */
export const onlyOne = z.object({})
