import type { Program } from './program'

/**
 * Of which type the things are that each relation of a program leads to. Nothing says so but the program itself: both parts of an intersection are of one
 * type, and what a relation leads away from is of the type in its name.
 */
export function typesOf(program: Program): ReadonlyMap<string, string> {
  const parents = new Map<string, string>()
  const recordTextMap = new Map<string, string>()
  const rootOf = (relation: string): string => {
    const parent = parents.get(relation) ?? relation
    return parent === relation ? relation : rootOf(parent)
  }
  const leadsAwayFrom = (relation: string, name: string) => {
    const root = rootOf(relation)
    if (!recordTextMap.has(root)) recordTextMap.set(root, typeIn(name))
  }
  const join = (one: string, other: string) => {
    const [root, joined] = [rootOf(one), rootOf(other)]
    if (root === joined) return
    parents.set(joined, root)
    const type = recordTextMap.get(root) ?? recordTextMap.get(joined)
    if (type !== undefined) recordTextMap.set(root, type)
  }
  /** The relation that leads to what a program comes to. */
  const visit = (part: Program): string => {
    switch (part.kind) {
      case 'neighbors':
        if (!parents.has(part.relation)) parents.set(part.relation, part.relation)
        if (typeof part.of !== 'string') leadsAwayFrom(visit(part.of), part.relation)
        return part.relation
      case 'and': {
        const restText = visit(part.left)
        join(restText, visit(part.right))
        return restText
      }
      case 'count':
        return visit(part.of)
      default: {
        const relation = visit(part.of)
        leadsAwayFrom(relation, part.attribute)
        return relation
      }
    }
  }
  visit(program)
  return new Map(
    [...parents.keys()].map((relation) => {
      const root = rootOf(relation)
      return [relation, recordTextMap.get(root) ?? guessed(root)]
    }),
  )
}

/** The type in a relation's name: `food.cheese` of `food.cheese.texture`. */
export const typeIn = (relation: string): string => relation.split('.').slice(0, -1).join('.')

/** A type by the relation's last word: `food.cheese` for `food.cheese_texture.cheeses`. */
function guessed(relation: string): string {
  const parts = relation.split('.')
  return `${parts[0] ?? ''}.${(parts.at(-1) ?? '').replace(/(?<=[^s])s$/, '')}`
}
