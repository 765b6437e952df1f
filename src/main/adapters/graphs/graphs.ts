import { type Graph, type Graphs, NAMESPACE, type Edge } from '../../../core/tasks/lab-kg/graph'
import { graphAtEndpoint } from './endpoint'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { LoamError } from '../../../shared/errors'
import { Store } from 'oxigraph'

/** What a value or address is shown as: names without Freebase's namespace. */
export const plainName = (value: string): string =>
  value.startsWith(NAMESPACE) ? value.slice(NAMESPACE.length) : value

const name = (id: string): string =>
  `<${NAMESPACE}${id.replace(/[\u0000-\u0020<>"{}|^`\\]/g, (char) => encodeURIComponent(char))}>`

const INTEGER = '<http://www.w3.org/2001/XMLSchema#integer>'
const DOUBLE = '<http://www.w3.org/2001/XMLSchema#double>'

const line = ({ from, relation, to }: Edge): string =>
  `${name(from)} ${name(relation)} ${
    typeof to === 'string' ? name(to) : `"${to}"^^${Number.isInteger(to) ? INTEGER : DOUBLE}`
  } .`

/** A graph in memory, in Oxigraph: Rust's SPARQL in WebAssembly. */
function embeddedGraph(load: (store: Store) => void): Graph {
  const store = new Store()
  load(store)
  let open = true
  return {
    select(sparql) {
      if (!open) return Promise.reject(new Error('the graph is closed'))
      const rows = store.query(sparql, { use_default_graph_as_union: true }) as Map<
        string,
        { value: string }
      >[]
      return Promise.resolve(rows.flatMap((row) => [...row.values()].map(({ value }) => plainName(value))))
    },
    close() {
      if (!open) return
      open = false
      free(store)
    },
  }
}

/** The memory of a store, which its types do not tell of. */
const free = (store: Store): void => (store as Store & { free?: () => void }).free?.()

/** A graph of edges. */
export const graphOf = (edges: readonly Edge[]): Graph =>
  embeddedGraph((store) =>
    store.load(edges.map(line).join('\n'), { format: 'application/n-triples', no_transaction: true }),
  )

const FORMATS: Readonly<Record<string, string>> = {
  '.nt': 'application/n-triples',
  '.nq': 'application/n-quads',
  '.ttl': 'text/turtle',
  '.trig': 'application/trig',
  '.rdf': 'application/rdf+xml',
  '.xml': 'application/rdf+xml',
}

/** Largest dump, in bytes: it is held in memory. */
const LARGEST = 256 * 2 ** 20

const refused = (cause: string, suggestion: string): LoamError =>
  new LoamError('BAD_INPUT', cause, { suggestion })

/** A graph in memory from an RDF dump, told apart by its ending. @throws LoamError `BAD_INPUT` with the place of the first mistake */
async function graphFromDump(path: string): Promise<Graph> {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format === undefined)
    throw refused(
      `${path} is no RDF dump by its name.`,
      `Its name has to end in ${Object.keys(FORMATS).join(', ')}.`,
    )
  const stats = await stat(path).catch(() => null)
  if (!stats?.isFile()) throw refused(`There is no file ${path}.`, 'Write its full path.')
  if (stats.size > LARGEST)
    throw refused(
      `${path} holds more than ${LARGEST >> 20} MiB.`,
      'Serve it by a SPARQL endpoint (oxigraph serve, for example) and give its address.',
    )
  try {
    const text = await readFile(path, 'utf8')
    return embeddedGraph((store) => store.load(text, { format, no_transaction: true }))
  } catch (error) {
    throw refused(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'Correct the file.',
    )
  }
}

/** Graphs in memory, and behind addresses; each place is opened once. `network` says whether other machines may be asked. */
export function createGraphs(network: () => boolean): Graphs {
  const graphPromiseMap = new Map<string, Promise<Graph>>()
  return {
    of: (edges) => Promise.resolve(graphOf(edges)),
    at(place) {
      const graph = graphPromiseMap.get(place) ?? openAt(place, network)
      graphPromiseMap.set(place, graph)
      graph.catch(() => graphPromiseMap.delete(place))
      return graph
    },
  }
}

async function openAt(place: string, network: () => boolean): Promise<Graph> {
  if (!/^https?:\/\//i.test(place)) return graphFromDump(place)
  const graph = graphAtEndpoint(place, network)
  await graph.select('SELECT ?x WHERE { ?x ?y ?z } LIMIT 1')
  return graph
}
