import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { documents } from '../../core/memory/guides/kind'
import { lessons } from '../../core/memory/lessons/kind'
import type { MemoryKindModule } from '../../core/memory/items/kind'
import { LoamError, toErrorShape } from '../../shared/errors'
import type { RequestLog } from './request-log'
import type { AgentMemory, Guidance, ProposalReceipt } from './agent-memory'
import { handedInSchema } from './attempt-events'
import { shownKinds, type FoundItem } from './recall-for-agents'

/** Items listed as resources; a search finds the others. */
const MOST_LISTED = 200
const DEFAULT_TOKENS = 1500
const kindIds = (): string[] => shownKinds().map(({ info }) => info.id)

const tokens = z
  .number()
  .int()
  .min(100)
  .max(50_000)
  .default(DEFAULT_TOKENS)
  .describe('Most tokens of the answer.')
const ref = z.object({ kind: z.string().max(80), id: z.string().min(1).max(200) })

const itemShape = {
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  text: z.string(),
  reward: z.number().nullable(),
}
const foundOf = ({ kind, id, title, text, reward }: FoundItem) => ({ kind, id, title, text, reward })

/** An answer in words and as an object; an error in words the agent can act on. */
async function getNotice(
  work: () => Promise<{ text: string; data: Record<string, unknown> }>,
): Promise<CallToolResult> {
  try {
    const { text, data } = await work()
    return { content: [{ type: 'text', text }], structuredContent: data }
  } catch (error) {
    if (!(error instanceof LoamError)) throw error
    const { cause, suggestion } = toErrorShape(error)
    return { content: [{ type: 'text', text: `${cause} ${suggestion}` }], isError: true }
  }
}

const guided = ({ useId, text, items }: Guidance) => ({
  text:
    items.length === 0 ? text : `${text}\n\n(use ${useId}: report with memory_report whether this helped)`,
  data: { useId, guidance: text, items: items.map(foundOf) },
})

const receiptText = ({ proposalId, state, adds, redactions }: ProposalReceipt, what: string) => {
  const takenCount = Object.values(redactions).reduce((sum, count) => sum + count, 0)
  const secrets = takenCount === 0 ? '' : ` ${takenCount} secrets were taken out.`
  const where = state === 'held' ? 'It waits for a person.' : 'It is kept.'
  return {
    text: `${what} ${where}${secrets} (write ${proposalId})`,
    data: { proposalId, state, adds: [...adds], redactions },
  }
}

/**
 * A memory as an MCP server: tools to search it, to be guided by it and, where the memory may be written, to add to it; its documents and
 * lessons as resources; prompts that say when to use what. `client` overrides the name that a program gives itself; what is asked
 * is noted in `log`.
 */
export function createMemoryServer(
  served: AgentMemory,
  version: string,
  client?: string,
  log?: RequestLog,
): McpServer {
  const mcp = new McpServer(
    { name: 'loam-memory', title: `Loam: ${served.memory.name}`, version },
    { instructions: served.mayWrite ? `${READING} ${WRITING}` : READING },
  )
  const writer = (): string => {
    const name = client ?? mcp.server.getClientVersion()?.name ?? 'mcp'
    return name.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 60) || 'mcp'
  }
  const memory = log ? log.listening(served, writer) : served
  addReading(mcp, memory)
  if (memory.mayWrite) addWriting(mcp, memory, writer)
  addResources(mcp, memory, documents, 'documents')
  addResources(mcp, memory, lessons, 'lessons')
  addPrompts(mcp, memory)
  return mcp
}

const READING =
  'A memory of earlier attempts. Call memory_guidance with the task before you begin, and memory_feedback after an error.'
const WRITING =
  'Record what you did with memory_record_attempt when the outcome is known, and say with memory_report whether what you were given helped.'

const outputOfGuidance = { useId: z.string(), guidance: z.string(), items: z.array(z.object(itemShape)) }
const readOnly = { readOnlyHint: true, openWorldHint: false }

