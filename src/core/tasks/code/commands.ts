import type { CodeEntry } from './entry'

/** How the tests of a task are run, and what that takes. */
export interface TestRun {
  readonly script: string
  /** Programs and packages, each with a script that fails where it is not there or does not run. */
  readonly needs: readonly { readonly name: string; readonly check: string }[]
}

const NEEDS = {
  node: { name: 'node', check: 'node -e ""' },
  python: { name: 'python3', check: 'python3 -c ""' },
  pytest: { name: "Python's pytest", check: 'python3 -c "import pytest"' },
} as const

/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** `test_x (a.b.C)`, as unittest and Django name a test. */
const LABEL = /^(\w+) \(([\w.]+)\)$/

const dotted = (name: string): string => {
  const match = LABEL.exec(name)
  const [, test = '', path = ''] = match ?? []
  return match === null ? name : path.endsWith(`.${test}`) ? path : `${path}.${test}`
}

const runOf = (names: readonly string[], repo: string): TestRun => {
  const words = [...new Set(names)]
  if (words.every((name) => /\.[cm]?js$/.test(name)))
    return { script: words.map((name) => `node ${quoted(name)}`).join(' && '), needs: [NEEDS.node] }
  if (words.some((name) => name.includes('::') || /\.py$/.test(name)))
    return {
      script: `python3 -m pytest -q -p no:cacheprovider ${words.map(quoted).join(' ')}`,
      needs: [NEEDS.python, NEEDS.pytest],
    }
  const labels = [...new Set(words.map(dotted))].map(quoted).join(' ')
  const runner = repo === 'django/django' ? 'tests/runtests.py --verbosity 1' : '-m unittest'
  return { script: `python3 ${runner} ${labels}`, needs: [NEEDS.python] }
}

/**
 * What runs all tests of a task at once, from the top of the repository: JavaScript files by Node, names with `::` by pytest, `test (path)` by
 * Django's runner where it is Django, and all others by unittest.
 */
export function testRun({
  FAIL_TO_PASS,
  PASS_TO_PASS,
  repo,
  test_command,
}: Pick<CodeEntry, 'FAIL_TO_PASS' | 'PASS_TO_PASS' | 'repo' | 'test_command'>): TestRun {
  if (test_command === undefined) return runOf([...FAIL_TO_PASS, ...PASS_TO_PASS], repo)
  const needs = [
    ...(/\bnode\b/.test(test_command) ? [NEEDS.node] : []),
    ...(/\bpython3?\b/.test(test_command) ? [NEEDS.python] : []),
    ...(/\bpytest\b/.test(test_command) ? [NEEDS.pytest] : []),
  ]
  return { script: test_command, needs }
}
