import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import {
  graphOf as graphInOrder,
  subjectOf,
  toldText,
  UNKNOWN,
  type Graph,
} from '../../core/formats/knowledge-graph/graph'
import { ENTITY_TYPE as KIND, FACT_KIND } from '../../core/memory/facts/fact'
import { LoamError } from '../../shared/errors'
import type { FactTelling, KnownFact } from './agent-facts'
import type { AgentMemory } from './agent-memory'
import { inWords, writerOf } from './mcp-answers'
import type { RequestLog } from './request-log'

const MOST = 200
const GRAPH_URI = 'memory://knowledge-graph'
/** How much of what is near in meaning is looked at. */
const TOKENS = 2000

const name = z.string().trim().min(1).max(200)
/** A blank observation says nothing and is not kept. */
const observation = z.string().trim().max(2000)
const entityShape = z.object({
  name: name.describe('The name of the entity'),
  entityType: z.string().trim().max(200).describe('The type of the entity'),
  observations: z
    .array(observation)
    .max(MOST)
    .describe('An array of observation contents associated with the entity'),
})
const relationShape = z.object({
  from: name.describe('The name of the entity where the relation starts'),
  to: name.describe('The name of the entity where the relation ends'),
  relationType: name.describe('The type of the relation'),
})
type Relation = z.infer<typeof relationShape>

/** What a call answers. */
const GRAPH = { entities: z.array(entityShape), relations: z.array(relationShape) }
const DELETED = { success: z.boolean(), message: z.string() }

/** What the official server says of its calls. */
const hints = (effect: 'reads' | 'adds' | 'deletes') => ({
  readOnlyHint: effect === 'reads',
  destructiveHint: effect === 'deletes',
  idempotentHint: effect !== 'adds',
  openWorldHint: false,
})

/** Whether a fact is what was told in these words; a fact stands in one line. */
const saysSo = (fact: KnownFact, text: string): boolean => {
  const plain = text.replace(/\s+/g, ' ')
  return plain === toldText(fact) || plain === fact.statement
}

/** The graph of facts that come newest first. */
export const graphOf = (facts: readonly KnownFact[]): Graph => graphInOrder(facts.toReversed())

/** The entities of these names, and the relations that begin or end at one that is there. */
function around({ entities, relations }: Graph, names: ReadonlySet<string>): Graph {
  const there = entities.filter((entity) => names.has(entity.name))
  const own = new Set(there.map((entity) => entity.name))
  return { entities: there, relations: relations.filter(({ from, to }) => own.has(from) || own.has(to)) }
}

const kindFact = (entity: string, kind: string): FactTelling => ({
  statement: `${entity} is of the type ${kind}.`,
  about: entity,
  link: { relation: KIND, to: kind },
})
const relationFact = ({ from, to, relationType }: Relation): FactTelling => ({
  statement: `${from} ${relationType} ${to}`,
  about: from,
  link: { relation: relationType, to },
})
const isRelation = (fact: KnownFact, { from, to, relationType }: Relation): boolean =>
  subjectOf(fact) === from && fact.link?.relation === relationType && fact.link.to === to

/** An answer as the official server gives it: as an object, and as text the JSON of `shown` (default: the whole); an error in words. */
const answer = (
  work: () => Promise<{ readonly data: Record<string, unknown>; readonly shown?: unknown }>,
): Promise<CallToolResult> =>
  inWords(async () => {
    const { data, shown = data } = await work()
    return { text: typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2), data }
  })

/**
 * A memory under the nine calls of the official memory server of MCP, for agents that were told to use those: entities are what facts are about,
 * observations and relations are facts. `client` overrides the name that a program gives itself.
 */
export function createGraphServer(
  served: AgentMemory,
  version: string,
  client?: string,
  log?: RequestLog,
): McpServer {
  const mcp = new McpServer({ name: 'memory-server', title: `Loam: ${served.memory.name}`, version })
  const writer = (): string => writerOf(mcp, client)
  const memory = log ? log.listening(served, writer) : served
  addReading(mcp, memory)
  if (memory.mayWrite) {
    addTelling(mcp, memory, writer)
    addForgetting(mcp, memory, writer)
  }
  return mcp
}

