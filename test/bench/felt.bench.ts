import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { createApp } from '../../src/main/app'
import { MY_MEMORY } from '../../src/shared/domain/memory-info'
import { AppPage } from '../e2e/pages/app-page'
import { useServedModel } from '../e2e/served-model'
import { startModelServer } from '../fixtures/model-server'
import { caseOf, trajectoryOf } from '../main/memory-store/fixtures'
import { startHeadless } from '../main/headless-process'

// What a person feels in the window, idle and while a run of 600 tasks goes on out of sight, at last in sight: frames, changes of screens, a search among 10,000 memories, and
// typing while an answer streams. Idle figures are the control of the others. A browser without a graphics card draws by the processor.
const MEMORIES = Number(process.env['LOAM_BENCH_MEMORIES'] ?? 10_000)
const WATCHED_MS = 6000
const ROUNDS = 5
const SECTIONS = ['Memory', 'Models', 'Lab', 'Settings', 'Ask'] as const
const PLACES = ['harbor', 'mill', 'ferry', 'tower', 'garden', 'bakery', 'school', 'bridge']
const THINGS = ['pump', 'ledger', 'crane', 'boiler', 'roof', 'timetable', 'engine', 'gate', 'lamp']

const at = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN)
}
const spread = (values: readonly number[]) => ({
  n: values.length,
  p50: at(values, 0.5),
  p95: at(values, 0.95),
})

/** ms between frames that the page draws for a while. */
const frames = async (page: Page) =>
  spread(
    await page.evaluate(async (ms) => {
      const gaps: number[] = []
      let last = performance.now()
      const end = last + ms
      while (last < end) {
        const now = await new Promise<number>((drawn) => requestAnimationFrame(drawn))
        gaps.push(now - last)
        last = now
      }
      return gaps.slice(1)
    }, WATCHED_MS),
  )

/** ms from a click on a section until its screen with its heading was drawn; the first time of each, which loads it, apart. */
async function changes(page: Page) {
  const [first, later]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of SECTIONS) {
      const ms = await page.evaluate(async (section) => {
        const buttons = [...document.querySelectorAll<HTMLElement>('nav[aria-label="Screens"] button')]
        const button = buttons.find(({ textContent }) => textContent?.trim().startsWith(section))
        const before = document.querySelector('main h1')
        const begun = performance.now()
        button?.click()
        do await new Promise(requestAnimationFrame)
        while ((document.querySelector('main h1') ?? before) === before && performance.now() - begun < 10_000)
        return performance.now() - begun
      }, name)
      ;(round === 0 ? first : later).push(ms)
    }
  return { first: spread(first), later: spread(later) }
}

/** ms from the last key of a search among all memories until other rows were drawn. */
async function searches(app: AppPage, page: Page) {
  await app.goTo('Memory')
  const field = page.getByRole('searchbox').first()
  const times: number[] = []
  for (const place of PLACES) {
    await field.fill('')
    await page.waitForTimeout(600)
    const watching = page.evaluate(
      ([text]) =>
        new Promise<number>((found) => {
          const main = document.querySelector('main')
          let begun = 0
          const field = main?.querySelector('input[type="search"]')
          field?.addEventListener('input', () => (begun = performance.now()), { once: true })
          const observer = new MutationObserver(() => {
            const rows = [...(main?.querySelectorAll('[role="option"], li, [role="row"]') ?? [])]
            const [row] = rows.filter(({ textContent }) => (textContent ?? '').length > 20)
            if (begun === 0 || !row?.textContent?.toLowerCase().includes(text ?? '')) return
            observer.disconnect()
            requestAnimationFrame(() => found(performance.now() - begun))
          })
          observer.observe(main ?? document.body, { childList: true, subtree: true, characterData: true })
        }),
      [place],
    )
    await field.fill(`the ${place} pump number`)
    times.push(await watching)
  }
  return spread(times)
}

