import { portKey } from '../../ground/environment-module'

/** Where Freebase's names stand. */
export const NAMESPACE = 'http://rdf.freebase.com/ns/'

/** What says of which type the things are that a relation leads to. */
export const EXPECTED_TYPE = 'type.property.expected_type'

/** A relation leads from an entity to another, an attribute to a number. */
export interface Edge {
  readonly from: string
  readonly relation: string
  readonly to: string | number
}

/** Answers SPARQL. */
export interface Graph {
  /**
   * What the one variable of a SELECT is bound to, in the order of the answer; names without Freebase's namespace.
   * @throws LoamError `TASK_SERVER` when there is no answer, `NETWORK_OFF`
   */
  select(sparql: string): Promise<readonly string[]>
  /** Frees what a graph in memory holds; safe to call twice. */
  close(): void
}

/** Where graphs come from. */
export interface Graphs {
  /** One in memory. */
  of(edges: readonly Edge[]): Promise<Graph>
  /**
   * One's own: the address of a SPARQL endpoint, or the path of an RDF dump (N-Triples, N-Quads, Turtle, TriG, RDF/XML). It is asked once.
   * @throws LoamError `BAD_INPUT` when it cannot be read, `TASK_SERVER`, `NETWORK_OFF`
   */
  at(place: string): Promise<Graph>
}

export const GRAPHS = portKey<Graphs>('knowledge graphs')
