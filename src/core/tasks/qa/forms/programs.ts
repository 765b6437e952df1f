import { z } from 'zod'
import { readNested } from '../../../ground/nested'
import type { QuestionForm } from '../entry'
import { question, text } from './common'

/** A text as Python reads it, whatever stands in it. */
const python = (value: string): string =>
  `_json.loads(${JSON.stringify(
    JSON.stringify(value).replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )})`

/**
 * Code that runs a program of an answer, in a fenced block or bare, and its tests. An answer that only goes on behind `begins` is put
 * there; `name` is what it has to define for that. A program that ends before its tests do has not passed them.
 */
const testOf = (tests: string, begins: { readonly text: string; readonly name: string } | null): string =>
  [
    'import json as _json, re as _re',
    '_block = _re.search(r"```[a-zA-Z0-9]*[ \\t]*\\r?\\n(.*?)```", answer, _re.S)',
    '_code = _block.group(1) if _block else answer',
    ...(begins === null
      ? []
      : [
          `if not _re.search(r"^(?:async )?def " + ${python(begins.name)} + r"\\b", _code, _re.M):`,
          `    _code = ${python(begins.text)} + _code`,
        ]),
    'try:',
    '    exec(_code, globals())',
    `    exec(${python(tests)}, globals())`,
    'except SystemExit:',
    '    raise AssertionError("the program ends before its tests do")',
    'None',
  ].join('\n')

const CODE_ALONE = 'Answer with the whole program in Python, and nothing else.'
const CHECK = { kind: 'test', language: 'python', code: '' } as const

const some = z.string().refine((one) => one.trim() !== '', 'is empty')

const humanEvalRow = z.object({
  task_id: text,
  prompt: some,
  entry_point: z.string().regex(/^\w+$/),
  canonical_solution: z.string().nullish(),
  test: some,
})

/** HumanEval, and those that are published like it: the beginning of a function, and tests of it. */
const humanEval: QuestionForm = {
  name: 'HumanEval (HumanEval.jsonl)',
  fields: ['task_id', 'prompt', 'entry_point', 'canonical_solution', 'test'],
  recognises: ['prompt', 'entry_point', 'test'],
  read(row) {
    const { task_id, prompt, entry_point: name, canonical_solution: solution, test } = humanEvalRow.parse(row)
    return question(
      task_id,
      `Complete this function. ${CODE_ALONE}\n\n${prompt.trim()}`,
      [testOf(`${test}\ncheck(${name})`, { text: prompt, name })],
      {
        ...{ scorer: 'check', check: CHECK, dataset: 'humaneval' },
        ...(solution && { solution: `${prompt}${solution}` }),
      },
    )
  },
}

const tests = z.preprocess(readNested, z.array(some).min(1, 'is empty'))
const mbppRow = z.object({
  task_id: text,
  text: some.nullish(),
  prompt: some.nullish(),
  code: z.string().nullish(),
  test_list: tests,
  test_setup_code: z.string().nullish(),
  test_imports: z.preprocess(readNested, z.array(z.string())).nullish().catch(null),
})

/** MBPP as published, and its sanitized part: what a function should do, and what has to hold. */
const mbpp: QuestionForm = {
  name: 'MBPP (mbpp.jsonl, sanitized-mbpp.json)',
  fields: ['task_id', 'text', 'code', 'test_list', 'test_setup_code', 'challenge_test_list'],
  recognises: (row) => 'test_list' in row && ('text' in row || 'prompt' in row),
  read(row) {
    const { task_id, code, test_list, test_setup_code, test_imports, ...read } = mbppRow.parse(row)
    const instruction = read.text ?? read.prompt
    if (!instruction) return { reason: 'text: is empty' }
    const setup = [...(test_imports ?? []), test_setup_code ?? ''].filter((one) => one.trim() !== '')
    return question(
      task_id,
      `${instruction.trim()}\n\nIt has to pass these tests:\n\n${test_list.join('\n')}\n\n${CODE_ALONE}`,
      [testOf([...setup, ...test_list].join('\n'), null)],
      { scorer: 'check', check: CHECK, dataset: 'mbpp', ...(code && { solution: code }) },
    )
  },
}

/** Programs with tests. */
export const PROGRAM_FORMS: readonly QuestionForm[] = [humanEval, mbpp]
