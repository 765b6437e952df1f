import { type Graph, type Graphs } from '../../../core/tasks/lab-kg/graph'
import { promiseCache } from '../../ground/promise-cache'
import { embeddedGraph, graphOf } from './embedded-graph'
import { graphAtEndpoint } from './endpoint'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { LoamError } from '../../../shared/errors'

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
  return {
    of: (edges) => Promise.resolve(graphOf(edges)),
    at: promiseCache((place: string) => openAt(place, network)),
  }
}

async function openAt(place: string, network: () => boolean): Promise<Graph> {
  if (!/^https?:\/\//i.test(place)) return graphFromDump(place)
  const graph = graphAtEndpoint(place, network)
  await graph.select('SELECT ?x WHERE { ?x ?y ?z } LIMIT 1')
  return graph
}
