import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { CHECKS, runChecks } from './checks.mjs'
import { findBrowser } from './find-browser.mjs'
import { runChild } from './run-child.mjs'
import { playSideBySide } from './side-by-side.mjs'

const require = createRequire(import.meta.url)
const results = join(root, 'test-results')
const binOf = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file)
/** What failed, by name: said at the very end too, where a short look at a long log finds it. */
const failures = []
const firstLine = (text) => (text ?? '').split('\n')[0]
const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null)

/** Types, lint and format, each counted like a test. */
async function runStaticChecks(say) {
  const failed = await runChecks(root, { say })
  failures.push(...failed.map((name) => `check ${name}`))
  return { passed: CHECKS.length - failed.length, failed: failed.length, skipped: 0 }
}

/** Unit, contract and integration tests. */
async function runVitest() {
  const outputFile = join(results, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`]
  // Programs that tests start come from the build: from source each of them would first be compiled.
  const env = { ...process.env, LOAM_BUILT: join(root, 'out', 'main') }
  const code = await runChild(process.execPath, [binOf('vitest', 'vitest.mjs'), ...args], { cwd: root, env })
  const report = readJson(outputFile)
  const failed = report?.numFailedTests ?? 0
  for (const file of report?.testResults ?? []) {
    const tests = file.assertionResults.filter((test) => test.status === 'failed')
    const path = relative(root, file.name)
    if (file.status === 'failed' && tests.length === 0) failures.push(`${path} › ${firstLine(file.message)}`)
    failures.push(...tests.map((test) => `${path} › ${test.fullName}: ${firstLine(test.failureMessages[0])}`))
  }
  const brokenFiles = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length
  return {
    passed: report?.numPassedTests ?? 0,
    // A run that ends badly without a failed test (a file that does not load) still counts as one.
    failed: Math.max(failed + brokenFiles, code === 0 ? 0 : 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/** The names of a browser test file's failed tests, with those of the groups in it. */
const failedSpecs = (suite) => [
  ...(suite.specs ?? []).filter((spec) => !spec.ok).map((spec) => `${suite.file} › ${spec.title}`),
  ...(suite.suites ?? []).flatMap(failedSpecs),
]

/** The built app in a real browser. */
async function runPlaywright(say) {
  const folder = join(root, 'test', 'e2e')
  if (!existsSync(folder) || !readdirSync(folder).some((name) => name.endsWith('.e2e.ts'))) {
    return { passed: 0, failed: 0, skipped: 0 }
  }
  const browser = await findBrowser()
  if (!browser.path) {
    say(`\nBrowser tests skipped: ${browser.why}.\n`)
    return { passed: 0, failed: 0, skipped: 1 }
  }
  say(`\nBrowser tests with ${browser.path}\n`)
  const code = await runChild(process.execPath, [binOf('@playwright/test', 'cli.js'), 'test'], {
    cwd: root,
    env: { ...process.env, LOAM_CHROMIUM: browser.path },
    onOutput: say,
  })
  const report = readJson(join(results, 'e2e.json'))
  failures.push(...(report?.suites ?? []).flatMap(failedSpecs))
  const stats = report?.stats
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: Math.max(stats?.unexpected ?? 0, code === 0 ? 0 : 1),
    skipped: stats?.skipped ?? 0,
  }
}

async function main() {
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (stopped = true))
  // Some tests start the built program. A build that fails is told of by the parts that need it.
  const built = buildIfNeeded()
  built.catch(() => {})
  const onBuild = (play) => async (say) => {
    await built
    return play(say)
  }
  // Vitest waits for child processes nearly half the time, and a browser test for what is drawn: side by side they keep two processors busy.
  const { passed, failed, skipped } = await playSideBySide({
    lanes: [[onBuild(runVitest)], [runStaticChecks, onBuild(runPlaywright)]],
    write: (chunk) => process.stdout.write(chunk),
    isStopped: () => stopped,
  })
  if (failures.length > 0)
    process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join('')}`)
  process.stdout.write(`\n${skipped > 0 ? `${skipped} skipped\n` : ''}${passed} passed, ${failed} failed\n`)
  return failed === 0 && passed > 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stdout.write(`${error.message}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
