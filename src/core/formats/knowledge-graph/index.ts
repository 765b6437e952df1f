import { z } from 'zod'
import { parsed, readLines } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import { ENTITY_TYPE } from '../../memory/facts/fact'
import type { Format } from '../format'
import { foundFact } from '../foreign-fact'

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
  const { name, entityType: to, observations } = line
  if (to !== '')
    yield foundFact(
      {
        statement: `${name} is of the type ${to}.`,
        about: name,
        by: BY,
        link: { relation: ENTITY_TYPE, to },
      },
      place,
      context,
    )
  for (const statement of observations)
    if (statement.trim() !== '') yield foundFact({ statement, about: name, by: BY }, place, context)
}

/** The file of the official memory server of MCP: entities and relations, a line each, as facts. */
export const knowledgeGraph: Format = {
  id: 'knowledge-graph',
  title: 'Knowledge graph of the official memory server (JSONL)',
  writtenFor: '@modelcontextprotocol/server-memory 0.6 and 2025 (memory.json, memory.jsonl)',
  keeps: 'Every observation, relation and type of an entity, as a fact about it.',
  loses: 'When it was said and by whom, which the file does not tell.',
  recognise: byJsonSigns([
    sign(0.93, /"type"\s*:\s*"entity"/, /"entityType"\s*:/),
    sign(0.93, /"type"\s*:\s*"relation"/, /"relationType"\s*:/),
  ]),
  async *read(text, context) {
    for await (const { place, value, problem } of parsed(readLines(text))) {
      const line = lineSchema.safeParse(value)
      if (problem === null && line.success) yield* foundIn(line.data, place, context)
      else yield { kind: 'left', place, why: problem ?? 'it is neither an entity nor a relation' }
    }
  },
}
