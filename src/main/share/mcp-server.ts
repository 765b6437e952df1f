import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { documents } from '../../core/memory/guides/kind'
import { lessons } from '../../core/memory/lessons/kind'
import type { MemoryKindModule } from '../../core/memory/items/kind'
import { daySchema } from '../../core/memory/items/last-day'
import { LoamError } from '../../shared/errors'
import { inWords, writerOf } from './mcp-answers'
import type { RequestLog } from './request-log'
import type { FactReceipt, KnownFact } from './agent-facts'
import { readOnly, type AgentMemory, type Guidance } from './agent-memory'
import { handedInSchema } from './attempt-events'
import type { ProposalReceipt } from './proposals'
import { shownKinds, type FoundItem } from './recall-for-agents'

/** Items listed as resources; a search finds the others. */
const MOST_LISTED = 200
const DEFAULT_TOKENS = 1500
/** Characters of a fact. */
const LONGEST_FACT = 2000
const kindIds = (): string[] => shownKinds().map(({ info }) => info.id)

const tokens = z.number().int().min(100).max(50_000).default(DEFAULT_TOKENS)
const text = z.string().trim().min(1).max(20_000)
const id = z.string().min(1).max(200)
const ref = z.object({ kind: z.string().max(80), id })
const project = z.string().trim().max(100).optional()
/** The pattern of a day is checked, not told: it would take a tenth of what all tools say. */
const lastDay = z
  .string()
  .refine((one) => daySchema.safeParse(one).success, { message: 'no day such as 2026-12-31' })
  .optional()

const foundOf = ({ kind, id, title, text, reward }: FoundItem) => ({ kind, id, title, text, reward })

const guided = ({ useId, text, items }: Guidance, mayWrite: boolean) => ({
  text:
    items.length === 0 || !mayWrite
      ? text
      : `${text}\n\n(use_id ${useId}: say with memory_report whether this helped)`,
  data: { useId, guidance: text, items: items.map(foundOf) },
})

const receiptText = ({ proposalId, state, adds, redactions, waits }: ProposalReceipt, what: string) => {
  const takenCount = Object.values(redactions).reduce((sum, count) => sum + count, 0)
  const secrets = takenCount === 0 ? '' : ` ${takenCount} secrets were taken out.`
  const where =
    state === 'held'
      ? 'It waits for a person.'
      : waits
        ? 'It is kept, and recalled once a person takes it out of quarantine: that it succeeded is your claim.'
        : 'It is kept.'
  return {
    text: `${what} ${where}${secrets} (write_id ${proposalId})`,
    data: { proposalId, state, adds: [...adds], redactions: { ...redactions } },
  }
}

/**
 * A memory as an MCP server: tools to search it, to list its facts, to be guided by it and, where the memory may be written, to add to it; its
 * documents and lessons as resources; prompts that say when to use what. `client` overrides the name that a program gives itself; what is asked
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
    { instructions: `${READING} ${served.mayWrite ? WRITING : READING_ONLY}` },
  )
  const writer = (): string => writerOf(mcp, client)
  const memory = log ? log.listening(served, writer) : served
  if (!memory.mayWrite) refuseWriting(mcp)
  addReading(mcp, memory)
  if (memory.mayWrite) addWriting(mcp, memory, writer)
  addResources(mcp, memory, documents, 'documents')
  addResources(mcp, memory, lessons, 'lessons')
  addPrompts(mcp, memory)
  return mcp
}

const READING =
  'A memory of a person and of earlier work. Call memory_guidance at the start of a session, with the task before you begin, and with the error after one.'
const WRITING =
  'Keep with memory_remember what you are told and what will hold later; say with memory_report how a task ended.'

const READING_ONLY = 'It is served for reading only: nothing can be kept in it.'

/** Tools that are listed only where a program may write. */
const WRITING_TOOLS: ReadonlySet<string> = new Set([
  'memory_remember',
  'memory_update',
  'memory_forget',
  'memory_report',
  'memory_undo',
])

