import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'

// From starting the program to the first paint of the interface in a browser, and what the host weighs then.
const root = resolve(import.meta.dirname, '../..')
const ROUNDS = 5

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

const rounds: Round[] = []
for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure())
const figure = (pick: (round: Round) => number) => Math.round(median(rounds.map(pick)))
const result = {
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
