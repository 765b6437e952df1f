import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { ENTITY_TYPE as KIND } from '../../core/memory/facts/fact'
import { LoamError } from '../../shared/errors'
import type { FactTelling, KnownFact } from './agent-facts'
import type { AgentMemory } from './agent-memory'
import { inWords, writerOf } from './mcp-answers'
import type { RequestLog } from './request-log'

/** Where facts without a subject stand. */
const NO_SUBJECT = '(no subject)'
const MOST = 200

const name = z.string().trim().min(1).max(200)
const observation = z.string().trim().min(1).max(2000)
const relationShape = z.object({ from: name, to: name, relationType: name })
type Relation = z.infer<typeof relationShape>

/** A thing of the knowledge graph, as the official memory server has it. */
interface Entity {
  readonly name: string
  entityType: string
  readonly observations: string[]
}
export interface Graph {
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

const subjectOf = ({ about }: KnownFact): string => (about === '' ? NO_SUBJECT : about)
/** A statement as it was told, without the subject that was put in front. */
const toldText = ({ statement, about }: KnownFact): string =>
  about !== '' && statement.startsWith(`${about}: `) ? statement.slice(about.length + 2) : statement

/** Facts as a knowledge graph: subjects are entities, links are relations, everything else is an observation. */
export function graphOf(facts: readonly KnownFact[]): Graph {
  const entities = new Map<string, Entity>()
  const entityOf = (subject: string): Entity => {
    const entity = entities.get(subject) ?? { name: subject, entityType: 'unknown', observations: [] }
    entities.set(subject, entity)
    return entity
  }
  const relations: Relation[] = []
  for (const fact of facts.toReversed()) {
    const entity = entityOf(subjectOf(fact))
    if (fact.link === null) entity.observations.push(toldText(fact))
    else if (fact.link.relation === KIND) entity.entityType = fact.link.to
    else {
      entityOf(fact.link.to)
      relations.push({ from: entity.name, to: fact.link.to, relationType: fact.link.relation })
    }
  }
  return { entities: [...entities.values()], relations }
}

/** The entities of these names, and the relations that begin or end at one. */
function around({ entities, relations }: Graph, names: ReadonlySet<string>): Graph {
  return {
    entities: entities.filter((entity) => names.has(entity.name)),
    relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)),
  }
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

/** An answer as the official server gives it: JSON as text; an error in words. */
const answer = (work: () => Promise<unknown>): Promise<CallToolResult> =>
  inWords(async () => {
    const value = await work()
    return { text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }
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
  mcp.registerTool('read_graph', { description: 'Read the entire knowledge graph', inputSchema: {} }, () =>
    answer(graph),
  )
  mcp.registerTool(
    'search_nodes',
    {
      description: 'Search for nodes in the knowledge graph based on a query',
      inputSchema: { query: z.string().trim().min(1).max(20_000) },
    },
    ({ query }, { signal }) =>
      answer(async () => {
        const facts = await memory.facts()
        const hits = await memory.search({ text: query, kinds: ['fact'], limit: 20, signal })
        const ids = new Set(hits.map(({ id }) => id))
        const words = query.toLowerCase()
        const hitFacts = facts.filter(
          (fact) => ids.has(fact.id) || fact.statement.toLowerCase().includes(words),
        )
        return around(graphOf(facts), new Set(hitFacts.map(subjectOf)))
      }),
  )
  mcp.registerTool(
    'open_nodes',
    {
      description: 'Open specific nodes in the knowledge graph by their names',
      inputSchema: { names: z.array(name).max(MOST) },
    },
    ({ names }) => answer(async () => around(await graph(), new Set(names))),
  )
}

function addTelling(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
  /** Whether a fact is new. */
  const tell = async (telling: FactTelling): Promise<boolean> =>
    (await memory.remember(telling, writer())).adds.length > 0
  const observe = async (entity: string, contents: readonly string[]): Promise<string[]> => {
    const fresh: string[] = []
    for (const statement of contents) if (await tell({ statement, about: entity })) fresh.push(statement)
    return fresh
  }
  mcp.registerTool(
    'create_entities',
    {
      description: 'Create multiple new entities in the knowledge graph',
      inputSchema: {
        entities: z
          .array(z.object({ name, entityType: name, observations: z.array(observation).max(MOST) }))
          .max(MOST),
      },
    },
    ({ entities }) =>
      answer(async () => {
        const there = new Set(graphOf(await memory.facts()).entities.map((entity) => entity.name))
        const fresh = entities.filter((entity) => !there.has(entity.name))
        for (const entity of fresh) {
          await tell(kindFact(entity.name, entity.entityType))
          await observe(entity.name, entity.observations)
        }
        return fresh
      }),
  )
  mcp.registerTool(
    'create_relations',
    {
      description: 'Create multiple new relations between entities, in active voice',
      inputSchema: { relations: z.array(relationShape).max(MOST) },
    },
    ({ relations }) =>
      answer(async () => {
        const fresh: Relation[] = []
        for (const relation of relations) if (await tell(relationFact(relation))) fresh.push(relation)
        return fresh
      }),
  )
  mcp.registerTool(
    'add_observations',
    {
      description: 'Add new observations to existing entities',
      inputSchema: {
        observations: z
          .array(z.object({ entityName: name, contents: z.array(observation).max(MOST) }))
          .max(MOST),
      },
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
        return results
      }),
  )
}

function addForgetting(mcp: McpServer, memory: AgentMemory, writer: () => string): void {
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
      if (others.length === 0) return `${what} deleted successfully`
      return `${what}: ${own.length} facts deleted; ${others.length} that others told wait for a person.`
    })
  mcp.registerTool(
    'delete_entities',
    {
      description: 'Delete multiple entities and their associated relations from the knowledge graph',
      inputSchema: { entityNames: z.array(name).max(MOST) },
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
      description: 'Delete specific observations from entities in the knowledge graph',
      inputSchema: {
        deletions: z
          .array(z.object({ entityName: name, observations: z.array(observation).max(MOST) }))
          .max(MOST),
      },
    },
    ({ deletions }) =>
      forget('Observations', (fact) =>
        deletions.some(
          ({ entityName, observations }) =>
            fact.link === null && subjectOf(fact) === entityName && observations.includes(toldText(fact)),
        ),
      ),
  )
  mcp.registerTool(
    'delete_relations',
    {
      description: 'Delete multiple relations from the knowledge graph',
      inputSchema: { relations: z.array(relationShape).max(MOST) },
    },
    ({ relations }) =>
      forget('Relations', (fact) => relations.some((relation) => isRelation(fact, relation))),
  )
}
