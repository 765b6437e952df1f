import { expect, test } from './fixtures'
import type { AppPage } from './pages/app-page'
import type { RunPage } from './pages/run-page'

test.use({ model: 'scripted' })
// Many small files are written and synced, which takes its time on a busy machine.
test.setTimeout(240_000)

/** The settings of the paper, chosen for learned Q in the form of a run. */
async function choosePaper(app: AppPage, run: RunPage): Promise<void> {
  const { page } = app
  await app.goTo('Runs')
  await run.choose('Method', /^Case bank that learns what helps/)
  await page.getByText('Method settings').click()
  await page.getByRole('button', { name: /^Preset:/ }).click()
  await page.getByRole('menuitemradio', { name: /^As in the paper/ }).click()
}

test(
  'a preset says what it changes, is taken over, and the run has it',
  { tag: '@long' },
  async ({ app, run }) => {
    const { page } = app
    await choosePaper(app, run)
    // What is chosen stays while another screen is looked at.
    await app.goTo('Curves')
    await app.goTo('Runs')
    await page.getByText('Method settings').click()
    const sets = page.getByRole('list', { name: 'What the preset sets' })
    await expect(sets).toContainText('Cold start: 0, now 30')
    await page.getByRole('button', { name: 'Take it over' }).click()
    await expect(page.getByLabel('Cold start').first()).toHaveValue('0')
    await expect(page.getByText('2 changed')).toBeVisible()
    await run.tasks(3)
    await run.start.click()
    await expect(run.progress).toHaveText('3 of 3 tasks', { timeout: 60_000 })
    await expect(page.getByTestId('run-preset')).toHaveText(/As in the paper$/)
  },
)

test('what is set otherwise beside a preset goes over it, and the run says so', async ({ app, run }) => {
  const { page } = app
  await choosePaper(app, run)
  await page.getByRole('button', { name: 'Take it over' }).click()
  // Back to the default, which the preset would otherwise fill in anew.
  await page.getByLabel('Cold start').first().fill('30')
  await run.tasks(2)
  await run.start.click()
  await expect(run.progress).toHaveText('2 of 2 tasks', { timeout: 60_000 })
  await expect(page.getByTestId('run-preset')).toHaveText(/As in the paper, but coldStart 30$/)
})

test(
  'a study of Memento is opened from the menu, and its cells begin',
  { tag: '@long' },
  async ({ app, experiments }) => {
    const { page } = app
    await app.goTo('Experiments')
    await page.getByRole('button', { name: 'Studies' }).click()
    await page.getByRole('menuitem', { name: /GAIA, three iterations/ }).click()
    // Three iterations over six tasks, three that only test.
    await expect(experiments.plan).toHaveText(/^3 cells of /)
    await expect(page.getByLabel('Tasks that only test')).toHaveValue('3')
    await page.getByRole('button', { name: 'Studies' }).click()
    await page.getByRole('menuitem', { name: /Cases recalled, K from 0 to 32/ }).click()
    await experiments.seeds('1')
    await experiments.tasks(2)
    await experiments.start.click()
    await expect(experiments.cells).toHaveCount(14)
    await expect(experiments.progress).toHaveText('14 of 14 cells', { timeout: 120_000 })
  },
)
