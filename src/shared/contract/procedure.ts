import { eventIterator, oc } from '@orpc/contract'
import { z } from 'zod'
import { loamErrorShape } from '../domain/error-shape'
import { feedMessage } from '../feed'
import { integer } from '../domain/units'

/** What a program's key may allow: looking at a memory, and adding to it (over MCP, in Agent KB's protocol). */
export const SCOPES = ['read', 'write'] as const
export type Scope = (typeof SCOPES)[number]

/** What a procedure says about itself beside its shapes. */
export interface ProcedureMeta {
  /**
   * Who may call it: whoever has a key that may read, or the person alone, in the window or the terminal. REST serves nothing of the person's,
   * whatever a key allows. Default `person`.
   */
  readonly by: 'read' | 'person'
  /** Whether its answer tells nothing that was learned or worked on in any memory. Default no. */
  readonly general?: boolean
}

/** Every procedure may fail with this one error; its `data` is the error shape people see. */
const procedure = oc.$meta<ProcedureMeta>({ by: 'person' }).errors({ LOAM: { data: loamErrorShape } })

/**
 * Changes nothing: GET over REST, its input in the query. `summary` says what it answers, in the OpenAPI document too. A key that is bound to
 * one memory gets an answer where the input's `memoryId` names that memory.
 */
export const reading = (summary: string) => procedure.meta({ by: 'read' }).route({ method: 'GET', summary })

/** As `reading`, of Loam itself: any key gets an answer. */
export const describing = (summary: string) =>
  procedure.meta({ by: 'read', general: true }).route({ method: 'GET', summary })

/** Changes nothing either, but what it is asked about is too much for an address: POST. */
export const asking = (summary: string) => procedure.meta({ by: 'read' }).route({ method: 'POST', summary })

/** Changes something or starts work: the person's. */
export const changing = (summary: string) => procedure.route({ method: 'POST', summary })

/** Changes what Loam may do on this machine, reads or writes any file of it, names a model's address, or lets tools work: the person's. */
export const managing = changing

/** A word on what others wrote or proposed: the person's, so that no program agrees to its own writes. */
export const deciding = changing

/** Changes nothing, but looks at this machine, or at what lies at a path or an address that is handed in: the person's. */
export const showing = changing

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
