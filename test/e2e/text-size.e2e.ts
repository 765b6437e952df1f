import type { Page } from '@playwright/test'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'

const SCREENS = [
  'Ask',
  'Runs',
  'Memory',
  'Task streams',
  'Models',
  'Model and speed',
  'Connected programs',
  'Storage',
  'Advanced',
  'Settings',
] as const

const rootSize = (page: Page) =>
  page.locator('html').evaluate((root) => parseFloat(getComputedStyle(root).fontSize))

/** Buttons, fields and words of a screen that reach out of the window, or whose own words do not fit into them. */
const cut = (page: Page): Promise<string[]> =>
  page.locator('body').evaluate((body) => {
    const isOut = (element: Element): boolean => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 1 && element.checkVisibility() && (right > window.innerWidth + 1 || left < -1)
    }
    const overflows = (element: Element): boolean =>
      element.scrollWidth > element.clientWidth + 1 && !element.querySelector('.truncate, svg')
    const parts = [
      ...body.querySelectorAll('main button, main input, main h1, main h2, main p, nav button, footer *'),
    ]
    const names = parts.filter(
      (part) => isOut(part) || (part.matches('button') && part.checkVisibility() && overflows(part)),
    )
    const sideways = [...body.querySelectorAll('main, main *')].filter(
      (part) =>
        part.scrollWidth > part.clientWidth + 1 &&
        /auto|scroll/.test(getComputedStyle(part).overflowX) &&
        !part.matches('pre, textarea, [role="tablist"]') &&
        part.querySelector('table') === null,
    )
    return [
      ...(document.documentElement.scrollWidth > window.innerWidth ? ['the page scrolls sideways'] : []),
      ...names.map((part) => `cut: ${part.outerHTML.slice(0, 140)}`),
      ...sideways.map((part) => `scrolls sideways: ${part.outerHTML.slice(0, 140)}`),
    ]
  })

test(
  'the largest text is kept, reaches every screen, and nothing is cut in a small window',
  { tag: '@long' },
  async ({ app }) => {
    const { page } = app
    await page.setViewportSize({ width: 900, height: 700 })
    const usual = await rootSize(page)
    await app.goTo('Settings')
    // Arrows choose among radio buttons.
    await page.getByRole('radio', { name: 'Usual' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => rootSize(page)).toBe(usual * 1.25)
    await page.reload()
    await expect.poll(() => rootSize(page)).toBe(usual * 1.25)
    for (const screen of SCREENS) {
      await app.goTo(screen)
      await shoot(page, `text-largest-${screen.toLowerCase().replaceAll(' ', '-')}`)
      await expect.poll(() => cut(page), { message: screen }).toEqual([])
      expect(await violations(page, screen)).toEqual([])
    }
    await page.getByRole('radio', { name: 'Smaller' }).press('Space')
    await expect.poll(() => rootSize(page)).toBe(usual * 0.9)
    await page.getByRole('radio', { name: 'Usual' }).press('Space')
    await expect.poll(() => rootSize(page)).toBe(usual)
  },
)