/** Has a call of a tool that writes, which is not listed, answered with why and what a person can do. */
function refuseWriting({ server }: McpServer): void {
  const handle = server.setRequestHandler.bind(server)
  server.setRequestHandler = ((schema: typeof CallToolRequestSchema, answer: Parameters<typeof handle>[1]) =>
    handle(schema, (request, extra) =>
      schema === CallToolRequestSchema && WRITING_TOOLS.has(request.params.name)
        ? inWords(() => Promise.reject(readOnly()))
        : answer(request, extra),
    )) as typeof server.setRequestHandler
}

const READ_ONLY = { readOnlyHint: true }
const WRITES = { destructiveHint: false }
const ENDS = { destructiveHint: true }

const factLine = ({ id, statement, by, at, project, about, until }: KnownFact): string =>
  `${id}: ${statement} (${[about === '' ? '' : `about ${about}`, by ?? 'the person', at.slice(0, 10), until === null ? '' : `until ${until}`, project ?? ''].filter((part) => part !== '').join(', ')})`

function addReading(mcp: McpServer, memory: AgentMemory): void {
  mcp.registerTool(
    'memory_search',
    {
      description: 'Finds facts, cases, lessons and more by words and meaning.',
      inputSchema: {
        query: text,
        kinds: z
          .array(z.enum(kindIds() as [string, ...string[]]))
          .min(1)
          .optional(),
        limit: z.number().int().min(1).max(50).default(5),
      },
      annotations: READ_ONLY,
    },
    ({ query, kinds, limit }, { signal }) =>
      inWords(async () => {
        const items = (await memory.search({ text: query, limit, signal, ...(kinds && { kinds }) })).map(
          foundOf,
        )
        const lines = items.map(({ kind, id, text }, i) => `[${i + 1}] ${kind} ${id}\n${text}`)
        return { text: items.length === 0 ? 'Nothing was found.' : lines.join('\n\n'), data: { items } }
      }),
  )
  mcp.registerTool(
    'memory_list',
    {
      description: 'Lists facts, newest first: who told each, when, about what.',
      inputSchema: {
        about: z.string().max(200).optional().describe('"me" for the person, else a name.'),
        limit: z.number().int().min(1).max(MOST_LISTED).default(50),
      },
      annotations: READ_ONLY,
    },
    ({ about, limit }) =>
      inWords(async () => {
        const all = await memory.facts(about)
        const facts = all.slice(0, limit)
        const more = all.length > facts.length ? [`${all.length - facts.length} more.`] : []
        const lines = facts.length === 0 ? ['No fact is known.'] : facts.map(factLine)
        return { text: [...lines, ...more].join('\n'), data: { facts, total: all.length } }
      }),
  )
  mcp.registerTool(
    'memory_guidance',
    {
      description:
        'What is known that helps: with a task before its first step, with the error after one, with neither at the start of a session.',
      inputSchema: { task: text.optional(), error: text.optional(), tokens },
      annotations: READ_ONLY,
    },
    ({ task, error, tokens: most }, { signal }) =>
      inWords(async () =>
        guided(
          error !== undefined
            ? await memory.feedback({ task: task ?? '', error, tokens: most }, signal)
            : task !== undefined
              ? await memory.plan(task, most, signal)
              : await memory.overview(most),
          memory.mayWrite,
        ),
      ),
  )
}

/** What became of a fact, in words. */
function factNotice(receipt: FactReceipt): { text: string; data: Record<string, unknown> } {
  const { factId, replaced, againstPerson, adds, state } = receipt
  if (adds.length === 0) return { text: `That is known already (${factId}).`, data: { factId, state } }
  const earlier = replaced.map(factLine)
  const words = [
    receiptText(receipt, `Fact ${factId}.`).text,
    againstPerson ? 'It waits because a person said otherwise.' : '',
    earlier.length === 0 ? '' : `It takes the place of:\n${earlier.join('\n')}`,
  ]
  return {
    text: words.filter((part) => part !== '').join(' '),
    data: { ...receiptText(receipt, '').data, factId, replaced: [...replaced] },
  }
}

