import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'

// From starting the program to the first paint of the interface in a browser, what the host weighs then, and what commands take of bare Node.
const root = resolve(import.meta.dirname, '../..')
const ROUNDS = 5
/** Starts of each command, in turn. */
const STARTS = 12

interface Round {
  /** Start of the process to the address being printed, in ms. */
  readonly hostMs: number
  /** Opening the address to the first painted content, in ms. */
  readonly paintMs: number
  /** Opening the address to the Run screen being there, in ms. */
  readonly usableMs: number
  /** Largest resident memory of the host so far, in MiB; null where the system does not tell. */
  readonly hostPeakMiB: number | null
}

async function measure(): Promise<Round> {
  const data = mkdtempSync(join(tmpdir(), 'loam-bench-'))
  const browser = await chromium.launch({
    ...(process.env['LOAM_CHROMIUM'] && { executablePath: process.env['LOAM_CHROMIUM'] }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const began = performance.now()
  const host = spawn(process.execPath, [join(root, 'out/main/headless.js'), '--data', data, '--no-open'])
  const ended = new Promise((done) => host.on('exit', done))
  try {
    const ready = addressOf(host.stdout)
    const [url, hostMs] = await ready.then((address) => [address, performance.now() - began] as const)
    const page = await browser.newPage()
    const opened = performance.now()
    await page.goto(url)
    await page.getByRole('button', { name: /run/i }).first().waitFor()
    const usableMs = performance.now() - opened
    const paintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    return { hostMs, paintMs, usableMs, hostPeakMiB: peakMiB(host.pid) }
  } finally {
    await browser.close()
    host.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  }
}

function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((found) => {
    let text = ''
    output.on('data', (chunk) => {
      text += String(chunk)
      const match = /http:\/\/\S+\s/.exec(text)
      if (match) found(match[0].trim())
    })
  })
}

function peakMiB(pid: number | undefined): number | null {
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return match ? Number(match[1]) / 1024 : null
  } catch {
    return null
  }
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Processor time of all processes that this one waited for, with theirs, in ticks; null where the system does not tell. */
function ticksOfChildren(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[13]) + Number(fields[14])
  } catch {
    return null
  }
}

/** What one start takes, until the program ends: a host is ended when it tells its address. */
async function startOf(args: readonly string[]): Promise<{ ms: number; ticks: number }> {
  const before = ticksOfChildren() ?? Number.NaN
  const began = performance.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((done) => child.on('close', done))
  const told = addressOf(child.stdout)
  await (args.includes('--no-open') ? told : ended)
  const ms = performance.now() - began
  child.kill('SIGTERM')
  await ended
  return { ms, ticks: (ticksOfChildren() ?? Number.NaN) - before }
}

/** Wall time (ratio of medians) and processor time (of sums) of commands, of bare Node's. */
async function ofBareNode() {
  const data = mkdtempSync(join(tmpdir(), 'loam-bench-'))
  const open = join(data, 'open')
  const window = spawn(process.execPath, ['out/main/headless.js', '--data', open, '--no-open'], { cwd: root })
  await addressOf(window.stdout)
  const commands = {
    bare: ['-e', '0'],
    version: ['scripts/loam.mjs', '--version'],
    asks: ['scripts/loam.mjs', 'asks', '--data', join(data, 'own')],
    asksOfAnOpenLoam: ['scripts/loam.mjs', 'asks', '--data', open],
    host: ['out/main/headless.js', '--data', join(data, 'host'), '--no-open'],
  }
  const names = Object.keys(commands) as (keyof typeof commands)[]
  const starts = names.map((name) => ({ name, ms: [] as number[], ticks: 0 }))
  for (let round = 0; round < STARTS; round += 1)
    for (const start of starts) {
      const { ms, ticks } = await startOf(commands[start.name])
      start.ms.push(ms)
      start.ticks += ticks
    }
  const ended = new Promise((done) => window.on('exit', done))
  window.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
  const [bare, ...others] = starts
  const ratio = (value: number, whole = Number.NaN) => Math.round((value / whole) * 100) / 100
  return Object.fromEntries(
    others.map(({ name, ms, ticks }) => [
      name,
      { wall: ratio(median(ms), median(bare?.ms ?? [])), processor: ratio(ticks, bare?.ticks) },
    ]),
  )
}

const timesBareNode = await ofBareNode()
const rounds: Round[] = []
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure())
const figure = (pick: (round: Round) => number) => Math.round(median(rounds.map(pick)))
const result = {
  starts: STARTS,
  timesBareNode,
  rounds: ROUNDS,
  hostReadyMs: figure((round) => round.hostMs),
  firstPaintMs: figure((round) => round.paintMs),
  startToFirstPaintMs: figure((round) => round.hostMs + round.paintMs),
  startToUsableMs: figure((round) => round.hostMs + round.usableMs),
  hostPeakMiB: figure((round) => round.hostPeakMiB ?? Number.NaN),
}
console.log(
  `start to first paint ${result.startToFirstPaintMs} ms (host ${result.hostReadyMs} ms), medians of ${ROUNDS}`,
)
console.log(JSON.stringify(result))