/** A model that writes as fast as it is read, for a while. */
const writer: LanguageModel = {
  ...{ name: 'writer', path: 'writer', contextSize: 100_000 },
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate(_request, { onToken, signal } = {}) {
    let text = ''
    for (let i = 0; i < 12_000; i++) {
      signal?.throwIfAborted()
      const piece = i % 12 === 11 ? 'sails on.\n\n' : 'The **quick** ship '
      onToken?.(piece)
      text += piece
      if (i % 10 === 9) await new Promise((later) => setTimeout(later, 20))
    }
    return { text, usage: { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }, finish: 'end' }
  },
}

/** Frames and the time of each key while an answer streams. */
async function streaming(app: AppPage, page: Page, url: string) {
  await app.goTo('Ask')
  const another = page.getByRole('button', { name: 'New ask' }).first()
  if (await another.isVisible()) await another.click()
  await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Write and write.')
  await useServedModel(page, 'writer', url)
  await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
  const open = page.getByRole('region', { name: 'The open ask' })
  await open
    .getByText(/sails on/)
    .first()
    .waitFor({ timeout: 60_000 })
  const drawn = await frames(page)
  await open.getByRole('button', { name: 'Stop' }).click()
  await open.getByRole('textbox', { name: 'The next message' }).waitFor()
  return drawn
}

/** Frames of the screen of the run that goes on. */
async function runScreen(page: Page) {
  await page.getByRole('button', { name: /^Jobs: / }).click()
  const jobs = page.getByRole('dialog', { name: 'Jobs' })
  await jobs.getByRole('listitem').filter({ hasText: '600' }).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Pause' }).first().waitFor()
  return frames(page)
}

const folder = await mkdtemp(join(tmpdir(), 'loam-felt-'))
const data = join(folder, 'data')
const seeding = await createApp({ dataPath: data, host: 'memory', gpuLayers: 'cpu' })
const mine = await seeding.memories.open(MY_MEMORY)
for (let from = 0; from < MEMORIES; from += 500)
  await mine.commit(
    Array.from({ length: Math.min(500, MEMORIES - from) }, (_, i) => {
      const n = from + i
      const text = `How is the ${PLACES[n % 8] ?? ''} ${THINGS[n % 9] ?? ''} number ${n} repaired in week ${n % 52}?`
      return [
        { kind: 'trajectory-added' as const, trajectory: trajectoryOf(`t${n}`) },
        { kind: 'case-added' as const, case: caseOf(`c${n}`, text, { trajectoryId: `t${n}` }) },
      ]
    }).flat(),
  )
await seeding.dispose()

const cli = resolve('out/main/cli/index.js')
const stream = join(folder, 'stream.jsonl')
execFileSync(process.execPath, [
  cli,
  ...['streams', 'generate', 'house-rules', '--world', '1701', '--tasks', '600', '--out', stream],
])
const server = await startModelServer('writer', writer)
const host = startHeadless(data)
const browser = await chromium.launch({ executablePath: process.env['LOAM_CHROMIUM'] ?? '' })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const app = new AppPage(page)
  await app.open(await host.url)
  const idle = {
    frames: await frames(page),
    changes: await changes(page),
    search: await searches(app, page),
    streaming: await streaming(app, page, server.url),
  }
  process.stdout.write(`idle: ${JSON.stringify(idle)}\n`)
  const run = spawn(
    process.execPath,
    [cli, ...['run', '--stream', stream, '--method', 'case-bank', '--data', data]],
    { stdio: 'ignore' },
  )
  await page.getByRole('button', { name: /1 job/ }).waitFor({ timeout: 120_000 })
  const beside = {
    frames: await frames(page),
    changes: await changes(page),
    search: await searches(app, page),
    streaming: await streaming(app, page, server.url),
    runScreen: await runScreen(page),
  }
  const isRunning = run.exitCode === null
  run.kill('SIGKILL')
  process.stdout.write(`beside the run: ${JSON.stringify(beside)}\n`)
  process.stdout.write(JSON.stringify({ unit: 'ms', memories: MEMORIES, idle, beside, isRunning }) + '\n')
} finally {
  await browser.close()
  host.child.kill()
  await host.ended
  await server.close()
  await rm(folder, { recursive: true, force: true })
}
