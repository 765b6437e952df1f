import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressName, CellError, type Scalar } from '../../../../src/core/sheets/cells'
import { spreadsheet } from '../../../../src/core/tasks/spreadsheet'
import { unpackedArchive } from '../../../../src/main/adapters/isolate/work/formats/zip'
import { openSheetFile } from '../../../../src/core/sheets/sheet-file'
import { findResources } from '../../../../src/main/ground/resources'
import { createEnvironments } from '../../../../src/main/streams/environments'
import { longTest } from '../../../torture'
import { openStreamLibrary } from '../../../../src/main/streams/stream-library'

const folder = resolve(import.meta.dirname, '../../../../../shared/data/real/spreadsheetbench/spreadsheet')

const shown = (value: Scalar): string | number | boolean | null =>
  value instanceof CellError ? value.text : typeof value === 'number' ? Number(value.toFixed(2)) : value

/** What came of calculating a workbook anew: formulas that differ from what is stored, and what is not computed here. */
function recalculated(path: string) {
  const bytes = new Uint8Array(readFileSync(path))
  const stored = openSheetFile(bytes, unpackedArchive)
  const fresh = openSheetFile(bytes, unpackedArchive)
  const uncomputed = fresh.calculate()
  const different: string[] = []
  let unknown = 0
  for (const sheet of stored.sheets) {
    const { to } = stored.extent(sheet) ?? { to: { row: -1, column: -1 } }
    for (let row = 0; row <= to.row; row++) {
      for (let column = 0; column <= to.column; column++) {
        const at = { row, column }
        const formula = stored.formula(sheet, at)
        const before = stored.cells.cell(sheet, at).value
        // Nothing is stored with a formula that no program has calculated yet.
        if (formula === null || before === null) continue
        const after = fresh.cells.cell(sheet, at)
        if (after.unknown) unknown++
        else if (shown(after.value) !== shown(before))
          different.push(`${sheet}!${addressName(at)} =${formula}: ${shown(before)} is ${shown(after.value)}`)
      }
    }
  }
  return { different, unknown, uncomputed }
}

describe.skipIf(!existsSync(folder))('SpreadsheetBench (skipped when ../shared/data is absent)', () => {
  longTest(
    'workbooks come out as they are stored when they are calculated anew; what is not computed is named',
    () => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.xlsx'),
      )
      expect(files.length).toBeGreaterThanOrEqual(147)
      const results = files.map((path) => ({ path, ...recalculated(join(folder, path)) }))
      expect(results.flatMap(({ path, different }) => different.map((each) => `${path} ${each}`))).toEqual([])
      expect(results.filter(({ unknown }) => unknown > 0).map(({ path }) => path)).toEqual([])
      const reasons = new Set(results.flatMap(({ uncomputed }) => uncomputed.map(({ why }) => why)))
      expect(reasons).not.toContain('')
      // What is kept as stored: references to the columns of a table, and a function that no program has.
      expect([...reasons].filter((why) => !why.includes('['))).toEqual(['EOM'])
      const answers = results.filter(({ path }) => path.endsWith('_answer.xlsx'))
      const whole = answers.filter(({ uncomputed }) => uncomputed.length === 0)
      expect([whole.length, answers.length]).toEqual([72, 75])
    },
  )

  it('tasks are solved by their answer workbooks, replayed by code on the inputs', async () => {
    const resources = findResources()
    const streams = openStreamLibrary(resources.streams, resources.streams)
    const { world } = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
    const { tasks } = await streams.load(resolve(folder, '..', 'dataset.json'))
    const verify = await spreadsheet.verifier(world)
    const verdicts = []
    for (const task of tasks) verdicts.push({ id: task.id, ...(await verify(task)) })
    expect(verdicts.filter(({ kind }) => kind !== 'agrees')).toEqual([])
    expect(verdicts).toHaveLength(25)
    for (const { scores } of verdicts) expect(scores?.map(({ value }) => value)).toEqual([1, 1, 1])
  })
})
