import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { findInstalled } from './find-browser.mjs'
import { writeBenchReport } from './bench-report.mjs'

// `npm run bench [-- NAME ...] [--big]`: the big model's part is played when it is asked for.
// Every test/bench/NAME.bench.ts prints figures for people and, as its last line of stdout, one JSON object: docs/results/bench has the newest of each.
const folder = join(root, 'test', 'bench')
const words = process.argv.slice(2).map((word) => (word === '--big' ? 'big' : word))
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace('.bench.ts', ''))
  .sort()
const unknown = words.filter((word) => !names.some((name) => name.includes(word)))
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}.\nBenches: ${names.join(', ')}`)
  process.exit(2)
}
const wanted = names.filter((name) =>
  words.length === 0 ? name !== 'big' : words.some((word) => name.includes(word)),
)

function runBench(file) {
  const counter = pathToFileURL(join(root, 'scripts', 'bench-cpu.mjs')).href
  const cpuFile = join(tmpdir(), `loam-bench-cpu-${process.pid}`)
  const begun = { at: performance.now(), load: loadavg()[0] }
  const cost = () => {
    const cpuS = existsSync(cpuFile) ? Number(readFileSync(cpuFile, 'utf8')) : null
    rmSync(cpuFile, { force: true })
    return { wallS: (performance.now() - begun.at) / 1000, cpuS, load: begun.load }
  }
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--import', counter, '--import', 'tsx', join(folder, file)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { LOAM_CHROMIUM: findInstalled() ?? '', ...process.env, LOAM_BENCH_CPU: cpuFile },
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
    child.on('error', fail)
    child.on('exit', (code) => {
      const last = output.trimEnd().split('\n').at(-1) ?? ''
      try {
        done({ ok: code === 0, figures: JSON.parse(last), cost: cost() })
      } catch {
        done({ ok: false, figures: null, cost: cost() })
      }
    })
  })
}

await buildIfNeeded()
const machine = {
  at: new Date().toISOString(),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryBytes: totalmem(),
}
const report = { ...machine, results: {} }
for (const name of wanted) {
  console.log(`\n== ${name}`)
  const { ok, figures, cost } = await runBench(`${name}.bench.ts`)
  report.results[name] = figures
  if (ok) writeBenchReport(root, name, { ...machine, ...cost, figures })
  if (!ok) {
    console.error(`${name} failed or did not end with one JSON line`)
    process.exitCode = 1
  }
}
mkdirSync(join(root, '.cache'), { recursive: true })
const target = join(root, '.cache', 'bench.json')
writeFileSync(target, `${JSON.stringify(report, null, 2)}\n`)
console.log(`\nWritten to ${target}`)
