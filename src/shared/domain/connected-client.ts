import { z } from 'zod'
import { instant } from './units'

/** A program that My memory can be put into, as it stands on this machine. */
export const connectedClientSchema = z.object({
  /** What names it in calls; the host alone knows its files. */
  id: z.string(),
  title: z.string(),
  /** `found`: it is on this machine. `connected`: Loam stands in its configuration. */
  state: z.enum(['connected', 'found', 'not-found']),
  /** Its files that Loam writes into, or wrote into. */
  files: z.array(z.string()),
  connectedAt: instant.nullable(),
  /** True where it was connected in one folder, by the command. */
  oneFolder: z.boolean(),
})
export type ConnectedClient = z.infer<typeof connectedClientSchema>

/** Clients, and how programs gain memory that know no memory servers. */
export const clientListSchema = z.object({
  clients: z.array(connectedClientSchema),
  byProxy: z.array(z.object({ id: z.string(), title: z.string(), how: z.string() })),
})
export type ClientList = z.infer<typeof clientListSchema>

/** What would be written into a client's files. */
export const clientChangeSchema = z.object({
  /** A patch of each file. */
  diffs: z.array(z.string()),
  /** Names exactly this change: writing takes it, and refuses where the files read differently by then. */
  digest: z.string(),
})
export type ClientChange = z.infer<typeof clientChangeSchema>

/** What became of a client's files, in words. */
export const clientOutcomeSchema = z.object({ words: z.array(z.string()) })
export type ClientOutcome = z.infer<typeof clientOutcomeSchema>
