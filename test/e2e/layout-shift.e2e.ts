import type { Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { expect, needsDemoModel, test } from './fixtures'
import { useServedModel } from './served-model'

/** Most that may jump in one scene, as Chromium counts it: the part of the window that moved, times how far. 0.1 is what Google calls good. */
const MOST = 0.1

interface Shift {
  readonly value: number
  /** What moved, and from where to where. */
  readonly moved: readonly string[]
}

interface Watched extends Window {
  shifts: Shift[]
}

/** Writes down what jumps, from the page's first moment on, right after a click as well. */
const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: Shift[] = []
    ;(window as unknown as Watched).shifts = shifts
    const nameOf = (node: Node | null): string => {
      const element = node instanceof Element ? node : (node?.parentElement ?? null)
      if (!element) return 'gone'
      const label = element.closest('[aria-label]')?.getAttribute('aria-label') ?? ''
      return `${element.tagName.toLowerCase()} “${(element.textContent ?? '').slice(0, 30)}” in “${label}”`
    }
    const at = ({ x, y, width, height }: DOMRectReadOnly): string =>
      [x, y, width, height].map(Math.round).join(',')
    interface Entry extends PerformanceEntry {
      readonly value: number
      readonly sources: readonly {
        readonly node: Node | null
        readonly previousRect: DOMRectReadOnly
        readonly currentRect: DOMRectReadOnly
      }[]
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[])
        shifts.push({
          value: entry.value,
          moved: entry.sources.map(
            ({ node, previousRect, currentRect }) =>
              `${nameOf(node)}: ${at(previousRect)} to ${at(currentRect)}`,
          ),
        })
    }).observe({ type: 'layout-shift', buffered: true } as PerformanceObserverInit)
  })

/** What jumped while something was done, in all; says so where a person wants the figures. */
async function jumped(page: Page, scene: string, what: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => void ((window as unknown as Watched).shifts.length = 0))
  await what()
  await page.waitForTimeout(600)
  const shifts = await page.evaluate(() => (window as unknown as Watched).shifts)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  process.stdout.write(`${scene}: ${sum.toFixed(4)} in ${shifts.length}\n`)
  if (sum > MOST)
    for (const { value, moved } of shifts.sort((a, b) => b.value - a.value).slice(0, 5))
      process.stdout.write(`  ${value.toFixed(4)} ${moved.slice(0, 3).join(' | ')}\n`)
  return sum
}

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const LINE = 'The **quick** ship sails on, with `code`.\n\n| a | table |\n|---|---|\n| 1 | 2 |\n\n'

/** Writes some thousand letters, a few at a time. */
const writer: LanguageModel = {
  name: 'writer',
  path: 'writer',
  contextSize: 100_000,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate(_request, { onToken, signal } = {}) {
    const text = LINE.repeat(30)
    for (const piece of text.match(/[^]{1,6}/g) ?? []) {
      signal?.throwIfAborted()
      onToken?.(piece)
      await new Promise((later) => setTimeout(later, 6))
    }
    return { text, usage, finish: 'end' }
  },
}

test.beforeEach(needsDemoModel)
test.beforeEach(({ page }) => watchShifts(page))

test(
  'nothing jumps while screens open, a run goes on and an ask is answered',
  { tag: '@long' },
  async ({ app, run, page }) => {
    test.setTimeout(300_000)
    const server = await startModelServer('writer', writer)
    const figures: Record<string, number> = {}
    const scene = async (name: string, what: () => Promise<unknown>) => {
      figures[name] = await jumped(page, name, what)
    }
    try {
      await run.tasks(30)
      await scene('a run of 30 tasks', async () => {
        await run.start.click()
        await expect(run.progress).toHaveText('30 of 30 tasks', { timeout: 120_000 })
      })
      await app.goTo('Ask')
      await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Write and write.')
      await useServedModel(page, 'writer', server.url)
      const open = page.getByRole('region', { name: 'The open ask' })
      await scene('an ask from its first to its last token', async () => {
        await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
        await expect(open.getByRole('region', { name: 'Your judgement' })).toBeVisible({ timeout: 60_000 })
      })
      for (const screen of [
        'Runs',
        'Experiments',
        'Curves',
        'Memory',
        'Task streams',
        'Models',
        'Connected programs',
        'Settings',
        'Model and speed',
        'Storage',
        'Advanced',
        'Ask',
      ] as const)
        await scene(`opening ${screen}`, async () => {
          await app.goTo(screen)
          await page.waitForTimeout(900)
        })
      expect(Object.entries(figures).filter(([, value]) => value > MOST)).toEqual([])
    } finally {
      await server.close()
    }
  },
)
