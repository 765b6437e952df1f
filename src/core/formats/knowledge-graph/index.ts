import { z } from 'zod'
import { parsed, readLines } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import { ENTITY_TYPE, type Fact } from '../../memory/facts/fact'
import { facts } from '../../memory/facts/kind'
import type { Format } from '../format'
import { foundFact } from '../foreign-fact'
import { leavingHeads } from '../units'
import { graphOf, NO_SUBJECT, UNKNOWN } from './graph'

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('entity'),
    name: z.string().min(1),
    entityType: z.string().default(''),
    observations: z.array(z.string()).default([]),
  }),
  z.object({
    type: z.literal('relation'),
    from: z.string().min(1),
    to: z.string().min(1),
    relationType: z.string().min(1),
  }),
])

const BY = 'memory server'

function* foundIn(
  line: z.infer<typeof lineSchema>,
  ...[place, context]: [Found['place'], ReadContext]
): Generator<Found> {
  if (line.type === 'relation') {
    const { from, to, relationType: relation } = line
    const statement = `${from} ${relation} ${to}`
    yield foundFact({ statement, about: from, by: BY, link: { relation, to } }, place, context)
    return
  }
  const { name, entityType, observations } = line
  const about = name === NO_SUBJECT ? null : name
  const type = entityType === UNKNOWN ? '' : entityType
  // What nothing is said of is there all the same.
  const to = type === '' && observations.length === 0 ? UNKNOWN : type
  if (to !== '' && about !== null)
    yield foundFact(
      {
        statement: `${name} is of the type ${to}.`,
        about,
        by: BY,
        link: { relation: ENTITY_TYPE, to },
      },
      place,
      context,
    )
  for (const statement of observations)
    if (statement.trim() !== '') yield foundFact({ statement, about, by: BY }, place, context)
}

/** The file of the official memory server of MCP: entities and relations, a line each, as facts. */
export const knowledgeGraph: Format = {
  id: 'knowledge-graph',
  title: 'Knowledge graph of the official memory server (JSONL)',
  writtenFor: '@modelcontextprotocol/server-memory 0.6 and 2025 (memory.json, memory.jsonl)',
  keeps:
    'Every observation, relation and type of an entity, as a fact about it. Written are the live facts, each below what it is about.',
  loses:
    'When it was said and by whom, which the file does not tell. Of a memory: everything but its facts, and their last days, notes and history.',
  recognise: byJsonSigns([
    sign(0.93, /"type"\s*:\s*"entity"/, /"entityType"\s*:/),
    sign(0.93, /"type"\s*:\s*"relation"/, /"relationType"\s*:/),
  ]),
  fileName: () => 'memory.jsonl',
  async *write(source, options) {
    const all: Fact[] = []
    for await (const { id } of leavingHeads(source, facts, options)) {
      const fact = await source.memory.memory(id)
      if (fact) all.push(fact as Fact)
    }
    const { entities, relations } = graphOf(all)
    const lines = [
      ...entities.map((entity) => ({ type: 'entity', ...entity })),
      ...relations.map((relation) => ({ type: 'relation', ...relation })),
    ]
    // The official server ends no line that is the last.
    for (const [i, line] of lines.entries())
      yield {
        text: `${i === 0 ? '' : '\n'}${JSON.stringify(line)}`,
        holds: `${line.type === 'entity' ? 'entities' : 'relations'}`,
      }
  },
  async *read(text, context) {
    for await (const { place, value, problem } of parsed(readLines(text))) {
      const line = lineSchema.safeParse(value)
      if (problem === null && line.success) yield* foundIn(line.data, place, context)
      else yield { kind: 'left', place, why: problem ?? 'it is neither an entity nor a relation' }
    }
  },
}
