import { z } from 'zod'
import { milliseconds } from './units'
import { BOUNDS, integerIn } from './bounds'

/** A short name that tools of a server are told apart by. */
const serverIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'use small letters, digits and dashes, beginning with a letter')

const secretName = z.string().regex(/^[A-Za-z0-9_-]{1,80}$/, 'use letters, digits, dashes and underscores')

/** A server of the person's own. Values of its variables and headers are secrets and kept elsewhere; here are their names. */
export const ownServerSchema = z.object({
  id: serverIdSchema,
  enabled: z.boolean().default(true),
  at: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('process'),
      command: z.string().min(1).max(1000),
      args: z.array(z.string().max(4000)).max(100).default([]),
      /** Names of environment variables. */
      secrets: z.array(secretName).max(50).default([]),
    }),
    z.object({
      kind: z.literal('http'),
      url: z.url({ protocol: /^https?$/ }).max(2000),
      /** Names of HTTP headers. */
      secrets: z.array(secretName).max(50).default([]),
    }),
  ]),
})
export type OwnServer = z.infer<typeof ownServerSchema>

/** How tools are set up. */
export const toolSettingsSchema = z.object({
  /** Built-in servers that are turned off. */
  off: z.array(z.string()).default([]),
  servers: z
    .array(ownServerSchema)
    .max(50)
    .refine(
      (servers) => new Set(servers.map(({ id }) => id)).size === servers.length,
      'two servers have one name',
    )
    .default([]),
  /** Folders that documents and search may read, besides a task's own. */
  folders: z.array(z.string().min(1)).max(50).default([]),
  /** Address of the SearXNG instance that web searches ask; null for none. */
  searxng: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .default(null),
  /** The model that looks at pictures, listens to recordings and watches films: one of a server, as `openai:NAME@PLACE`. Null: none. */
  captionModel: z.string().min(1).max(500).nullable().default(null),
  /** Whether pages on this machine and the local network may be read. */
  privatePages: z.boolean().default(false),
  /** Seconds a call may take. */
  callSeconds: integerIn(BOUNDS.callSeconds).default(60),
})
export type ToolSettings = z.infer<typeof toolSettingsSchema>

/** A tool as people see it. */
const toolSummarySchema = z.object({
  name: z.string(),
  description: z.string(),
  /** JSON schema of its arguments. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** What a person agrees to when it is asked for; absent for tools of the person's own servers. */
  needs: z.string().optional(),
  /** Arguments to try it with; absent where none are known. */
  example: z.record(z.string(), z.unknown()).optional(),
})
export type ToolSummary = z.infer<typeof toolSummarySchema>

/** What is known of a server: nothing yet, its tools, or why it did not start. */
const serverStatusSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('untested') }),
  z.object({ kind: z.literal('ready'), tools: z.array(toolSummarySchema), startMs: milliseconds }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])
export type ServerStatus = z.infer<typeof serverStatusSchema>

export const toolServerInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** One line: what a built-in server is for, or how one of the person's own is reached. */
  about: z.string(),
  enabled: z.boolean(),
  /** How a server of the person's own is reached; null for a built-in one. */
  own: ownServerSchema.shape.at.nullable(),
  /** Names of its variables or headers that have a value. */
  secretsSet: z.array(z.string()),
  status: serverStatusSchema,
})
export type ToolServerInfo = z.infer<typeof toolServerInfoSchema>

/** What a tool gave back. */
export const toolResultSchema = z.object({
  text: z.string(),
  failed: z.boolean(),
  files: z.array(z.string()).readonly(),
  wallMs: milliseconds,
})

/** A tool that waits for the person's word. */
export const toolRequestSchema = z.object({
  id: z.string(),
  /** What wants to use it, such as a run's name. */
  from: z.string(),
  server: z.string(),
  tool: z.string(),
  description: z.string(),
  /** What a person agrees to; null for tools of their own servers. */
  needs: z.string().nullable(),
  /** Where the text is from that nobody checked and that was read before; not empty where that is why it is asked for again. */
  read: z.array(z.string()).default([]),
  /** The arguments, one after the other, cut when very long. */
  args: z.string(),
})
export type ToolRequest = z.infer<typeof toolRequestSchema>

export const permissionAnswerSchema = z.enum(['once', 'run', 'no'])
export type PermissionAnswer = z.infer<typeof permissionAnswerSchema>
