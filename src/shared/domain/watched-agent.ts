import { z } from 'zod'
import { count, instant } from './units'

/** Agents whose own logs Loam can take in by itself. */
export const WATCHED_AGENTS = ['claude-code', 'codex', 'gemini-cli', 'opencode'] as const
export const watchedAgentSchema = z.enum(WATCHED_AGENTS)
export type WatchedAgent = z.infer<typeof watchedAgentSchema>

/** What taking in sessions came to: `rows` = `imported` + `duplicates` + `leftOut`. */
const watchOutcomeSchema = z.object({
  at: instant,
  sessions: count,
  rows: count,
  imported: count,
  duplicates: count,
  /** Rows that no experience could be made of; `reasons` names each reason with how many. */
  leftOut: count,
  reasons: z.array(z.object({ why: z.string(), count })),
  /** What undoes it; null where nothing came in. */
  importId: z.string().nullable(),
})
export type WatchOutcome = z.infer<typeof watchOutcomeSchema>

/** An agent, and where its logs stand. */
export const watchedLogsSchema = z.object({
  agent: watchedAgentSchema,
  title: z.string(),
  /** Where it keeps its sessions. */
  folder: z.string(),
  on: z.boolean(),
  /** Sessions that are there, that are new or changed since, and of these that are still written. */
  sessions: count,
  fresh: count,
  growing: count,
  /** The last time; null for none. */
  last: watchOutcomeSchema.nullable(),
  /** Why nothing is taken in now; null: it can be, or is off. */
  rests: z.string().nullable(),
})
export type WatchedLogs = z.infer<typeof watchedLogsSchema>
