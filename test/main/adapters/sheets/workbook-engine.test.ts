import { read, utils, write } from '@e965/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseAddress } from '../../../../src/core/sheets/cells'
import { createSpreadsheetEnvironment } from '../../../../src/core/tasks/spreadsheet/environment'
import { writeCode } from '../../../../src/core/tasks/spreadsheet/grammar'
import { openEpisode } from '../../../../src/core/ground/environment'
import { answerWorkbooks, workbooksOver } from '../../../../src/core/sheets/workbook-requests'
import { unpackedArchive } from '../../../../src/main/adapters/isolate/work/formats/zip'
import { createSandbox } from '../../../../src/main/adapters/sheets/sandbox'
import { openSheetFile } from '../../../../src/core/sheets/sheet-file'
import { createWorkbookEngine, type WorkbookOpener } from '../../../../src/core/sheets/workbook-engine'

let engine: WorkbookOpener
beforeAll(async () => {
  engine = createWorkbookEngine(await createSandbox({ steps: 200, output: 200 }), unpackedArchive)
})

const rows = [
  ['Item', 'Price', 'Twice'],
  ['Cap', 2, null],
  ['Hat', 3, null],
]
/** A workbook with formulas in C2:C3, a date in D2 and, when asked, a formula that is not known here. */
function bytes(over: { unknown?: boolean; cap?: number } = {}): Uint8Array {
  const sheet = utils.aoa_to_sheet(rows)
  sheet.B2 = { t: 'n', v: over.cap ?? 2 }
  sheet.C2 = { t: 'n', f: 'B2*2', v: 2 * (over.cap ?? 2) }
  sheet.C3 = { t: 'n', f: over.unknown ? 'SUBTOTAL(7,B2:B3)' : 'B3*2', v: 6 }
  sheet.D2 = { t: 'n', v: 45_000, z: 'yyyy-mm-dd' }
  sheet['!ref'] = 'A1:D3'
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'S')
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
}
const open = () => engine.open(bytes())
const text = async (code: string) => (await open().run(code)).text
const cell = (workbook: ReturnType<typeof open>, address: string) =>
  workbook.cells.cell('S', parseAddress(address) ?? { row: 0, column: 0 })

describe('the sandbox', () => {
  it('has nothing of the world outside', async () => {
    expect(
      await text(
        'print([typeof require, typeof process, typeof fetch, typeof setTimeout, typeof __host, typeof std, typeof os].join())',
      ),
    ).toBe('undefined,undefined,undefined,undefined,undefined,undefined,undefined')
    expect(await text('print(Math.random() === 16807 / 2147483647)')).toBe('true')
  })

  it('stops what takes too long, too much memory or too deep a stack, and cuts what is printed', async () => {
    expect(await text('while (true) {}')).toBe('Error: The code took too long.')
    expect(await text('try { while (true) {} } catch { while (true) {} }')).toBe(
      'Error: The code took too long.',
    )
    expect(await text("let s = 'x'; const all = []; while (true) all.push((s += s).length)")).toMatch(
      /^Error: /,
    )
    expect(await text('const f = () => f() + 1; f()')).toMatch(/^Error: .*(stack|too deeply)/)
    expect(await text("print('x'.repeat(500))")).toMatch(/^x{200}\n\[cut after 200 characters\]$/)
  })

  it('says what is wrong with code, which then has changed nothing', async () => {
    const workbook = open()
    for (const [code, why] of [
      ["workbook.sheet('S').set('A1', 'gone'); oops()", "ReferenceError: 'oops' is not defined"],
      ["workbook.sheet('T')", 'There is no sheet "T". There are: S'],
      ["workbook.sheet('S').get('A')", '"A" is no cell or range'],
      ["workbook.sheet('S').set('A1', {})", 'Only text, numbers, true, false and null'],
      ["workbook.sheet('S').getRange('A1:XFD1048576')", 'has more than 200000 cells'],
      ["workbook.addSheet('s')", 'There is a sheet "s" already'],
      ['if (', 'SyntaxError'],
    ] as const) {
      expect(await workbook.run(code)).toEqual({ failed: true, text: expect.stringContaining(why) as string })
    }
    expect(cell(workbook, 'A1').value).toBe('Item')
  })
})

