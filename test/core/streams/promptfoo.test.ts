import { expect, it } from 'vitest'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { questionEntrySchema } from '../../../src/core/tasks/qa/entry'

const read = (config: object) => parseStream(JSON.stringify(config), 'file')
/** Runs the check of a task as the walled-off process does, over code that this test wrote. */
function passes(config: object, answer: string): boolean {
  const { references, check } = questionEntrySchema.parse(read(config).tasks[0]?.payload)
  expect(check).toMatchObject({ kind: 'test', language: 'javascript' })
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- as the walled-off process does
    new Function('answer', references[0] ?? '')(answer)
    return true
  } catch {
    return false
  }
}
const withAssertions = (...assert: object[]) => ({
  prompts: ['Say {{word}}'],
  tests: [{ vars: { word: 'ahoy' }, assert }],
})

it.each([
  [{ type: 'equals', value: 'Ahoy' }, ' Ahoy\n', 'ahoy'],
  [{ type: 'equals', value: { a: 1, b: [2] } }, '{"b": [2], "a": 1}', '{"a": 1}'],
  [{ type: 'contains', value: '{{word}}' }, 'so ahoy', 'so Ahoy'],
  [{ type: 'icontains', value: 'AHOY' }, 'so Ahoy', 'no'],
  [{ type: 'not-contains', value: 'ahoy' }, 'no', 'ahoy'],
  [{ type: 'contains-any', value: 'a, b' }, 'xb', 'x'],
  [{ type: 'icontains-all', value: ['A', 'B'] }, 'ab', 'a'],
  [{ type: 'starts-with', value: 'Ah' }, 'Ahoy', 'oh'],
  [{ type: 'regex', value: '^\\d+$' }, '12', '1x'],
  [{ type: 'is-json' }, '{}', '{'],
  [{ type: 'levenshtein', value: 'ahoy', threshold: 1 }, 'ahoi', 'hi'],
  [{ type: 'javascript', value: 'output.length > 3 && context.vars.word === "ahoy"' }, 'four', 'one'],
  [{ type: 'javascript', value: 'const n = output.length\nreturn n / 10', threshold: 0.5 }, 'fives', 'four'],
  [{ type: 'javascript', value: '({pass: output === "x", score: 1})' }, 'x', 'y'],
])('%o decides', (assertion, right, wrong) => {
  const config = withAssertions(assertion)
  expect([passes(config, right), passes(config, wrong)]).toEqual([true, false])
})

it('all have to pass, or the share that the test names', () => {
  const assert = [
    { type: 'contains', value: 'a' },
    { type: 'contains', value: 'b' },
  ]
  expect(passes(withAssertions(...assert), 'a')).toBe(false)
  const config = { prompts: ['x'], tests: [{ assert, threshold: 0.5 }] }
  expect([passes(config, 'a'), passes(config, 'c')]).toEqual([true, false])
})

it('counts and names what is not checked here, and declines what cannot be', () => {
  const { tasks, reading } = read({
    prompts: ['Say {{word}}', 'file://prompt.txt'],
    defaultTest: { assert: [{ type: 'latency', threshold: 5 }] },
    assertionTemplates: { short: { type: 'javascript', value: 'output.length < 9' } },
    tests: [
      { vars: { word: ['a', 'b'] }, assert: [{ $ref: '#/assertionTemplates/short' }, { type: 'similar' }] },
      { vars: { word: 'c' }, assert: [{ type: 'llm-rubric', value: 'Is {{word}}' }] },
      { vars: { word: 'd' }, assert: [{ type: 'python', value: 'len(output)' }] },
      { vars: {} },
      'file://more.csv',
    ],
  })
  expect(tasks.map(({ id, instruction }) => [id, instruction])).toEqual([
    ['test-1-1', 'Say a'],
    ['test-1-3', 'Say b'],
    ['test-2-1', 'Say c'],
  ])
  expect(tasks[2]?.payload).toMatchObject({ check: { kind: 'judge', rubric: 'Is c' }, references: [] })
  expect(reading.notes).toEqual([
    'Assertions that are not checked here: latency (4), python (1), similar (2).',
  ])
  const reasons = new Set(reading.left.map(({ why }) => why))
  expect([...reasons].sort()).toEqual([
    'file://more.csv is another file, which is not read here',
    'its prompt stands in file://prompt.txt, which is not read here',
    'nothing fills in {{word}} of its prompt here',
    'nothing here checks its assertions: python, latency',
  ])
})

it('takes the words of a chat, and leaves templates that only promptfoo fills in', () => {
  const chat = JSON.stringify([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Say "{{word}}"' },
  ])
  expect(read({ ...withAssertions({ type: 'is-json' }), prompts: [chat] }).tasks[0]?.instruction).toBe(
    'Be brief.\n\nSay "ahoy"',
  )
  const { left } = read({
    prompts: ['Say {{word}}', '{% if x %}y{% endif %}'],
    tests: [{ vars: { word: 'a' } }],
  }).reading
  expect(left).toMatchObject([{ why: 'nothing fills in {% ... %} of its prompt here' }])
})
