import { beforeEach, describe, expect, it } from 'vitest'
import { Explorer } from '../../../../src/core/tasks/lab-kg/explorer'
import { graphOf } from '../../../../src/main/adapters/graphs/embedded-graph'

const GRAPH = graphOf([
  { from: 'm.goat', relation: 'food.milk.cheeses', to: 'm.feta' },
  { from: 'm.goat', relation: 'food.milk.cheeses', to: 'm.brie' },
  { from: 'm.goat', relation: 'food.milk.breeds', to: 'm.alpine' },
  { from: 'm.soft', relation: 'food.texture.cheeses', to: 'm.brie' },
  { from: 'm.soft', relation: 'food.texture.cheeses', to: 'm.goat' },
  { from: 'm.feta', relation: 'food.cheese.age', to: 9 },
  { from: 'm.brie', relation: 'food.cheese.age', to: 10 },
  { from: 'food.milk.cheeses', relation: 'type.property.expected_type', to: 'food.cheese' },
  { from: 'food.texture.cheeses', relation: 'type.property.expected_type', to: 'food.cheese' },
  { from: 'food.milk.breeds', relation: 'type.property.expected_type', to: 'biology.breed' },
])

let explorer: Explorer
beforeEach(() => {
  explorer = new Explorer(GRAPH, { Goat: 'm.goat', 'soft, creamy': 'm.soft' })
})

/** Makes calls like `count(#0)`, one after another; answers with what the last one was told. */
async function told(...calls: string[]): Promise<string> {
  let text = ''
  for (const call of calls) {
    const open = call.indexOf('(')
    ;({ text } = await explorer.call(call.slice(0, open), call.slice(open + 1, -1)))
  }
  return text
}

const CHEESES = ['get_relations(Goat)', 'get_neighbors(Goat, food.milk.cheeses)'] as const
const SOFT = ['get_relations(soft, creamy)', 'get_neighbors(soft, creamy, food.texture.cheeses)'] as const

