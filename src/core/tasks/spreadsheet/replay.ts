import type { Task } from '../../../shared/domain/task'
import type { Verdict } from '../../ground/environment-module'
import { parseAnswerPosition } from '../../sheets/cells'
import type { Comparison } from '../../sheets/compare'
import { readSpreadsheetTask, type SpreadsheetOptions } from './environment'

/**
 * Replays a task's answer workbooks: what each has in the cells that are graded (tasks on cells) or on the sheets they are on (tasks on
 * sheets) is written into the input by code, calculated there, and graded like an agent's work. A formula that is not computed here makes a
 * case unknown.
 */
export async function replayAnswer(
  task: Task,
  { engine, read }: Pick<SpreadsheetOptions, 'engine' | 'read'>,
): Promise<Verdict> {
  const entry = readSpreadsheetTask(task)
  const ranges = parseAnswerPosition(entry.answer_position) ?? []
  const wholeSheets = entry.instruction_type.startsWith('Sheet')
  const play = async ({ input, answer }: (typeof entry.cases)[number]): Promise<Comparison> => {
    const workbook = engine.open(read(entry.source, input))
    const gold = engine.open(read(entry.source, answer))
    // What the input has beyond the answer is gone in the answer, so it is cleared.
    const { text, failed } = await workbook.run(await workbook.codeTowards(gold, ranges, wholeSheets))
    return failed ? { kind: 'different', where: text } : workbook.compare(gold, ranges)
  }
  const results: Comparison[] = []
  for (const each of entry.cases) results.push(await play(each))
  const same = results.filter(({ kind }) => kind === 'same').length
  const scores = [
    { name: 'Soft: test cases', value: same / Math.max(1, results.length) },
    { name: 'Hard: all test cases', value: same === results.length ? 1 : 0 },
    { name: 'First test case', value: results[0]?.kind === 'same' ? 1 : 0 },
  ]
  const wrong = results.findIndex(({ kind }) => kind === 'different')
  const open = results.findIndex(({ kind }) => kind === 'unknown')
  const comparison = results[wrong >= 0 ? wrong : open]
  if (comparison === undefined || comparison.kind === 'same') return { kind: 'agrees', scores }
  const why = `case ${(wrong >= 0 ? wrong : open) + 1}: ${comparison.where}`
  return { kind: wrong >= 0 ? 'disagrees' : 'unknown', why, scores }
}
