import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import type { Found } from '../../memory/experiences/import/log'
import { foundFact, LONGEST_FACT } from '../foreign-fact'
import type { Format } from '../format'
import { foundOfRow, UNITS, unitsOf } from '../units'

/** mem0's memories, as `get_all()` answers. */
export const mem0: Format = {
  id: 'mem0',
  title: 'mem0 memories (JSON)',
  writtenFor:
    'mem0 1 and its platform: {"results": [{id, memory, metadata, created_at, updated_at, user_id}]} of get_all()',
  ...UNITS,
  recognise: byJsonSigns([
    sign(0.85, /"(?:results|memories)"\s*:\s*\[/, /"memory"\s*:\s*"/),
    sign(0.8, /^\s*\[/, /"memory"\s*:\s*"/, /"(?:user_id|agent_id|run_id|hash)"\s*:/),
  ]),
  fileName: ({ fileName }) => `${fileName}-mem0.json`,
  async *write(source, options) {
    let isBegun = false
    for await (const { id, kind, kinds, title, text, environment, createdAt, line } of unitsOf(
      source,
      options,
    )) {
      const metadata = { kind, title, environment, loam: JSON.stringify(line) }
      const memory = {
        id,
        memory: text,
        metadata,
        created_at: createdAt,
        updated_at: createdAt,
        user_id: source.id,
      }
      yield { text: `${isBegun ? ',' : '{"results": ['}\n${JSON.stringify(memory)}`, holds: kinds }
      isBegun = true
    }
    yield { text: isBegun ? '\n]}\n' : '{"results": []}\n', holds: null }
  },
  async *read(text, context) {
    for await (const { place, value, problem } of parsed(readElements(text))) {
      const list = isRecord(value) ? listIn(value['results'] ?? value['memories'], value) : [value]
      for (const [i, one] of list.entries()) {
        const at = list.length === 1 ? place : { ...place, entry: i + 1 }
        if (problem === null && isRecord(one)) yield itemOf(one, at, context)
        else yield { kind: 'left', place: at, why: problem ?? 'it is no memory' }
      }
    }
  },
}

/** The list of an answer, or the memory itself. */
const listIn = (list: unknown, one: unknown): unknown[] => (Array.isArray(list) ? list : [one])

function itemOf(
  one: Record<string, unknown>,
  ...[place, context]: [Found['place'], Parameters<typeof foundOfRow>[3]]
): Found {
  const { loam, title, environment } = isRecord(one['metadata']) ? one['metadata'] : {}
  const { categories: tags, created_at: createdAt, expiration_date: until } = one
  const text = one['memory'] ?? one['text']
  // What Loam wrote comes back as it was; a sentence of mem0's own is a fact.
  if (loam === undefined && typeof text === 'string' && text.trim() !== '' && text.length <= LONGEST_FACT)
    return foundFact({ statement: text, about: subjectOf(one), by: 'mem0', createdAt, until }, place, context)
  return foundOfRow(loam, { text, title, environment, tags, createdAt }, place, context)
}

/** mem0 says of whom it keeps something by an id: of its user nothing more is known, of an agent its name. */
const subjectOf = ({ user_id, agent_id }: Record<string, unknown>): string | null =>
  typeof user_id === 'string' ? 'me' : typeof agent_id === 'string' ? agent_id : null
