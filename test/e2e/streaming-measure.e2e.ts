import { expect, needsDemoModel, test } from './fixtures'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const LINE = 'The **quick** ship sails on, with `code` and $$x^2$$ and | a | table |.\n\n'

/** Writes as fast as it can for a while. */
const writer = (pieces: number, everyMs: number): LanguageModel => ({
  name: 'writer',
  path: 'writer',
  contextSize: 100_000,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate(_request, { onToken, signal } = {}) {
    let text = ''
    for (let i = 0; i < pieces; i++) {
      signal?.throwIfAborted()
      const piece = LINE.slice((i * 4) % LINE.length, ((i * 4) % LINE.length) + 4)
      onToken?.(piece)
      text += piece
      if (i % 10 === 9) await new Promise((later) => setTimeout(later, everyMs))
    }
    return { text, usage, finish: 'end' }
  },
})

// It asserts nothing about time, so it is played where figures are wanted: LOAM_TORTURE=1.
test.skip(process.env['LOAM_TORTURE'] !== '1', 'a measurement; LOAM_TORTURE=1 plays it')
test.beforeEach(needsDemoModel)

test('typing stays quick while tokens stream at full speed and a run goes on (measured, not asserted)', async ({
  app,
  run,
  page,
}) => {
  test.setTimeout(240_000)
  const server = await startModelServer('writer', writer(24_000, 20))
  try {
    await run.start.click()
    await expect(run.progress).toBeVisible()
    await app.goTo('Ask')
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Write and write.')
    await useServedModel(page, 'writer', server.url)
    await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByText(/sails on/).first()).toBeVisible({ timeout: 120_000 })
    const field = open.getByRole('textbox', { name: 'Say something while it works' })
    const measuring = page.evaluate(async () => {
      const frames: number[] = []
      const events: number[] = []
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) events.push(entry.duration)
      })
      observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
      let last = performance.now()
      let going = true
      const tick = (now: number) => {
        frames.push(now - last)
        last = now
        if (going) requestAnimationFrame(tick)
      }
      requestAnimationFrame(tick)
      await new Promise((later) => setTimeout(later, 6000))
      going = false
      observer.disconnect()
      const sorted = frames.slice(1).sort((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
      const written = document.querySelector('[aria-label="What it is doing"]')?.textContent?.length ?? 0
      return { frames: sorted.length, median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1), written }
    })
    const latencies: number[] = []
    for (const letter of 'typing while it writes') {
      const begun = Date.now()
      await field.pressSequentially(letter)
      latencies.push(Date.now() - begun)
    }
    const measured = await measuring
    latencies.sort((a, b) => a - b)
    process.stdout.write(
      JSON.stringify({
        ...measured,
        keyMedianMs: latencies[Math.floor(latencies.length / 2)],
        keyMostMs: latencies.at(-1),
      }) + '\n',
    )
    await expect(field).toHaveValue('typing while it writes')
    await open.getByRole('button', { name: 'Stop' }).click()
    await expect(open.getByText('It was stopped.')).toBeVisible()
  } finally {
    await server.close()
  }
})
