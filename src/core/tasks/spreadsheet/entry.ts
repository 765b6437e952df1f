import { z } from 'zod'
import { parseAnswerPosition } from '../../sheets/cells'

/** A file of a task, by path from the stream's folder, with forward slashes. */
const fileSchema = z.object({ path: z.string(), sha256: z.string() })

/**
 * One entry of SpreadsheetBench's dataset.json. Ours besides: `skills`, `solution` (code that solves it), and `source` and `cases`, which
 * loading fills in from the workbooks beside the stream.
 */
export const spreadsheetEntrySchema = z.object({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  instruction: z.string().min(1),
  /** The folder of the test cases. */
  spreadsheet_path: z
    .string()
    .regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))[^\\\0]+$/, 'is not a folder below the stream'),
  instruction_type: z.string(),
  answer_position: z
    .string()
    .refine((text) => parseAnswerPosition(text) !== null, 'names no cells that can be read'),
  skills: z.array(z.string()).default([]),
  solution: z.string().optional(),
  source: z.string().default(''),
  cases: z.array(z.object({ input: fileSchema, answer: fileSchema })).default([]),
})
export type SpreadsheetEntry = z.infer<typeof spreadsheetEntrySchema>

/** How workbooks are called: `1_59196_input.xlsx` in the first version of the benchmark, `1_59196_init.xlsx` and `1_59196_golden.xlsx` in the verified one. */
const CASE = /^(?:(\d+)_(.*)_)?(input|init|initial|answer|golden)\.xlsx$/i

/** The pairs of workbooks among the names of a folder, by the number of their case; a name without a number is case 1. */
export function pairsAmong(
  names: readonly string[],
): { readonly number: number; readonly input: string; readonly answer: string }[] {
  const cases = new Map<number, { input?: string; answer?: string }>()
  for (const name of [...names].sort()) {
    const match = CASE.exec(name)
    if (!match) continue
    const number = Number(match[1] ?? 1)
    const kind = /^in/i.test(match[3] ?? '') ? 'input' : 'answer'
    cases.set(number, { ...cases.get(number), [kind]: name })
  }
  return [...cases]
    .flatMap(([number, { input, answer }]) => (input && answer ? [{ number, input, answer }] : []))
    .sort((a, b) => a.number - b.number)
}
