import { describe, expect, it } from 'vitest'
import { deriveGraph, goldProgram } from '../../../../src/core/tasks/lab-kg/derive'
import { labKgEntrySchema } from '../../../../src/core/tasks/lab-kg/entry'
import { gradeAnswer } from '../../../../src/core/tasks/lab-kg/grade'
import { readProgram, writeProgram } from '../../../../src/core/tasks/lab-kg/program'
import { valuesQuery } from '../../../../src/core/tasks/lab-kg/sparql'
import { graphOf } from '../../../../src/main/adapters/graphs/embedded-graph'

const ENTRY = labKgEntrySchema.parse({
  question: 'Which cheese of goats and cows is semi-firm?',
  entity_dict: "{'Goat': 'm.goat', 'cows': 'm.cow'}",
  s_expression: '(AND (JOIN (R food.milk.cheeses) m.goat) (JOIN (R food.milk.cheeses) m.cow))',
  action_list:
    "['get_relations(m.goat)', 'get_neighbors(m.goat,food.milk.cheeses)', 'get_relations(m.cow)', 'get_neighbors(m.cow,food.milk.cheeses)', 'intersection(#0,#1)']",
  answer_list: "['m.feta', 'm.brie']",
})

const valuesOf = async (expression: string, entry = ENTRY) => {
  const program = readProgram(expression)
  if (!program) throw new Error(`${expression} cannot be read`)
  return [...(await graphOf(deriveGraph(entry) ?? []).select(valuesQuery(program)))].sort()
}

describe('programs', () => {
  it.each([
    ENTRY.s_expression,
    '(COUNT (JOIN (R a.b.c) (JOIN (R d.e.f) m.1)))',
    '(ARGMAX (AND (JOIN (R a.b.c) m.1) (JOIN (R a.b.c) m.2)) a.b.d)',
  ])('are read and written: %s', (text) => {
    const program = readProgram(text)
    expect(program && writeProgram(program)).toBe(text)
  })

  it.each([
    '',
    '(',
    'm.1',
    '(JOIN a.b.c m.1)',
    '(COUNT m.1)',
    '(OR (JOIN (R a) m.1) (JOIN (R a) m.2))',
    '('.repeat(9000),
  ])('are not made of %s', (text) => {
    expect(readProgram(text)).toBeNull()
  })

  it('come from the list of actions where there is no expression', () => {
    const program = goldProgram({ ...ENTRY, s_expression: '' })
    expect(program && writeProgram(program)).toBe(ENTRY.s_expression)
    expect(goldProgram({ ...ENTRY, s_expression: '', action_list: ['count(#4)'] })).toBeNull()
  })
})

describe('a derived graph', () => {
  it('comes to the gold answer by the solution, and to more by its parts', async () => {
    expect(await valuesOf(ENTRY.s_expression)).toEqual(['m.brie', 'm.feta'])
    expect((await valuesOf('(JOIN (R food.milk.cheeses) m.goat)')).length).toBe(4)
  })

  it('is the same each time, and marks what it made up', () => {
    const edges = deriveGraph(ENTRY) ?? []
    expect(deriveGraph(ENTRY)).toEqual(edges)
    const named = new Set(['m.goat', 'm.cow', 'm.feta', 'm.brie'])
    const others = edges
      .flatMap(({ from, to }) => [from, String(to)])
      .filter((id) => /^[mg]\./.test(id) && !named.has(id))
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter((id) => !id.startsWith('m.derived_'))).toEqual([])
  })

  it('leads away from entities by relations that do not count', () => {
    const from = (deriveGraph(ENTRY) ?? [])
      .filter((edge) => edge.from === 'm.goat')
      .map(({ relation }) => relation)
    expect(new Set(from).size).toBeGreaterThan(3)
  })

  it('holds what an extreme is compared with, the other way round by other attributes', async () => {
    const entry = { ...ENTRY, s_expression: '(ARGMIN (JOIN (R food.milk.cheeses) m.goat) food.cheese.age)' }
    expect(await valuesOf(entry.s_expression, entry)).toEqual(['m.brie', 'm.feta'])
    const other = await valuesOf('(ARGMAX (JOIN (R food.milk.cheeses) m.goat) food.cheese.age)', entry)
    expect(other).toHaveLength(1)
    expect(other[0]).toMatch(/^m\.derived_/)
  })

  it('holds as many as are counted', async () => {
    const entry = {
      ...ENTRY,
      s_expression: '(COUNT (JOIN (R a.b.c) (JOIN (R d.e.f) m.1)))',
      answer_list: ['5663'],
    }
    expect(await valuesOf(entry.s_expression, entry)).toEqual(['5663'])
  })

  it('cannot be made without a solution', () => {
    expect(deriveGraph({ ...ENTRY, s_expression: '', action_list: [] })).toBeNull()
  })
})

describe('grades', () => {
  it.each([
    [['a', 'b'], 1, 1],
    [['b', 'a', 'a'], 1, 1],
    [['a'], 0, 2 / 3],
    [['a', 'b', 'c'], 0, 4 / 5],
    [['c'], 0, 0],
    [[], 0, 0],
    [null, 0, 0],
  ])('%j is exact %d, F1 %d', (answer, exact, f1) => {
    const grade = gradeAnswer(answer, ['a', 'b'])
    expect(grade.exact).toBe(exact)
    expect(grade.f1).toBeCloseTo(f1, 12)
  })
})
