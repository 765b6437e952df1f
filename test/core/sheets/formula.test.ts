import { describe, expect, it } from 'vitest'
import { CellError, parseAddress, type Scalar } from '../../../src/core/sheets/cells'
import { evaluate } from '../../../src/core/sheets/formula/evaluate'
import { parseFormula, Unsupported } from '../../../src/core/sheets/formula/parse'
import { recalculate, type FormulaCell } from '../../../src/core/sheets/formula/recalculate'
import { shiftFormula } from '../../../src/core/sheets/formula/tokens'

const at = (address: string) => parseAddress(address) ?? { row: 0, column: 0 }
const extent = { from: at('A1'), to: at('D6') }
const sheets: Record<string, Scalar[][]> = {
  S: [
    ['Name', 'Amount', 'Region', null],
    ['Ada', 10, 'North', true],
    ['ben', 2.5, 'South', null],
    ['Cleo', '7', 'North', new CellError('#N/A')],
    ['Dan', -4, 'East', ''],
    [null, 20, 'north', 45_000],
  ],
  'Other sheet': [
    ['North', 100],
    ['South', 200],
  ],
}
const cells = {
  extent: (sheet: string) => (sheet in sheets ? extent : null),
  value: (sheet: string, { row, column }: { row: number; column: number }) =>
    sheets[sheet]?.[row]?.[column] ?? null,
}
const value = (formula: string): Scalar => {
  const result = evaluate(parseFormula(formula), 'S', at('F1'), cells)
  return result instanceof CellError ? result.text : result
}

describe('formulas', () => {
  it.each<[string, Scalar]>([
    ['1+2*3^2', 19],
    ['-2^2', 4],
    ['10%*50', 5],
    ['"a"&1&TRUE', 'a1TRUE'],
    ['"ADA"=A2', true],
    ['A6=""', true],
    ['B2>B3', true],
    ['1/0', '#DIV/0!'],
    ['A2+1', '#VALUE!'],
    ['SUM(B2:B6)', 28.5],
    ['SUM(B:B)', 28.5],
    ['SUM(B2:B3,5,"3")', 20.5],
    ['SUM(D1:D6)', '#N/A'],
    ['AVERAGE(B2:B3)', 6.25],
    ['AVERAGE(A2:A3)', '#DIV/0!'],
    ['COUNT(B1:B6)', 4],
    ['COUNTA(A1:A6)', 5],
    ['MIN(A2:A3)', 0],
    ['MAX(B2:B6)-MIN(B2:B6)', 24],
    ['ROUND(2.345,2)', 2.35],
    ['ROUND(-1.5,0)', -2],
    ['ROUNDDOWN(-1.29,1)', -1.2],
    ['MOD(-3,5)', 2],
    ['SUMIF(C2:C6,"north",B2:B6)', 30],
    ['SUMIFS(B2:B6,C2:C6,"N*",B2:B6,">15")', 20],
    ['COUNTIF(B2:B6,">=2.5")', 3],
    ['COUNTIF(A2:A6,"?en")', 1],
    ['COUNTIF(A2:A6,"*~*")', 0],
    ['COUNTIFS(C2:C6,"<>North",B2:B6,"<0")', 1],
    ['SUMPRODUCT(B2:B3,B2:B3)', 106.25],
    ['SUMPRODUCT((C2:C6="North")*1)', 3],
    ['IF(B2>5,"high","low")', 'high'],
    ['IF(B3>5,"high")', false],
    ['IFERROR(VLOOKUP("West",\'Other sheet\'!A1:B2,2,FALSE),"none")', 'none'],
    ["VLOOKUP(C3,'Other sheet'!$A$1:$B$2,2,0)", 200],
    ['INDEX(A2:A5,MATCH(-4,B2:B5,0))', 'Dan'],
    ['INDEX(A1:C2,2,3)', 'North'],
    ['XLOOKUP("x",A1:A6,B1:B6,"no")', 'no'],
    ['LEFT(A2,2)&MID(A4,2,2)&RIGHT(A5)', 'Adlen'],
    ['TRIM("  a   b ")', 'a b'],
    ['SUBSTITUTE("a-b-c","-","+",2)', 'a-b+c'],
    ['TEXTJOIN(", ",TRUE,A2:A3,A6,"z")', 'Ada, ben, z'],
    ['FIND("e","Cleo")', 3],
    ['SEARCH("N","ben")', 3],
    ['YEAR(D6)*100+MONTH(D6)', 202303],
    ['DATE(2023,3,15)', 45_000],
    ['LARGE(B2:B6,2)', 10],
    ['RANK(10,B2:B6)', 2],
    ['AND(B2>1,B3>1)', true],
    ['ROW()+COLUMN(C2)', 4],
    ['missing!A1', '#REF!'],
  ])('%s is %s', (formula, expected) => {
    expect(value(formula)).toEqual(expected)
  })

  it.each([
    'OFFSET(A1,1,1)',
    'TODAY()',
    'Rate*2',
    'A1:',
    '1+',
    'SUM(1',
    'A1#',
    '[1]Book!A1',
    '{1,2;3,4}',
    'B2:B3',
    'ABS(B2:B3)',
    'IF(B2:B3>1,1,0)',
    'SUM((B2:B6>2)*1)',
    'XLOOKUP(1,B2:B6,B2:B6,0,-1)',
    'SUBTOTAL(9,B2:B6)',
  ])('does not pretend to know %s', (formula) => {
    expect(() => value(formula)).toThrow(Unsupported)
  })
})

