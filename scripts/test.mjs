import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { CHECKS, runChecks } from './checks.mjs'
import { findBrowser } from './find-browser.mjs'
import { runChild } from './run-child.mjs'
import { makeQuickFolder } from './quick-folder.mjs'
import { playAgain } from './second-play.mjs'
import { playSideBySide } from './side-by-side.mjs'

const require = createRequire(import.meta.url)
const results = join(root, 'test-results')
const binOf = (name, file) => join(dirname(require.resolve(`${name}/package.json`)), file)
/** With more failures than this none is played again. */
const MOST_AGAIN = 6
/** What failed: said at the very end too, where a short look at a long log finds it. See second-play.d.mts. */
const failures = { checks: [], vitest: [], browser: [] }
const firstLine = (text) => (text ?? '').split('\n')[0]
const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null)

/** Types, lint and format, each counted like a test. */
async function runStaticChecks(say) {
  const failed = await runChecks(root, { say })
  failures.checks = failed.map((name) => ({ name: `check ${name}`, message: '', place: null }))
  return { passed: CHECKS.length - failed.length, failed: failed.length, skipped: 0 }
}

/** Unit, contract and integration tests: those of `files`, or all. Resolves to the exit code and Vitest's report, which is kept as `name`; what it says goes to `onOutput`, else to the terminal. */
async function playVitest(files, name, onOutput) {
  const outputFile = join(results, `${name}.json`)
  const args = ['run', ...files, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`]
  // Programs that tests start come from the build: from source each of them would first be compiled.
  const env = { ...process.env, LOAM_BUILT: join(root, 'out', 'main') }
  const code = await runChild(process.execPath, [binOf('vitest', 'vitest.mjs'), ...args], {
    cwd: root,
    env,
    onOutput,
  })
  return { code, report: readJson(outputFile) }
}

/** Each test of a report, and each file that ended without one, with whether it failed. */
function vitestOutcomes(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const place = relative(root, file.name)
    const tests = file.assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ status, fullName, failureMessages }) => ({
        ...{ name: `${place} › ${fullName}`, place, failed: status === 'failed' },
        message: firstLine(failureMessages?.[0]),
      }))
    // A file that does not load counts as one.
    const broken = file.status === 'failed' && tests.every(({ failed }) => !failed)
    return [...tests, { name: place, place, failed: broken, message: broken ? firstLine(file.message) : '' }]
  })
}

/** Vitest's tests in one play, kept as `name`: those that take longest (`--project=late`), or all others. What one file loads is there for the next. */
const runVitest = (project, name) => async (say) => {
  const { code, report } = await playVitest([`--project=${project}`], name, say)
  const failed = vitestOutcomes(report).filter((outcome) => outcome.failed)
  failures.vitest.push(...failed)
  return {
    passed: report?.numPassedTests ?? 0,
    // A run that ends badly without a failed test still counts as one.
    failed: Math.max(failed.length, code === 0 ? 0 : 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/** Each browser test of a suite that was played, with those of the groups in it. */
const browserOutcomes = (suite) => [
  ...(suite.specs ?? []).map((spec) => ({
    ...{ name: `${suite.file} › ${spec.title}`, message: '', failed: !spec.ok },
    place: `test/e2e/${suite.file}:${spec.line}`,
  })),
  ...(suite.suites ?? []).flatMap(browserOutcomes),
]

/** The built app in a real browser: all tests, or those at `places`. */
async function playPlaywright(path, say, places = []) {
  const code = await runChild(
    process.execPath,
    [binOf('@playwright/test', 'cli.js'), 'test', ...places, ...(places.length > 0 ? ['--workers=1'] : [])],
    // What a page did is recorded in the second play alone: it takes a tenth of the browser's time.
    {
      cwd: root,
      env: { ...process.env, LOAM_CHROMIUM: path, LOAM_TRACE: places.length > 0 ? '1' : '0' },
      onOutput: say,
    },
  )
  const report = readJson(join(results, 'e2e.json'))
  return { code, stats: report?.stats, outcomes: (report?.suites ?? []).flatMap(browserOutcomes) }
}

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
  const { code, stats, outcomes } = await playPlaywright(browser.path, say)
  failures.browser = outcomes.filter(({ failed }) => failed)
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: Math.max(stats?.unexpected ?? 0, code === 0 ? 0 : 1),
    skipped: stats?.skipped ?? 0,
  }
}

const namesOf = (outcomes) => new Set(outcomes.map(({ name }) => name))
/** What a second play says: one that ends badly though no test failed clears nothing. */
function saidOf(outcomes, code) {
  const failed = outcomes.filter((outcome) => outcome.failed)
  return { played: namesOf(outcomes), failed: namesOf(code !== 0 && failed.length === 0 ? outcomes : failed) }
}

/** Plays what failed once more, with nothing beside it. Resolves to those that passed then. */
async function playFailuresAgain(write) {
  const all = [...failures.checks, ...failures.vitest, ...failures.browser]
  if (all.length === 0 || all.length > MOST_AGAIN || failures.checks.length > 0) return []
  write(`\nFailed, and played again with nothing beside:\n${all.map(lineOf).join('')}\n`)
  const unit = await playAgain({
    ...{ failures: failures.vitest, most: MOST_AGAIN },
    play: async (files) => {
      const { code, report } = await playVitest(files, 'vitest-again')
      return saidOf(vitestOutcomes(report), code)
    },
  })
  // Pictures and traces of the first play are kept beside those of the second.
  const pictures = join(results, 'browser')
  if (failures.browser.length > 0 && existsSync(pictures)) renameSync(pictures, `${pictures}-first`)
  const browser = await playAgain({
    ...{ failures: failures.browser, most: MOST_AGAIN },
    play: async (places) => {
      const { code, outcomes } = await playPlaywright((await findBrowser()).path, write, places)
      return saidOf(outcomes, code)
    },
  })
  return [...unit, ...browser]
}

const lineOf = ({ name, message }) => `  ${name}${message === '' ? '' : `: ${message}`}\n`

async function main() {
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results, { recursive: true })
  const folder = makeQuickFolder()
  if (folder !== null) process.env.TMPDIR = folder
  try {
    return await playAll()
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function playAll() {
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
  // Those of Vitest's that take longest come behind those of the browser, which end earlier than the rest.
  const write = (chunk) => process.stdout.write(chunk)
  const counts = await playSideBySide({
    lanes: [
      [onBuild(runVitest('!late', 'vitest'))],
      [runStaticChecks, onBuild(runPlaywright), onBuild(runVitest('late', 'vitest-late'))],
    ],
    write,
    isStopped: () => stopped,
  })
  const unsteady = await playFailuresAgain(write)
  const lasting = [...failures.checks, ...failures.vitest, ...failures.browser].filter(
    (failure) => !unsteady.includes(failure),
  )
  const [passed, failed] = [counts.passed + unsteady.length, counts.failed - unsteady.length]
  if (unsteady.length > 0) write(`\nPassed only when played again:\n${unsteady.map(lineOf).join('')}`)
  if (lasting.length > 0) write(`\nFailed:\n${lasting.map(lineOf).join('')}`)
  write(`\n${counts.skipped > 0 ? `${counts.skipped} skipped\n` : ''}${passed} passed, ${failed} failed\n`)
  return failed === 0 && passed > 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stdout.write(`${error.message}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
