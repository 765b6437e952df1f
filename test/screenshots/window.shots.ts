import type { Page } from '@playwright/test'
import { inDemoWorld } from '../e2e/demo-world'
import { seedExperiment } from '../fixtures/seed-curves'
import { expect, needsDemoModel, test } from '../e2e/fixtures'
import type { AppPage } from '../e2e/pages/app-page'
import type { RunPage } from '../e2e/pages/run-page'
import { camera } from './camera'

/** Methods on two streams, so that curves have something to compare; outcomes are made up. */
const METHODS = ['none', 'replay', 'case-bank', 'evosc', 'awm', 'amem']

test.beforeEach(needsDemoModel)
test.use({
  seed: async ({}, use) =>
    use(async (dataPath) => {
      for (const [place, stream] of ['house-rules-a', 'house-rules-b'].entries()) {
        await seedExperiment(
          dataPath,
          `exp-2026031${4 + place}-090000`,
          {
            name: place === 0 ? 'Six ways to remember' : 'The same in another world',
            stream,
            model: 'made-up',
            methods: METHODS,
            seeds: [1, 2, 3, 4, 5],
            tasks: 100,
          },
          { attempts: false, later: place * 3_600_000 },
        )
      }
    }),
})

const themed = (page: Page, colorScheme: 'light' | 'dark') => page.emulateMedia({ colorScheme })
const sized = (page: Page, width: number, height: number) => page.setViewportSize({ width, height })

async function play({ page }: AppPage, run: RunPage, method: RegExp, tasks: number) {
  await run.choose('Method', method)
  await run.tasks(tasks)
  await run.start.click()
  await expect(run.heading).toHaveText(method)
  await expect(run.progress).toContainText(`${tasks} of ${tasks}`, { timeout: 300_000 })
  // The note that it is done would lie over what is to be seen.
  await page.getByRole('button', { name: 'Dismiss' }).first().click()
}

test('pictures of every place', async ({ app, run }) => {
  const { page } = app
  const shot = camera(page)
  await themed(page, 'light')
  await app.goTo('Ask')
  await expect(page.getByRole('button', { name: /^Get it from/ })).toBeVisible()
  await shot('01-ask-first')
  await app.goTo('Runs')
  await shot('02-run-first')

  await pictureAsks(app, shot)
  await pictureRuns(app, run, shot)
  await pictureComparisons(app, shot)
  await pictureMemory(app, shot)
  await pictureTheRest(app, shot)
})

async function pictureAsks(app: AppPage, shot: (name: string) => Promise<void>) {
  const { page } = app
  await app.goTo('Ask')
  await inDemoWorld(page, '4')
  await expect(page.getByText('Harbor: Count the bookings with price over 32.')).toBeVisible()
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await task.fill('Harbor: Count the bookings with price over 32.')
  await shot('03-ask-new')
  await page.keyboard.press('Control+Enter')
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByText('It found no answer within its rounds.')).toBeVisible({ timeout: 120_000 })
  await page.keyboard.press('w')
  await open.getByRole('button', { name: 'It went wrong here' }).nth(2).click()
  await open
    .getByLabel('What it should have done')
    .fill("SELECT COUNT(*) FROM bookings WHERE price > 3200 AND archived = 'B';")
  await open.getByRole('button', { name: 'Teach this' }).click()
  const learned = open.getByRole('heading', { name: /^Learned from it/ })
  await expect(learned).toBeVisible()
  await expect(open.getByRole('button', { name: 'Strike out' })).toHaveCount(2)
  await open.getByRole('button', { name: 'Strike out' }).last().scrollIntoViewIfNeeded()
  await shot('04-ask-taught')
  await page.getByRole('button', { name: 'New ask' }).click()
  await task.fill('Harbor: Count the bookings with price over 45.')
  await page.keyboard.press('Control+Enter')
  await expect(open.getByRole('region', { name: 'The answer' })).toContainText('[(3,)]', { timeout: 120_000 })
  await page.keyboard.press('r')
  await shot('05-ask-recalled')
}

async function pictureRuns(app: AppPage, run: RunPage, shot: (name: string) => Promise<void>) {
  const { page } = app
  await app.goTo('Runs')
  await play(app, run, /^No memory/, 40)
  await play(app, run, /^Case bank/, 40)
  await shot('06-run-learned')
  await run.openTask(30)
  await shot('07-run-task')
  await themed(page, 'dark')
  await shot('08-run-dark')
  await sized(page, 900, 700)
  await shot('09-run-narrow-dark')
  await themed(page, 'light')
  await sized(page, 1920, 1080)
  await shot('10-run-wide')
  await sized(page, 1280, 800)
  await play(app, run, /^EvoSC lessons/, 8)
}

async function pictureComparisons(app: AppPage, shot: (name: string) => Promise<void>) {
  const { page } = app
  await app.goTo('Experiments')
  await shot('11-experiment-new')
  await page
    .getByRole('button', { name: /Six ways to remember/ })
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible()
  await shot('12-experiment-figures')
  await app.goTo('Curves')
  const choose = (name: RegExp) =>
    page.getByRole('region', { name: 'What to draw' }).getByRole('checkbox', { name }).check()
  await choose(/Six ways to remember/)
  await shot('13-curves')
  await choose(/The same in another world/)
  await page.getByRole('radio', { name: 'Each run' }).click()
  await shot('14-curves-60-lines')
  const charts = async (from: string, to: string) => {
    await page.getByRole('button', { name: `Charts: ${from}` }).click()
    await page.getByRole('menuitemradio', { name: to }).click()
  }
  await charts('One chart', 'One per method')
  await shot('15-curves-per-method')
  await charts('One per method', 'One chart')
  await page.getByRole('radio', { name: 'Over streams too' }).click()
  await themed(page, 'dark')
  await shot('16-curves-pooled-dark')
  await themed(page, 'light')
}

async function pictureMemory(app: AppPage, shot: (name: string) => Promise<void>) {
  const { page } = app
  await app.chooseMemory(/EvoSC/)
  await app.goTo('Memory')
  await page
    .getByRole('group', { name: 'Kinds' })
    .getByRole('button', { name: /^Lessons/ })
    .click()
  await page.getByRole('listbox', { name: 'Items' }).getByRole('option').first().click()
  await shot('17-memory-lessons')
  await app.chooseMemory(/Case bank/)
  await app.goTo('Cases')
  await page.getByRole('listbox', { name: 'Items' }).getByRole('option').nth(2).click()
  await shot('18-case')
  await page.getByRole('radio', { name: 'Q and similarity' }).click()
  await expect(page.getByRole('table', { name: 'Cases by score' })).toBeVisible()
  await shot('19-cases-worth')
  await app.goTo('Guides')
  await page
    .getByRole('button', { name: /^(New build|Build guides)/ })
    .first()
    .click()
  await shot('20-knowledge-build')
}

async function pictureTheRest(app: AppPage, shot: (name: string) => Promise<void>) {
  const { page } = app
  await app.goTo('Task streams')
  await shot('21-streams')
  await app.goTo('Models')
  await shot('22-models')
  await app.goTo('Storage')
  await shot('23-storage')
  await page.getByRole('button', { name: 'Loam', exact: true }).click()
  await themed(page, 'dark')
  await shot('24-ask-dark')
  await themed(page, 'light')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('run')
  await shot('25-palette')
  await page.keyboard.press('Escape')
}
