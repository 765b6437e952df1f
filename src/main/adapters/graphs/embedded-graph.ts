import { Store } from 'oxigraph'
import { NAMESPACE, type Edge, type Graph } from '../../../core/tasks/lab-kg/graph'

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
export function embeddedGraph(load: (store: Store) => void): Graph {
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
