import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { seedExperiment } from '../fixtures/seed-curves'

// Frame times of the Learning curves screen with 50 runs of 2,000 tasks: pointing, zooming and smoothing, in a browser.
const root = resolve(import.meta.dirname, '../..')
const TASKS = 2000
const SEEDS = [1, 2, 3, 4, 5]
const EXP = [1, 2, 3, 4, 6, 8, 12, 16, 32]
const FRAMES = 60

interface Frames {
  readonly p50: number
  readonly p95: number
  readonly max: number
}

/** Run in the page as text: what is compiled here would bring helpers along that the page does not have. */
const START = `{
  window.longestFrame = 0
  let last = performance.now()
  requestAnimationFrame(function tick(now) {
    if (window.longestFrame === null) return
    window.longestFrame = Math.max(window.longestFrame, now - last)
    last = now
    requestAnimationFrame(tick)
  })
}`
/** Waits for two frames: the one that shows what was done, and the one that says how long it took. */
const TAKE = `new Promise((done) =>
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const longest = window.longestFrame
      window.longestFrame = 0
      done(longest)
    }),
  ),
)`

/** The longest time between two frames after each of `count` actions. */
async function framesWhile(page: Page, act: (step: number) => Promise<void>, count: number): Promise<Frames> {
  await page.evaluate(START)
  await page.evaluate(TAKE)
  const times: number[] = []
  for (let step = 0; step < count; step += 1) {
    await act(step)
    times.push(await page.evaluate<number>(TAKE))
  }
  await page.evaluate('window.longestFrame = null')
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1))
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}

async function measure(page: Page): Promise<Record<string, Frames>> {
  const chart = page.getByRole('application', { name: /^Curves/ })
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart is not on screen.')
  const x = (share: number) => box.x + 70 + share * (box.width - 100)
  const y = box.y + box.height / 2
  const idle = await framesWhile(page, () => Promise.resolve(), FRAMES)
  const pointing = await framesWhile(page, (step) => page.mouse.move(x(step / FRAMES), y), FRAMES)
  const zooming = await framesWhile(page, (step) => page.mouse.wheel(0, step % 40 < 20 ? -100 : 100), FRAMES)
  await page.getByRole('slider', { name: 'Smoothing' }).focus()
  const smoothing = await framesWhile(
    page,
    (step) => page.keyboard.press(step % 8 < 4 ? 'ArrowLeft' : 'ArrowRight'),
    24,
  )
  return { idle, pointing, zooming, smoothing }
}

const data = mkdtempSync(join(tmpdir(), 'loam-bench-'))
await seedExperiment(data, 'exp-bench', {
  name: 'Fifty long runs',
  stream: 'house-rules-mix',
  methods: ['none', 'case-bank'],
  seeds: SEEDS,
  exp: EXP,
  tasks: TASKS,
})
const host = spawn(process.execPath, [join(root, 'out/main/headless.js'), '--data', data, '--no-open'])
const ended = new Promise((done) => host.on('exit', done))
const browser = await chromium.launch({
  ...(process.env['LOAM_CHROMIUM'] && { executablePath: process.env['LOAM_CHROMIUM'] }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const url = await new Promise<string>((found) => {
    let text = ''
    host.stdout.on('data', (chunk) => {
      text += String(chunk)
      const match = /http:\/\/\S+#\S+/.exec(text)
      if (match) found(match[0])
    })
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Curves' }).click()
  const asked = performance.now()
  await page.getByRole('checkbox', { name: /Fifty long runs/ }).check()
  await page.getByRole('application', { name: /^Curves/ }).waitFor()
  const figures: Record<string, unknown> = {
    runs: SEEDS.length * (EXP.length + 1),
    tasks: TASKS,
    shownAfterMs: Math.round(performance.now() - asked),
  }
  for (const lines of ['Mean over seeds', 'Each run'] as const) {
    await page.getByRole('radio', { name: lines }).click()
    await page.waitForTimeout(1500)
    const frames = await measure(page)
    figures[lines === 'Each run' ? 'each' : 'mean'] = frames
    for (const [what, { p50, p95, max }] of Object.entries(frames))
      console.log(`${lines}, ${what}: ${p50} ms per frame (p95 ${p95}, longest ${max})`)
  }
  console.log(JSON.stringify({ unit: 'ms', ...figures }))
} finally {
  await browser.close()
  host.kill('SIGTERM')
  await ended
  rmSync(data, { recursive: true, force: true })
}
