import type { Graph, Graphs } from '../../../core/tasks/lab-kg/graph'
import { graphFromDump } from './dump'
import { graphOf } from './embedded-graph'
import { graphAtEndpoint } from './endpoint'

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
