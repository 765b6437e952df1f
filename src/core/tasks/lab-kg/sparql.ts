import { EXPECTED_TYPE, NAMESPACE } from './graph'
import type { Program } from './program'

/** An entity or relation in SPARQL; what no address may hold is written by its number, so no name ends a query. */
const name = (id: string): string =>
  `<${NAMESPACE}${id.replace(/[\u0000-\u0020<>"{}|^`\\]/g, (char) => encodeURIComponent(char))}>`

/** A query under way: fresh variables, and the entities it starts from. */
interface Draft {
  fresh(): string
  readonly entities: Set<string>
}

function draft(): Draft {
  let count = 0
  return { fresh: () => `?v${count++}`, entities: new Set() }
}

/** A set on the way to another one: each of its members once, since the ways to them can be more than anyone can count. */
function setOf(program: Program, variable: string, query: Draft): string {
  const inner = pattern(program, variable, query)
  const isOnce = program.kind === 'neighbors' && typeof program.of === 'string'
  return isOnce ? inner : `{ SELECT DISTINCT ${variable} WHERE {\n${inner}} }\n`
}

/** What belongs to `variable`, as a part of a query's body. */
function pattern(program: Program, variable: string, query: Draft): string {
  switch (program.kind) {
    case 'neighbors': {
      const { of, relation } = program
      if (typeof of === 'string') {
        query.entities.add(of)
        return `${name(of)} ${name(relation)} ${variable} .\n`
      }
      const inner = query.fresh()
      return `${setOf(of, inner, query)}${inner} ${name(relation)} ${variable} .\n`
    }
    case 'and':
      return setOf(program.left, variable, query) + setOf(program.right, variable, query)
    case 'argmax':
    case 'argmin': {
      // All that have the extreme value, as in the benchmark.
      const [best, inner] = [query.fresh(), query.fresh()]
      const order = program.kind === 'argmax' ? `DESC(${best})` : best
      const within = `${pattern(program.of, inner, query)}${inner} ${name(program.attribute)} ${best} .\n`
      return (
        `{ SELECT ${best} WHERE {\n${within}${notStarts(inner, query)}} ORDER BY ${order} LIMIT 1 }\n` +
        `${pattern(program.of, variable, query)}${variable} ${name(program.attribute)} ${best} .\n`
      )
    }
    case 'count':
      throw new Error('a count is no set')
  }
}

/** The entities that one starts from are not found again. */
const notStarts = (variable: string, { entities }: Draft): string =>
  [...entities].map((entity) => `FILTER (${variable} != ${name(entity)})\n`).join('')

/** Of texts in several languages the English one. */
const english = (variable: string): string =>
  `FILTER (!isLiteral(${variable}) || lang(${variable}) = '' || langMatches(lang(${variable}), 'en'))\n`

function body(program: Program): string {
  const query = draft()
  const text = pattern(program, '?x', query)
  const isExtreme = program.kind === 'argmax' || program.kind === 'argmin'
  return `${text}${english('?x')}${isExtreme ? '' : notStarts('?x', query)}`
}

/** The query that answers with what is in a variable. */
export const valuesQuery = (program: Program): string =>
  program.kind === 'count'
    ? `SELECT (COUNT(DISTINCT ?x) AS ?value) WHERE {\n${body(program.of)}}`
    : `SELECT DISTINCT ?x WHERE {\n${body(program)}}`

/** The query for what leads away from an entity, or from those in a variable: relations to entities, or attributes to values. */
export function edgesQuery(of: Program | string, kind: 'relations' | 'attributes'): string {
  const which = `FILTER (${kind === 'attributes' ? '' : '!'}isLiteral(?to))`
  if (typeof of === 'string') return `SELECT DISTINCT ?edge WHERE { ${name(of)} ?edge ?to . ${which} }`
  return `SELECT DISTINCT ?edge WHERE {\n?x ?edge ?to . ${which}\n{ SELECT DISTINCT ?x WHERE {\n${body(of)}} }\n}`
}

const RANGE = '<http://www.w3.org/2000/01/rdf-schema#range>'

/** The query for the type of what a relation leads to. */
export const typeQuery = (relation: string): string =>
  `SELECT DISTINCT ?type WHERE { { ${name(relation)} ${name(EXPECTED_TYPE)} ?type } UNION { ${name(relation)} ${RANGE} ?type } }`