describe('an array formula of one cell', () => {
  const inArray = (formula: string) => evaluate(parseFormula(formula), 'S', at('H1'), cells, true)

  it.each([
    ['SUM((B2:B6>2)*1)', 'SUMPRODUCT((B2:B6>2)*1)'],
    ['MAX((B2:B6<4)*B2:B6)', 'SUMPRODUCT(MAX((B2:B6<4)*B2:B6))'],
    // A number that is written as text is none to SUM.
    ['SUM(IF(B2:B6>2,B2:B6,0))', 'SUMIF(B2:B6,">2")'],
  ])('calculates %s as arrays are calculated elsewhere', (formula, otherwise) => {
    expect(inArray(formula)).toBe(
      otherwise.includes('MAX')
        ? inArray(otherwise)
        : evaluate(parseFormula(otherwise), 'S', at('H1'), cells),
    )
    expect(() => evaluate(parseFormula(formula), 'S', at('H1'), cells)).toThrow(Unsupported)
  })

  it.each([
    'SUM(IFERROR(1/B2:B6,0))',
    'SUM(ROW(B2:B6))',
    'SUM(ABS(B2:B6))',
    'B2:B6*2',
    'SUM(ISERROR(B2:B6)*1)',
  ])('does not guess at %s', (formula) => {
    expect(() => inArray(formula)).toThrow(Unsupported)
  })
})

describe('calculating a workbook anew', () => {
  const cell = (address: string, formula: string, cached?: Scalar): FormulaCell => ({
    sheet: 'S',
    at: at(address),
    formula,
    cached,
  })
  const run = (formulas: FormulaCell[], touched: string[] = []) => {
    const results = recalculate({
      formulas,
      plain: cells.value,
      extent: () => extent,
      isTouched: (_, where) =>
        touched.some((address) => at(address).row === where.row && at(address).column === where.column),
    })
    return formulas.map((each) => {
      const result = results.get(each)
      return typeof result === 'object' ? result.value : result
    })
  }

  it('follows formulas through each other, in whatever order they stand', () => {
    expect(run([cell('E1', 'E2*2'), cell('E2', 'E3+1'), cell('E3', 'B2')])).toEqual([22, 11, 10])
  })

  it('keeps the stored value of what it does not know as long as nothing it reads has changed', () => {
    const formulas = [
      cell('E1', 'SUBTOTAL(9,B2:B6)', 9),
      cell('E2', 'E1*2', 18),
      cell('E3', 'SUBTOTAL(9,E4:E4)', 1),
      cell('E4', 'B2+1', 11),
    ]
    expect(run(formulas)).toEqual([9, 18, 1, 11])
    expect(run(formulas, ['A1'])).toEqual([9, 18, 1, 11])
    expect(run(formulas, ['B3'])).toEqual(['unknown', 'unknown', 1, 11])
    expect(run([...formulas.slice(0, 3), cell('E4', 'B2+1', 12)])).toEqual([9, 18, 'unknown', 11])
    expect(run([cell('E1', 'SUBTOTAL(9,B2:B6)'), cell('E2', 'E1', 4)])).toEqual(['unknown', 'unknown'])
  })

  it('does not loop in circles', () => {
    expect(run([cell('E1', 'E2'), cell('E2', 'E1+1')])).toEqual(['unknown', 'unknown'])
  })
})

it('moves references with their cells when rows or columns come and go', () => {
  const rows = (atRow: number, count: number) => ({ sheet: 'S', axis: 'row' as const, at: atRow, count })
  expect(shiftFormula('SUM(B2:B6)+$A$1', 'S', rows(2, 2))).toBe('SUM(B2:B8)+$A$1')
  expect(shiftFormula('B5*2', 'S', rows(1, -2))).toBe('B3*2')
  expect(shiftFormula('B2*2', 'S', rows(1, -2))).toBe('#REF!*2')
  expect(shiftFormula('B5', 'Other', rows(0, 1))).toBe('B5')
  expect(shiftFormula("S!B5+'S'!B6:B7", 'Other', rows(0, 1))).toBe('S!B6+S!B7:B8')
  expect(shiftFormula('LOG10(C1)&"B2"', 'S', { sheet: 'S', axis: 'column', at: 1, count: 1 })).toBe(
    'LOG10(D1)&"B2"',
  )
})