function addReading(mcp: McpServer, memory: AgentMemory): void {
  const graph = async (): Promise<Graph> => graphOf(await memory.facts())
  const calls = { outputSchema: GRAPH, annotations: hints('reads') }
  mcp.registerTool(
    'read_graph',
    { title: 'Read Graph', description: 'Read the entire knowledge graph', inputSchema: {}, ...calls },
    () => answer(async () => ({ data: { ...(await graph()) } })),
  )
  mcp.registerTool(
    'search_nodes',
    {
      title: 'Search Nodes',
      description: 'Search for nodes in the knowledge graph based on a query',
      inputSchema: {
        query: z
          .string()
          .max(20_000)
          .describe('The search query to match against entity names, types, and observation content'),
      },
      ...calls,
    },
    ({ query }, { signal }) => answer(async () => ({ data: { ...(await searched(memory, query, signal)) } })),
  )
  mcp.registerTool(
    'open_nodes',
    {
      title: 'Open Nodes',
      description: 'Open specific nodes in the knowledge graph by their names',
      inputSchema: { names: z.array(name).max(MOST).describe('An array of entity names to retrieve') },
      ...calls,
    },
    ({ names }) => answer(async () => ({ data: { ...around(await graph(), new Set(names)) } })),
  )
  mcp.registerResource(
    'knowledge-graph',
    GRAPH_URI,
    {
      title: 'Knowledge Graph',
      description: 'The full knowledge graph with all entities and relations',
      mimeType: 'application/json',
    },
    async ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(await graph(), null, 2) }],
    }),
  )
}

/** Entities that hold the words of a query as they stand, in the order of the graph; where none does, those that facts near it in meaning are about. */
async function searched(memory: AgentMemory, query: string, signal: AbortSignal): Promise<Graph> {
  const facts = await memory.facts()
  const graph = graphOf(facts)
  const words = query.toLowerCase()
  const holding = graph.entities.filter((entity) =>
    [entity.name, entity.entityType, ...entity.observations].some((text) =>
      text.toLowerCase().includes(words),
    ),
  )
  if (holding.length > 0) return around(graph, new Set(holding.map((entity) => entity.name)))
  const { items } = await memory.plan(query, TOKENS, signal)
  const near = new Set(items.flatMap(({ kind, id }) => (kind === FACT_KIND ? [id] : [])))
  return around(graph, new Set(facts.filter(({ id }) => near.has(id)).map(subjectOf)))
}