describe('a workbook', () => {
  it('reads, writes and calculates', async () => {
    const workbook = open()
    expect(workbook.describe(2)).toBe(
      'Sheet "S", A1:D3, first rows:\n1 | Item | Price | Twice | \n2 | Cap | 2 | 4 | 2023-03-15',
    )
    const ran = await workbook.run(`const sheet = workbook.sheet('S')
sheet.set('B2', 10)
sheet.setRange('A4', [['Sum', '=SUM(B2:B3)', '=SUM(C2:C3)']])
print(sheet.getFormula('C2'), sheet.lastRow, sheet.get('D2'), sheet.getRange('A2:B2'))`)
    expect(ran).toEqual({ failed: false, text: '=B2*2 4 45000 [["Cap",10]]' })
    expect(['C2', 'B4', 'C4'].map((address) => cell(workbook, address).value)).toEqual([20, 13, 26])
  })

  it('moves cells, formulas and formats when rows come and go, and keeps them in the file', () => {
    const file = openSheetFile(bytes(), unpackedArchive)
    file.shift({ sheet: 'S', axis: 'row', at: 1, count: 1 })
    file.set('S', { row: 2, column: 1 }, 5)
    file.calculate()
    const sheet = read(file.save(), { type: 'array', cellNF: true }).Sheets.S
    expect(sheet?.C3).toMatchObject({ f: 'B3*2', v: 10 })
    expect(sheet?.D3).toMatchObject({ v: 45_000, z: 'yyyy-mm-dd' })
    expect(sheet?.A2).toBeUndefined()
    file.shift({ sheet: 'S', axis: 'row', at: 1, count: -2 })
    expect(file.formula('S', { row: 1, column: 2 })).toBe('B2*2')
  })

  it('adds, renames and deletes sheets', async () => {
    const workbook = open()
    await workbook.run("workbook.addSheet('T').set('B2', '=S!B2+1'); workbook.sheet('T').rename('U')")
    expect(workbook.cells.sheets).toEqual(['S', 'U'])
    expect(workbook.cells.cell('U', { row: 1, column: 1 }).value).toBe(3)
    await workbook.run("workbook.sheet('U').delete()")
    expect(workbook.cells.sheets).toEqual(['S'])
  })

  it('refuses what is no workbook', () => {
    expect(() => engine.open(new Uint8Array([80, 75, 3, 4, 0]))).toThrow(/cannot be read/)
  })
})

it('an attempt whose answer rests on a formula that is not known here is left ungraded', async () => {
  const files: Record<string, Uint8Array> = {
    input: bytes({ unknown: true }),
    answer: bytes({ unknown: true, cap: 7 }),
  }
  const environment = createSpreadsheetEnvironment({
    systemPrompt: '',
    engine: workbooksOver(answerWorkbooks((content) => engine.open(content))),
    read: (_, { path }) => files[path] ?? new Uint8Array(),
  })
  const file = (path: string) => ({ path, sha256: '' })
  const payload = {
    id: 't',
    instruction: 'The cap costs 7.',
    spreadsheet_path: 'x',
    instruction_type: 'Cell-Level Manipulation',
    answer_position: 'B2:C3',
    cases: [{ input: file('input'), answer: file('answer') }],
  }
  const task = { id: 't', index: 0, environment: 'spreadsheet', instruction: '', skills: [], payload }
  const play = async (...replies: string[]) => {
    const episode = await openEpisode(environment, task)
    const outcomes = []
    for (const reply of replies) outcomes.push(await episode.step(reply))
    return outcomes.at(-1)
  }
  expect(await play(writeCode("workbook.sheet('S').set('B2', 7)"), 'Action: Done')).toMatchObject({
    reward: 0,
    ungraded: 'A formula cannot be calculated here, case 1: S!C3 (SUBTOTAL)',
  })
  expect(
    await play(
      writeCode("workbook.sheet('S').setRange('B2', [[7], [3]]); workbook.sheet('S').set('C3', 6)"),
      'Action: Done',
    ),
  ).toMatchObject({ reward: 1 })
  const nothing = await play('Action: Done')
  expect(nothing).toMatchObject({ reward: 0, scores: [{ value: 0, detail: 'case 1: S!B2' }] })
  expect(nothing).not.toHaveProperty('ungraded')
})
