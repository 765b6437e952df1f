import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import type { Format } from '../format'
import { asArray, foundInRows, UNITS, unitsOf, type Unit } from '../units'

/** What a model or an encoder of LlamaIndex should not be shown. */
const HIDDEN = ['loam', 'id']

function nodeOf({ id, kind, title, text, environment, createdAt, line }: Unit) {
  return {
    id_: id,
    embedding: null,
    metadata: { id, kind, title, environment, createdAt, loam: JSON.stringify(line) },
    excluded_embed_metadata_keys: HIDDEN,
    excluded_llm_metadata_keys: HIDDEN,
    relationships: {},
    metadata_template: '{key}: {value}',
    metadata_separator: '\n',
    text,
    mimetype: 'text/plain',
    start_char_idx: null,
    end_char_idx: null,
    text_template: '{metadata_str}\n\n{content}',
    class_name: 'TextNode',
  }
}

function partsOf(row: Readonly<Record<string, unknown>>) {
  // A stored node wraps what it says.
  const node = isRecord(row['__data__']) ? row['__data__'] : row
  const { loam, title, environment, createdAt } = isRecord(node['metadata']) ? node['metadata'] : {}
  const resource = isRecord(node['text_resource']) ? node['text_resource']['text'] : undefined
  return { loam, text: node['text'] ?? resource, title, environment, createdAt }
}

/** LlamaIndex's nodes, as `to_dict()` writes them. */
export const llamaIndex: Format = {
  id: 'llama-index',
  title: 'LlamaIndex nodes (JSON)',
  writtenFor: 'llama-index-core 0.10 to 0.14: TextNode.to_dict(), read by TextNode.from_dict()',
  ...UNITS,
  recognise: byJsonSigns([sign(0.9, /"class_name"\s*:\s*"(?:TextNode|Document)"/), sign(0.6, /"id_"\s*:/)]),
  fileName: ({ fileName }) => `${fileName}-llamaindex.json`,
  write: (source, options) =>
    asArray(
      (async function* () {
        for await (const unit of unitsOf(source, options)) yield { value: nodeOf(unit), holds: unit.kinds }
      })(),
    ),
  read: (text, context) => foundInRows(parsed(readElements(text)), 'it is no node', partsOf, context),
}
