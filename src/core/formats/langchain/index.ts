import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import type { Format } from '../format'
import { foundInRows, jsonLine, UNITS, unitsOf } from '../units'

/** Where LangChain's loaders find the class. */
const CLASS = ['langchain_core', 'documents', 'Document'] as const

function documentOf(row: Readonly<Record<string, unknown>>) {
  const input = isRecord(row['kwargs']) ? row['kwargs'] : row
  const { loam, title, environment, createdAt } = isRecord(input['metadata']) ? input['metadata'] : {}
  return { loam, text: input['page_content'] ?? input['pageContent'], title, environment, createdAt }
}

/** LangChain's documents, a serialised one per line. */
export const langchain: Format = {
  id: 'langchain',
  title: 'LangChain documents (JSON lines)',
  writtenFor: 'langchain-core 0.3 and 1: documents as its load() reads them, in Python and JavaScript',
  ...UNITS,
  recognise: byJsonSigns([sign(0.8, /"page_?[cC]ontent"\s*:/)]),
  fileName: ({ fileName }) => `${fileName}-langchain.jsonl`,
  async *write(source, options) {
    for await (const { id, kind, kinds, title, text, environment, createdAt, reward, line } of unitsOf(
      source,
      options,
    )) {
      const metadata = { source: id, kind, title, environment, createdAt, reward, loam: JSON.stringify(line) }
      const kwargs = { id, page_content: text, metadata, type: 'Document' }
      yield jsonLine({ lc: 1, type: 'constructor', id: CLASS, kwargs }, kinds)
    }
  },
  read: (text, context) => foundInRows(parsed(readElements(text)), 'it is no document', documentOf, context),
}