function addReading(mcp: McpServer, memory: AgentMemory): void {
  mcp.registerTool(
    'memory_search',
    {
      title: 'Search the memory',
      description:
        'Finds what was remembered, by words and meaning: cases, lessons, experiences, documents and more.',
      inputSchema: {
        query: z.string().trim().min(1).max(20_000).describe('What to look for.'),
        kinds: z
          .array(z.enum(kindIds() as [string, ...string[]]))
          .min(1)
          .optional()
          .describe('Kinds of memory; default all.'),
        limit: z.number().int().min(1).max(50).default(5),
      },
      outputSchema: { items: z.array(z.object(itemShape)) },
      annotations: readOnly,
    },
    ({ query, kinds, limit }, { signal }) =>
      getNotice(async () => {
        const items = (await memory.search({ text: query, limit, signal, ...(kinds && { kinds }) })).map(
          foundOf,
        )
        const lines = items.map(({ kind, id, text }, i) => `[${i + 1}] ${kind} ${id}\n${text}`)
        return { text: items.length === 0 ? 'Nothing was found.' : lines.join('\n\n'), data: { items } }
      }),
  )
  mcp.registerTool(
    'memory_guidance',
    {
      title: 'Guidance for a task',
      description: 'Call before the first step: what earlier attempts at tasks like this one teach.',
      inputSchema: { task: z.string().trim().min(1).max(20_000), tokens },
      outputSchema: outputOfGuidance,
      annotations: readOnly,
    },
    ({ task, tokens: most }, { signal }) =>
      getNotice(async () => guided(await memory.plan(task, most, signal))),
  )
  mcp.registerTool(
    'memory_feedback',
    {
      title: 'Guidance after an error',
      description: 'Call when a step failed: how others met this error, and what to do instead.',
      inputSchema: {
        task: z.string().trim().min(1).max(20_000),
        error: z.string().trim().min(1).max(20_000).describe('The error, and what led to it.'),
        tokens,
      },
      outputSchema: outputOfGuidance,
      annotations: readOnly,
    },
    ({ task, error, tokens: most }, { signal }) =>
      getNotice(async () => guided(await memory.feedback({ task, error, tokens: most }, signal))),
  )
}

const receipt = {
  proposalId: z.string(),
  state: z.string(),
  adds: z.array(ref),
  redactions: z.record(z.string(), z.number()),
}

function addWriting(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
  mcp.registerTool(
    'memory_record_attempt',
    {
      title: 'Record an attempt',
      description: 'Call when a task is over: what was done and how it ended. Secrets are taken out.',
      inputSchema: handedInSchema.shape,
      outputSchema: receipt,
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (attempt) => getNotice(async () => receiptText(await memory.record(attempt, writer()), 'Recorded.')),
  )
  mcp.registerTool(
    'memory_report',
    {
      title: 'Report whether it helped',
      description: 'Says whether items you were given helped with the task, so that what helps comes first.',
      inputSchema: {
        use_id: z.string().min(1).max(100).describe('As the guidance named it.'),
        items: z.array(ref).min(1).max(50),
        helped: z.boolean(),
      },
      outputSchema: receipt,
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ use_id: useId, items, helped }) =>
      getNotice(async () => receiptText(await memory.report({ items, helped, useId }, writer()), 'Noted.')),
  )
  mcp.registerTool(
    'memory_undo',
    {
      title: 'Undo a write of yours',
      description: 'Puts what one of your own writes added into the trash, or takes back one that waits.',
      inputSchema: { write_id: z.string().min(1).max(100) },
      outputSchema: { proposalId: z.string(), state: z.string() },
      annotations: { destructiveHint: true, openWorldHint: false },
    },
    ({ write_id: id }) =>
      getNotice(async () => {
        const { state } = await memory.undo(id, writer())
        return { text: `The write is ${state}.`, data: { proposalId: id, state } }
      }),
  )
}

function addResources(mcp: McpServer, memory: AgentMemory, kind: MemoryKindModule, path: string): void {
  const uriOf = (id: string): string => `loam://${path}/${encodeURIComponent(id)}`
  mcp.registerResource(
    path,
    new ResourceTemplate(`loam://${path}/{id}`, {
      list: async () => ({
        resources: (await memory.list(kind.info.id, MOST_LISTED)).map(({ id, title }) => ({
          uri: uriOf(id),
          name: title.slice(0, 120),
          mimeType: 'text/markdown',
        })),
      }),
    }),
    { title: kind.info.titleMany, description: kind.info.help, mimeType: 'text/markdown' },
    async (uri, { id }) => {
      const item = await memory.item({ kind: kind.info.id, id: decodeURIComponent(String(id)) })
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: item.text }] }
    },
  )
}

function addPrompts(mcp: McpServer, memory: AgentMemory): void {
  const getRequest = (text: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  })
  mcp.registerPrompt(
    'plan-with-memory',
    {
      title: 'Plan with the memory',
      description: 'The task with what earlier work teaches about it.',
      argsSchema: { task: z.string() },
    },
    async ({ task }) =>
      getRequest(
        `${(await memory.plan(task, DEFAULT_TOKENS)).text}\n\nTask: ${task}\n\nMake a plan, then carry it out.`,
      ),
  )
  mcp.registerPrompt(
    'after-an-error',
    {
      title: 'After an error',
      description: 'The error with how others met it.',
      argsSchema: { task: z.string(), error: z.string() },
    },
    async ({ task, error }) =>
      getRequest(
        `${(await memory.feedback({ task, error, tokens: DEFAULT_TOKENS })).text}\n\nTask: ${task}\nError: ${error}\n\nSay what went wrong and what to do instead.`,
      ),
  )
  if (!memory.mayWrite) return
  mcp.registerPrompt(
    'record-this-session',
    { title: 'Record this session', description: 'Has what was done here recorded as an attempt.' },
    () =>
      getRequest(
        'Record what you did in this session with memory_record_attempt: the task in its own words, each step with its tool, what came back, and whether it was solved. Use "unknown" unless something checked it.',
      ),
  )
}
