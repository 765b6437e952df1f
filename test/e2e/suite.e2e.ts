import { expect, test } from './fixtures'
import { reachable } from './axe'

test.use({ model: 'scripted' })
test.setTimeout(480_000)

test(
  'the lifelong suite is started from the studies, fills in, and shows a stream with its transfer',
  { tag: '@long' },
  async ({ app, experiments }) => {
    const shots = process.env['LOAM_SHOTS']
    const shot = async (name: string): Promise<void> => {
      if (shots) await app.page.screenshot({ path: `${shots}/${name}.png` })
    }
    await app.goTo('Experiments')
    await app.page.getByRole('button', { name: 'Studies' }).click()
    await app.page.getByRole('menuitem', { name: 'Lifelong suite' }).click()
    const dialog = app.page.getByRole('dialog')
    await dialog.getByLabel('Worlds').fill('901, x')
    await expect(dialog).toContainText('“x” is not a world')
    await expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
    await dialog.getByLabel('Worlds').fill('901')
    for (const kind of ['mixed', 'return', 'noisy', 'poisoned', 'sparse'])
      await dialog.getByRole('checkbox', { name: kind, exact: true }).uncheck()
    const methods = dialog.getByRole('group', { name: 'Methods' }).getByRole('checkbox')
    for (const box of await methods.all()) await box.uncheck()
    for (const name of ['No memory', 'Case bank'])
      await dialog.getByRole('checkbox', { name, exact: true }).check()
    await expect(dialog).toContainText('4 lives')
    await dialog.getByRole('button', { name: 'Start' }).click()

    await expect(experiments.progress).toHaveText('4 of 4 lives', { timeout: 300_000 })
    const grid = app.page.getByRole('table', { name: 'Success rate in percent, by method and stream' })
    const drift = grid.getByRole('button', { name: /^Case bank on Drift: [\d.]+ percent$/ })
    await drift.click()
    await expect(drift).toHaveAttribute('aria-pressed', 'true')
    const figures = app.page.getByRole('table', { name: /^Figures on drift/ })
    await expect(figures.getByRole('columnheader', { name: 'Back after' })).toBeVisible()
    await expect(figures.getByRole('row')).toHaveCount(3)
    await expect(app.page.getByRole('region', { name: 'Transfer of Case bank' })).toContainText('Stage 3')

    // A figure that a stream does not have has no column.
    await grid.getByRole('button', { name: /^Case bank on Steady/ }).click()
    const steady = app.page.getByRole('table', { name: /^Figures on steady/ })
    await expect(steady.getByRole('columnheader', { name: 'Back after' })).toHaveCount(0)
    await expect(app.page.getByText('runs of one world and order that only differ by seed')).toBeVisible()

    for (const theme of ['light', 'dark'] as const) {
      await app.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await expect.poll(() => app.theme()).toBe(theme)
      await reachable(app.page)
      await shot(`suite-${theme}`)
    }

    // Every life of it, on the place for curves.
    await app.page.getByRole('button', { name: 'Show curves' }).click()
    await expect(app.page).toHaveTitle('Curves · Loam')
    await expect(
      app.page.getByRole('region', { name: 'What to draw' }).getByRole('checkbox', { checked: true }),
    ).toHaveCount(1)
    await expect(app.page.getByRole('main')).toContainText('Case bank Drift, world 901')
    await reachable(app.page)
    await shot('suite-curves')
  },
)
