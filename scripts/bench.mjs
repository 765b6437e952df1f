import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { buildIfNeeded, root } from './build-if-needed.mjs'
import { findInstalled } from './find-browser.mjs'

// `npm run bench [-- NAME ...] [--big]`: the big model's part is played when it is asked for.
// Every test/bench/NAME.bench.ts prints figures for people and, as its last line of stdout, one JSON object.
const folder = join(root, 'test', 'bench')
const big = process.argv.includes('--big')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
if (big) wanted.push('big')

function runBench(file) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(folder, file)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { LOAM_CHROMIUM: findInstalled() ?? '', ...process.env },
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
        done({ ok: code === 0, figures: JSON.parse(last) })
      } catch {
        done({ ok: false, figures: null })
      }
    })
  })
}

await buildIfNeeded()
const files = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith('.bench.ts'))
      .filter((name) =>
        wanted.length === 0 ? name !== 'big.bench.ts' : wanted.some((word) => name.includes(word)),
      )
      .sort()
  : []
const report = {
  at: new Date().toISOString(),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryBytes: totalmem(),
  results: {},
}
for (const file of files) {
  const name = file.replace('.bench.ts', '')
  console.log(`\n== ${name}`)
  const { ok, figures } = await runBench(file)
  report.results[name] = figures
  if (!ok) {
    console.error(`${name} failed or did not end with one JSON line`)
    process.exitCode = 1
  }
}
mkdirSync(join(root, '.cache'), { recursive: true })
const target = join(root, '.cache', 'bench.json')
writeFileSync(target, `${JSON.stringify(report, null, 2)}\n`)
console.log(`\nWritten to ${target}`)
