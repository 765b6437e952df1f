import { ENTITY_TYPE, type Fact } from '../../memory/facts/fact'

/** The type of an entity that nobody gave one. */
export const UNKNOWN = 'unknown'
/** The entity of facts without a subject. */
export const NO_SUBJECT = '(no subject)'

type Stated = Pick<Fact, 'statement' | 'about' | 'link'>

/** A thing of the knowledge graph, as the official memory server has it. */
export interface Entity {
  readonly name: string
  entityType: string
  readonly observations: string[]
}
/** What the official memory server keeps. */
export interface Graph {
  readonly entities: readonly Entity[]
  readonly relations: readonly { readonly from: string; readonly to: string; readonly relationType: string }[]
}

/** The entity that a fact belongs to. */
export const subjectOf = ({ about }: Pick<Fact, 'about'>): string => (about === '' ? NO_SUBJECT : about)
/** A statement as it was told, without the subject that was put in front. */
export const toldText = ({ statement, about }: Stated): string =>
  about !== '' && statement.startsWith(`${about}: `) ? statement.slice(about.length + 2) : statement
/**
 * Facts as a knowledge graph: subjects are entities, links are relations (which make no entity), everything else is an observation.
 * Entities and relations stand in the order of the facts.
 */
export function graphOf(facts: Iterable<Stated>): Graph {
  const entities = new Map<string, Entity>()
  const entityOf = (subject: string): Entity => {
    const entity = entities.get(subject) ?? { name: subject, entityType: UNKNOWN, observations: [] }
    entities.set(subject, entity)
    return entity
  }
  const relations: Graph['relations'][number][] = []
  for (const fact of facts) {
    const subject = subjectOf(fact)
    if (fact.link === null) entityOf(subject).observations.push(toldText(fact))
    else if (fact.link.relation === ENTITY_TYPE) entityOf(subject).entityType = fact.link.to
    else relations.push({ from: subject, to: fact.link.to, relationType: fact.link.relation })
  }
  return { entities: [...entities.values()], relations }
}
