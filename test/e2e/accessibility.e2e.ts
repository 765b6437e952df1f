import type { Page } from '@playwright/test'
import { seedExperiment } from '../fixtures/seed-curves'
import { violations } from './axe'
import { expect, needsDemoModel, test } from './fixtures'
import { unclear } from './listening'
import type { AppPage } from './pages/app-page'

const SCREENS = [
  'Ask',
  'Runs',
  'Experiments',
  'Curves',
  'Memory',
  'Guides',
  'Soft prompts',
  'Task streams',
  'Models',
  'Settings',
  'Model and speed',
  'Connected programs',
  'Storage',
  'Advanced',
] as const

/** The narrowest and the widest; what lies between fits where these do. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 900, height: 700 },
] as const

test.beforeEach(needsDemoModel)
test.use({
  seed: async ({}, use) =>
    use(async (dataPath) => {
      await seedExperiment(
        dataPath,
        'exp-20260314-090000',
        {
          name: 'Two methods',
          stream: 'house-rules-a',
          model: 'made-up',
          methods: ['none', 'case-bank'],
          seeds: [1, 2, 3],
          tasks: 40,
        },
        { attempts: true },
      )
    }),
})

/** Whether the page is wider than the window once it has settled, so that something of it cannot be seen. */
const isTooWide = (page: Page): Promise<boolean> =>
  page
    .waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      null,
      { timeout: 3000 },
    )
    .then(
      () => false,
      () => true,
    )

/** Looks at every screen, one after another. */
async function round(app: AppPage, look: (screen: string) => Promise<void>): Promise<void> {
  for (const screen of SCREENS) {
    await app.goTo(screen)
    // What is read from the host is there by then, and what is not says so.
    await app.page.waitForTimeout(200)
    await look(screen)
  }
}

test('axe finds nothing on any screen before anything was done', { tag: '@long' }, async ({ app }) => {
  const found: string[] = []
  await round(app, async (screen) => void found.push(...(await violations(app.page, screen))))
  expect(found).toEqual([])
})

test('axe finds nothing on any screen in both themes, and everything fits into two sizes', async ({
  app,
  run,
}) => {
  test.setTimeout(480_000)
  const { page } = app
  await run.choose('Method', /^Case bank/)
  await run.tasks(4)
  await run.start.click()
  await expect(run.progress).toContainText('4 of 4', { timeout: 120_000 })
  await app.chooseMemory(/, seed \d+/)
  await app.goTo('Memory')
  await page.getByRole('listbox', { name: 'Items' }).getByRole('option').first().click()
  await app.goTo('Experiments')
  await page
    .getByRole('button', { name: /Two methods/ })
    .first()
    .click()
  await app.goTo('Curves')
  await page
    .getByRole('region', { name: 'What to draw' })
    .getByRole('checkbox', { name: /Two methods/ })
    .check()

  const found: string[] = []
  const size = page.viewportSize()
  await round(app, async (screen) => {
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await expect.poll(() => app.theme()).toBe(theme)
      const only = theme === 'dark' ? 'colours' : undefined
      found.push(...(await violations(page, `${theme}: ${screen}`, { only })))
    }
    found.push(...(await unclear(page, screen)))
    for (const narrowOrWide of SIZES) {
      await page.setViewportSize(narrowOrWide)
      if (await isTooWide(page)) found.push(`${screen} is wider than ${narrowOrWide.width}`)
    }
    if (size) await page.setViewportSize(size)
  })
  expect(found).toEqual([])
})

test('axe finds nothing in what opens over a screen, and nothing moves for people who asked for that', async ({
  app,
}) => {
  const { page } = app
  const found: string[] = []
  const look = async (where: string) => {
    await page.waitForTimeout(150)
    // A menu is no landmark and lies in none; what is behind it is looked at elsewhere.
    const only = where.startsWith('dark') ? 'colours' : undefined
    found.push(...(await violations(page, where, { rulesOff: ['region'], only })))
  }
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await app.openPalette()
    await look(`${theme}: palette`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await look(`${theme}: shortcuts`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Jobs/ }).click()
    await look(`${theme}: jobs`)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Open memory:/ }).click()
    await look(`${theme}: memories`)
    await page.getByRole('menuitem', { name: 'New memory…' }).click()
    await look(`${theme}: new memory`)
    await page.keyboard.press('Escape')
    await app.openPalette()
    await page.keyboard.type('take the tour')
    await page.keyboard.press('Enter')
    await look(`${theme}: tour`)
    await page.keyboard.press('Escape')
    await app.goTo('Task streams')
    await page.getByRole('button', { name: 'Generate a world' }).click()
    await look(`${theme}: a form`)
    await page.keyboard.press('Escape')
  }
  expect(found).toEqual([])

  await app.goTo('Runs')
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')]
        .map((element) => getComputedStyle(element))
        .filter(
          ({ animationName, transitionDuration }) =>
            animationName !== 'none' || !/^0s(, 0s)*$/.test(transitionDuration),
        ).length,
  )
  expect(moving).toBe(0)
})
