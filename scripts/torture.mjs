import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { findBrowser } from './find-browser.mjs'
import { runChild } from './run-child.mjs'

// `npm run torture [-- SEED] [--shapes llama,qwen2] [--long] [--count]`: the tests that `npm test` plays in a bounded form or leaves out, in full
// (--long: these alone), then models with random weights against every environment, method and role (--shapes: these alone).
// `npm run torture -- --kills 100 --damages 100 --soak 1000,10000 [SEED] [--out FILE]`: programs killed at work, files damaged, asks and tasks one after the other, with a table each, and nothing else.
// Each cell's outcome is kept in .cache/torture, so a run that was cut goes on where it was, and several shapes can be played side by side.
const require = createRequire(import.meta.url)
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
const args = process.argv.slice(2)
const text = { type: 'string' }
const flag = { type: 'boolean', default: false }

/** What the command line asks for; what it does not know ends here, before hours of work. */
function read() {
  const options = {
    shapes: text,
    long: flag,
    count: flag,
    kills: text,
    damages: text,
    soak: text,
    works: text,
    out: text,
  }
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    if (positionals.every((word) => /^\d+$/.test(word)) && positionals.length <= 1)
      return { ...values, seed: positionals[0] ?? '1' }
    throw new Error(`A seed is one whole number, not "${positionals.join(' ')}".`)
  } catch (error) {
    process.stderr.write(
      `${error.message}\nnpm run torture -- [SEED] [--shapes llama,qwen2] [--long] [--count]\nnpm run torture -- [SEED] [--kills 100] [--works ask,proxy] [--damages 100] [--soak 1000,10000] [--out FILE]\n`,
    )
    process.exit(2)
  }
}

const wish = read()
const shapes = (wish.shapes ?? '').split(',').filter((name) => name !== '')
const { seed } = wish
const folder = join(root, '.cache', 'torture', `seed-${seed}`)

/** What was played so far, by shape and environment. */
function table() {
  const rows = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
        .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
    : []
  const environments = [...new Set(rows.map(({ environment }) => environment))].sort()
  const sum = (some, key) => some.reduce((total, row) => total + row[key], 0)
  const line = (cells) => `| ${cells.join(' | ')} |\n`
  let text = line(['attempts (acted)', ...environments, 'all'])
  text += line(['---', ...environments.map(() => '---'), '---'])
  for (const shape of [...new Set(rows.map((row) => row.shape))]) {
    const own = rows.filter((row) => row.shape === shape)
    const cell = (some) => `${sum(some, 'attempts')} (${sum(some, 'acted')})`
    text += line([
      shape,
      ...environments.map((environment) => cell(own.filter((row) => row.environment === environment))),
      cell(own),
    ])
  }
  const finishes = {}
  for (const row of rows)
    for (const [finish, count] of Object.entries(row.finishes))
      finishes[finish] = (finishes[finish] ?? 0) + count
  const withRoles = rows.filter(({ roles }) => roles > 0)
  return `${text}\n${sum(rows, 'attempts')} attempts in ${rows.length} cells, ${sum(withRoles, 'attempts')} of them with other models in every role; ${sum(rows, 'rounds')} rounds, ${sum(rows, 'solved')} solved, ${sum(rows, 'learned')} learned from without having acted. Ends: ${JSON.stringify(finishes)}\n`
}

const MODELS = 'test/main/methods/babel.model.test.ts'
/** Test files with a longer form: those that ask whether this is it (test/torture.ts). */
const long = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path !== MODELS && readFileSync(join(root, path), 'utf8').includes("/torture'"))

const play = (files, env = {}) =>
  runChild(process.execPath, [vitest, 'run', '--maxWorkers=1', ...files], {
    cwd: root,
    env: { ...process.env, LOAM_TORTURE: '1', ...env },
  })

if (wish.kills ?? wish.damages ?? wish.soak) {
  await buildIfNeeded()
  const loop = [require.resolve('tsx/cli'), 'test/bench/wear.ts', ...args]
  const env = { ...process.env, LOAM_BUILT: join(root, 'out', 'main') }
  process.exit(await runChild(process.execPath, loop, { cwd: root, env }))
}
if (!wish.count && shapes.length === 0) {
  await buildIfNeeded()
  process.exitCode = await play(long, { LOAM_BUILT: join(root, 'out', 'main') })
  const browser = await findBrowser()
  if (browser.path)
    process.exitCode ||= await runChild(
      process.execPath,
      [join(dirname(require.resolve('@playwright/test/package.json')), 'cli.js'), 'test'],
      { cwd: root, env: { ...process.env, LOAM_TORTURE: '1', LOAM_CHROMIUM: browser.path } },
    )
  else process.stdout.write(`\nLong browser tests skipped: ${browser.why}.\n`)
}
if (!wish.count && !wish.long) {
  mkdirSync(folder, { recursive: true })
  const name = shapes.length === 0 ? 'all' : shapes.join('-')
  const code = await play([MODELS], {
    LOAM_TORTURE_SEED: seed,
    LOAM_TORTURE_RESULTS: join(folder, `${name}.jsonl`),
    ...(shapes.length > 0 && { LOAM_TORTURE_SHAPES: shapes.join(',') }),
  })
  process.exitCode ||= code
}
process.stdout.write(`\n${table()}`)