describe('the seven tools', () => {
  it('find relations, neighbours, intersections, attributes, extremes and counts', async () => {
    expect(await told('get_relations(Goat)')).toBe(
      '`get_relations(Goat)` executes successfully. Observation: [food.milk.breeds, food.milk.cheeses]',
    )
    expect(await told(...CHEESES)).toBe(
      '`get_neighbors(Goat, food.milk.cheeses)` executes successfully. Observation: Variable #0, which are instances of food.cheese',
    )
    await told(...SOFT)
    expect(await told('intersection(#0, #1)')).toContain('Variable #2, which are instances of food.cheese')
    expect(await told('get_attributes(#0)')).toContain('Observation: [food.cheese.age]')
    await told('argmax(#0, food.cheese.age)', 'argmin(#0, food.cheese.age)')
    expect(await told('count(#0)')).toContain('Variable #5, which is a number')
    const values = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => explorer.values(i)))
    expect(values.map((found) => 'values' in found && found.values)).toEqual([
      ['m.brie', 'm.feta'],
      ['m.brie', 'm.goat'],
      ['m.brie'],
      ['m.brie'],
      ['m.feta'],
      ['2'],
    ])
  })

  it('never find the entities that they started from', async () => {
    await told(...CHEESES, ...SOFT, 'intersection(#1, #1)')
    await told('get_relations(m.goat)', 'get_neighbors(m.goat, food.milk.breeds)')
    const graph = graphOf([
      { from: 'm.a', relation: 'x.y.z', to: 'm.b' },
      { from: 'm.b', relation: 'x.y.z', to: 'm.a' },
    ])
    explorer = new Explorer(graph, {})
    await told(
      'get_relations(m.a)',
      'get_neighbors(m.a, x.y.z)',
      'get_relations(#0)',
      'get_neighbors(#0, x.y.z)',
    )
    expect(await explorer.values(1)).toEqual({ values: [] })
  })

  it.each([
    [
      ['union(#0, #1)'],
      "Unknown API name: union. Available API name list: ['get_relations', 'get_neighbors', 'intersection', 'count', 'get_attributes', 'argmax', 'argmin']",
    ],
    [['count(#x)'], 'Cannot extract the variable index from the following API argument: #x'],
    [
      ['count(#0)'],
      'Variable #0 is not found in variable list. The variable list is empty. You can use the following process to create the first variable: Use get_relations(var: Variable | str) to retrieve the relations connected to the input str or Variable, then use get_neighbors(var: Variable | str, relation: str) to retrieve the entities connected via the specified relation. ',
    ],
    [[...CHEESES, 'count(#7)'], 'Variable #7 is not found in variable list. Current variable list: [#0].'],
    [['get_neighbors(Goat)'], 'API get_neighbors requires 2 arguments, but 1 argument is provided.'],
    [['count()'], 'API count requires 1 argument, but 0 argument is provided.'],
    [['count(a, b)'], 'API count requires 1 argument, but 2 arguments are provided.'],
    [
      ['get_relations(cow)'],
      "Error in executing 'get_relations(cow)'. Error: get_relations: cow is neither a Variable nor an entity. The argument of get_relations must be a Variable or an entity.",
    ],
    [
      ['get_neighbors(Goat, food.milk.cheeses)'],
      "Error in executing 'get_neighbors(Goat, food.milk.cheeses)'. Error: get_neighbors: Execute get_relations for Goat before executing get_neighbors",
    ],
    [
      ['get_relations(Goat)', 'get_neighbors(Goat, x)'],
      "Error in executing 'get_neighbors(Goat, x)'. Error: get_neighbors: x is not a relation of the Goat. Goat has the following relations: ['food.milk.breeds', 'food.milk.cheeses']",
    ],
    [
      ['intersection(Goat, cow)'],
      "Error in executing 'intersection(Goat, cow)'. Error: intersection: Goat is not a Variable, cow is not a Variable",
    ],
    [
      [...CHEESES, 'get_neighbors(Goat, food.milk.breeds)', 'intersection(#0, #1)'],
      "Error in executing 'intersection(#0, #1)'. Error: intersection: Two Variables must have the same type",
    ],
    [
      [...CHEESES, 'argmax(#0, food.cheese.age)'],
      "Error in executing 'argmax(#0, food.cheese.age)'. Error: argmax: Use get_attributes to get attributes of the Variable #0 first",
    ],
    [
      [...CHEESES, 'get_attributes(#0)', 'argmin(#0, weight)'],
      "Error in executing 'argmin(#0, weight)'. Error: argmin: weight is not an attribute of the Variable #0. The attributes of the Variable #0 are: ['food.cheese.age']",
    ],
    [
      [...CHEESES, 'count(#0)', 'get_relations(#1)'],
      "Error in executing 'get_relations(#1)'. Error: get_relations: #1 is a Variable returned by count, it can only be used as final answer. Remember, Variables ([#0]) returned by get_relations, get_neighbors, intersection, get_attributes can be used as inputs for subsequent actions or as final answers, and Variables ([#1]) returned by get_relations, get_neighbors, intersection, get_attributes can only be used as final answers.",
    ],
  ])('answer %j as the benchmark words it', async (calls, words) => {
    expect(await told(...calls)).toBe(words)
  })

  it('come to an end on graphs with more ways than anyone can count', async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => i)
    const both = numbers.flatMap((i) =>
      numbers.flatMap((j) => [
        { from: `m.a${i}`, relation: 'x.y.there', to: `m.b${j}` },
        { from: `m.b${j}`, relation: 'x.y.back', to: `m.a${i}` },
      ]),
    )
    explorer = new Explorer(graphOf(both), {})
    await told('get_relations(m.a0)', 'get_neighbors(m.a0, x.y.there)')
    for (let i = 0; i < 8; i++)
      await told(`get_relations(#${i})`, `get_neighbors(#${i}, x.y.${i % 2 === 0 ? 'back' : 'there'})`)
    expect(await told('count(#8)')).toContain('which is a number')
    expect(await explorer.values(9)).toEqual({ values: ['60'] })
    for (let i = 0; i < 40; i++) await told(`intersection(#${i === 0 ? 8 : 9 + i}, #${i === 0 ? 6 : 9 + i})`)
    const found = await explorer.values(49)
    expect('values' in found && found.values).toHaveLength(60)
  })

  it('let no name out of a query', async () => {
    explorer = new Explorer(GRAPH, { Evil: 'm.x> ?a ?b } #', 'Evil "2"': 'm.{}|^`\\' })
    expect(await told('get_relations(Evil)')).toContain('Observation: []')
    expect(await told('get_relations(Evil "2")')).toContain('Observation: []')
  })
})
