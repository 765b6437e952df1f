import type { Rng } from '../../ground/random'
import { freshCode, otherStyle, type TableRules, type World } from './world'

/** The part of a table's rules that a fact stands for: a status word's code, a column's style, the soft-delete value. */
interface RulePlace {
  readonly table: number
  readonly rule: 'amount' | 'who' | 'place' | 'date' | 'flag' | { readonly code: string }
}

const placesOf = ({ tables }: World): RulePlace[] =>
  tables.flatMap(({ codes, flagValue }, table) => [
    ...[...codes.keys()].map((code) => ({ table, rule: { code } })),
    ...(['amount', 'who', 'place', 'date'] as const).map((rule) => ({ table, rule })),
    ...(flagValue === null ? [] : [{ table, rule: 'flag' as const }]),
  ])

/** The same world, with `share` of its rules (rounded) other than they were: no changed rule keeps its value, and no name changes. */
export function driftWorld(world: World, rng: Rng, share: number): World {
  const places = placesOf(world)
  const chosenPlaces = rng.sample(places, Math.round(places.length * share))
  const tables = world.tables.map((rules, i) =>
    chosenPlaces
      .filter(({ table }) => table === i)
      .reduce((now, { rule }) => getRules(now, rule, rng), rules),
  )
  return { ...world, tables }
}

function getRules(rules: TableRules, rule: RulePlace['rule'], rng: Rng): TableRules {
  if (typeof rule === 'object')
    return { ...rules, codes: new Map([...rules.codes, [rule.code, freshCode(rng, rules)]]) }
  if (rule === 'flag') return { ...rules, flagValue: otherStyle(rng, 'flag', rules.flagValue ?? '') }
  return { ...rules, [rule]: otherStyle(rng, rule, rules[rule]) }
}
