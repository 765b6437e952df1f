import type { AnswerTests, TestOutcome } from '../../../core/ground/answer-tests'
import { Isolate, IsolateError } from '../../ground/isolate/isolate'
import type { CodeReply, CodeRequest } from '../isolate/work/code'

/** Milliseconds that one pattern or test may take once its interpreter is loaded, unless told otherwise. */
const TIME_MS = 10_000
const GRACE_MS = 1000
/** Longest answer that a pattern or test is tried on, in characters. */
const LONGEST_ANSWER = 200_000
const FOLDER_BYTES = 1024 * 1024

type Language = 'javascript' | 'python'

/** Runs code in a walled-off process of its own, which ends with it. */
async function run(language: Language, code: string, timeMs: number): Promise<CodeReply> {
  const isolate = new Isolate<CodeRequest, CodeReply>(language)
  const files = { changed: [], removed: [] }
  try {
    return await isolate.call(() => ({ code, files, folderBytes: FOLDER_BYTES, timeMs }), timeMs + GRACE_MS)
  } finally {
    isolate.end()
  }
}

/** A text as a literal that both languages read. */
const literal = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

// JSON writes a character beyond 16 bits as two units, which only its reader of JSON joins.
const input: Readonly<Record<Language, (answer: string) => string>> = {
  javascript: (answer) => `const answer = ${literal(answer)}`,
  python: (answer) => `import json as _json\nanswer = _json.loads(${JSON.stringify(literal(answer))})`,
}

/** Patterns and tests of people's own checks, in the isolates that agents' code runs in. */
export const createAnswerTests = ({ timeMs = TIME_MS } = {}): AnswerTests => ({
  async matches(pattern, text) {
    const code = `new RegExp(${literal(pattern)}, 'u').test(${literal(text.slice(0, LONGEST_ANSWER))})`
    const { value, error } = await run('javascript', code, timeMs)
    if (error !== null) throw new Error(`the pattern: ${error}`)
    return value === 'true'
  },
  async test(language, code, answer): Promise<TestOutcome> {
    try {
      const start = input[language](answer.slice(0, LONGEST_ANSWER))
      const { value, error } = await run(language, `${start}\n${code}`, timeMs)
      if (error !== null) return { passed: false, why: error }
      const isFalse = value === 'false' || value === 'False'
      return { passed: !isFalse, why: isFalse ? 'it ended in false' : '' }
    } catch (error) {
      // An answer that keeps its test busy for ever does not pass it.
      if (error instanceof IsolateError && (error.reason === 'time' || error.reason === 'memory'))
        return { passed: false, why: error.message }
      throw error
    }
  },
})