function addTelling(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
  /** Whether a fact is new. */
  const tell = async (telling: FactTelling): Promise<boolean> =>
    (await memory.remember(telling, writer())).adds.length > 0
  const observe = async (entity: string, contents: readonly string[]): Promise<string[]> => {
    const fresh: string[] = []
    for (const statement of contents)
      if (statement !== '' && (await tell({ statement, about: entity }))) fresh.push(statement)
    return fresh
  }
  mcp.registerTool(
    'create_entities',
    {
      title: 'Create Entities',
      description: 'Create multiple new entities in the knowledge graph',
      inputSchema: { entities: z.array(entityShape).max(MOST) },
      outputSchema: { entities: GRAPH.entities },
      annotations: hints('adds'),
    },
    ({ entities }) =>
      answer(async () => {
        const there = new Set(graphOf(await memory.facts()).entities.map((entity) => entity.name))
        const fresh = entities.filter((entity) => !there.has(entity.name))
        for (const entity of fresh) {
          await tell(kindFact(entity.name, entity.entityType || UNKNOWN))
          await observe(entity.name, entity.observations)
        }
        return { data: { entities: fresh }, shown: fresh }
      }),
  )
  mcp.registerTool(
    'create_relations',
    {
      title: 'Create Relations',
      description:
        'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
      inputSchema: { relations: z.array(relationShape).max(MOST) },
      outputSchema: { relations: GRAPH.relations },
      annotations: hints('adds'),
    },
    ({ relations }) =>
      answer(async () => {
        const fresh: Relation[] = []
        for (const relation of relations) if (await tell(relationFact(relation))) fresh.push(relation)
        return { data: { relations: fresh }, shown: fresh }
      }),
  )
  mcp.registerTool(
    'add_observations',
    {
      title: 'Add Observations',
      description: 'Add new observations to existing entities in the knowledge graph',
      inputSchema: {
        observations: z
          .array(
            z.object({
              entityName: name.describe('The name of the entity to add the observations to'),
              contents: z.array(observation).max(MOST).describe('An array of observation contents to add'),
            }),
          )
          .max(MOST),
      },
      outputSchema: {
        results: z.array(z.object({ entityName: name, addedObservations: z.array(observation) })),
      },
      annotations: hints('adds'),
    },
    ({ observations }) =>
      answer(async () => {
        const { entities } = graphOf(await memory.facts())
        for (const { entityName } of observations)
          if (!entities.some((entity) => entity.name === entityName))
            throw new LoamError('NOT_FOUND', `Entity with name ${entityName} not found.`, {
              suggestion: 'Create it first.',
            })
        const results: { entityName: string; addedObservations: string[] }[] = []
        for (const { entityName, contents } of observations)
          results.push({ entityName, addedObservations: await observe(entityName, contents) })
        return { data: { results }, shown: results }
      }),
  )
}

function addForgetting(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
  const calls = { outputSchema: DELETED, annotations: hints('deletes') }
  const forget = (what: string, isGone: (fact: KnownFact) => boolean): Promise<CallToolResult> =>
    answer(async () => {
      const targets = (await memory.facts()).filter(isGone)
      // What others told waits for a person and keeps nothing of one's own waiting.
      const own = targets.filter(({ by }) => by === writer())
      const others = targets.filter(({ by }) => by !== writer())
      for (const facts of [own, others])
        if (facts.length > 0)
          await memory.forget(
            facts.map(({ id }) => id),
            writer(),
          )
      const success = others.length === 0
      const message = success
        ? `${what} deleted successfully`
        : `${what}: ${own.length} facts deleted; ${others.length} that others told wait for a person.`
      return { data: { success, message }, shown: message }
    })
  mcp.registerTool(
    'delete_entities',
    {
      title: 'Delete Entities',
      description: 'Delete multiple entities and their associated relations from the knowledge graph',
      inputSchema: { entityNames: z.array(name).max(MOST).describe('An array of entity names to delete') },
      ...calls,
    },
    ({ entityNames }) =>
      forget(
        'Entities',
        (fact) =>
          entityNames.includes(subjectOf(fact)) ||
          (fact.link !== null && fact.link.relation !== KIND && entityNames.includes(fact.link.to)),
      ),
  )
  mcp.registerTool(
    'delete_observations',
    {
      title: 'Delete Observations',
      description: 'Delete specific observations from entities in the knowledge graph',
      inputSchema: {
        deletions: z
          .array(
            z.object({
              entityName: name.describe('The name of the entity containing the observations'),
              observations: z.array(observation).max(MOST).describe('An array of observations to delete'),
            }),
          )
          .max(MOST),
      },
      ...calls,
    },
    ({ deletions }) =>
      forget('Observations', (fact) =>
        deletions.some(
          ({ entityName, observations }) =>
            fact.link === null &&
            subjectOf(fact) === entityName &&
            observations.some((text) => saysSo(fact, text)),
        ),
      ),
  )
  mcp.registerTool(
    'delete_relations',
    {
      title: 'Delete Relations',
      description: 'Delete multiple relations from the knowledge graph',
      inputSchema: {
        relations: z.array(relationShape).max(MOST).describe('An array of relations to delete'),
      },
      ...calls,
    },
    ({ relations }) =>
      forget('Relations', (fact) => relations.some((relation) => isRelation(fact, relation))),
  )
}