function addFacts(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
  const statement = z.string().trim().min(1).max(LONGEST_FACT).describe('A sentence that stands by itself.')
  mcp.registerTool(
    'memory_remember',
    {
      description:
        'Keeps one fact or preference. What it contradicts goes into its history. Secrets are taken out.',
      inputSchema: {
        fact: statement,
        about: z.string().trim().max(200).optional().describe('"me" for the person, else a name.'),
        project: project.describe('Default: everywhere.'),
        until: lastDay.describe('Last day: 2026-12-31.'),
      },
      annotations: WRITES,
    },
    ({ fact, about, project: scope, until }) =>
      inWords(async () =>
        factNotice(await memory.remember({ statement: fact, about, project: scope, until }, writer())),
      ),
  )
  mcp.registerTool(
    'memory_update',
    {
      description: 'Replaces what a fact says; its history keeps the earlier words.',
      inputSchema: { id, fact: statement, until: lastDay },
      annotations: WRITES,
    },
    ({ id: factId, fact, until }) =>
      inWords(async () =>
        factNotice(await memory.change(factId, fact, writer(), until === undefined ? {} : { until })),
      ),
  )
  mcp.registerTool(
    'memory_forget',
    {
      description: 'Puts a fact out of use. What you did not tell yourself waits for a person.',
      inputSchema: { id },
      annotations: ENDS,
    },
    ({ id: factId }) =>
      inWords(async () => {
        const receipt = await memory.forget([factId], writer())
        const { proposalId, state } = receipt
        const words = state === 'held' ? 'A person decides about it.' : 'It is forgotten.'
        return { text: `${words} (write_id ${proposalId})`, data: { proposalId, state } }
      }),
  )
}

const reportShape = {
  ...handedInSchema.partial({ task: true, outcome: true }).shape,
  use_id: z.string().min(1).max(100).optional().describe('As the guidance named it.'),
  items: z.array(ref).max(50).default([]).describe('Those of the guidance that helped, or did not.'),
  helped: z.boolean().optional(),
}

function addWriting(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
  addFacts(mcp, memory, writer)
  mcp.registerTool(
    'memory_report',
    {
      description:
        'Call when a task is over: how it ended and what was done, whether guidance helped, or both.',
      inputSchema: reportShape,
      annotations: WRITES,
    },
    ({ task, outcome, use_id: useId, items, helped, ...attempt }) =>
      inWords(async () => {
        const receipts: { text: string; data: Record<string, unknown> }[] = []
        if (task !== undefined && outcome !== undefined)
          receipts.push(
            receiptText(await memory.record({ task, outcome, ...attempt }, writer()), 'Recorded.'),
          )
        if (useId !== undefined && items.length > 0 && helped !== undefined)
          receipts.push(receiptText(await memory.report({ items, helped, useId }, writer()), 'Noted.'))
        const [first] = receipts
        if (!first)
          throw new LoamError('BAD_INPUT', 'The report says neither how a task ended nor what helped.', {
            suggestion: 'Send task and outcome, or use_id, items and helped.',
          })
        return {
          text: receipts.map((one) => one.text).join(' '),
          data: { ...first.data, ...(receipts[1] && { noted: receipts[1].data }) },
        }
      }),
  )
  mcp.registerTool(
    'memory_undo',
    {
      description: 'Takes one of your own writes back.',
      inputSchema: { write_id: z.string().min(1).max(100) },
      annotations: ENDS,
    },
    ({ write_id: writeId }) =>
      inWords(async () => {
        const { state } = await memory.undo(writeId, writer())
        return { text: `The write is ${state}.`, data: { proposalId: writeId, state } }
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
        'Record what you did in this session with memory_report: the task in its own words, each step with its tool, what came back, and whether it was solved. Use "unknown" unless something checked it.',
      ),
  )
}
