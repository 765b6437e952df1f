import { seedExperiment } from '../fixtures/seed-curves'
import { expect, test as base } from './fixtures'

/** Two methods with three seeds each over 40 tasks, attempts included. */
const test = base.extend({
  shared: true,
  seed: async ({}, use) =>
    use(async (dataPath) => {
      await seedExperiment(
        dataPath,
        'exp-two-methods',
        {
          name: 'Two methods',
          stream: 'house-rules-a',
          methods: ['none', 'case-bank'],
          seeds: [1, 2, 3],
          tasks: 40,
        },
        { attempts: true },
      )
    }),
})

test('the keyboard moves along a curve, opens an attempt and zooms', async ({ app, curves }) => {
  await app.goTo('Curves')
  await expect(app.page.getByRole('heading', { name: 'Choose what to draw' })).toBeVisible()
  await curves.choice(/Two methods/).focus()
  await app.page.keyboard.press('Space')
  await expect(curves.legend).toHaveCount(2)
  await curves.chart.focus()
  await app.page.keyboard.press('ArrowRight')
  await app.page.keyboard.press('ArrowRight')
  await expect(curves.tooltip).toContainText('task 2')
  await app.page.keyboard.press('Enter')
  await expect(curves.attempt.getByRole('heading', { name: /^Task 2/ }).first()).toBeVisible()
  await curves.chart.focus()
  await app.page.keyboard.press('+')
  await expect(app.page.getByRole('button', { name: 'Show all' })).toBeEnabled()
  await app.page.keyboard.press('0')
  await expect(app.page.getByRole('button', { name: 'Show all' })).toBeDisabled()
})

test('the chart can be taken along as PNG, SVG and CSV', async ({ app, curves }) => {
  await app.goTo('Curves')
  await curves.choice(/Two methods/).check()
  await expect(curves.legend).toHaveCount(2)
  const png = await curves.save('Picture')
  expect(png.name).toBe('loam-curves-success-by-task.png')
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  const svg = (await curves.save('Drawing')).bytes.toString()
  expect(svg).toMatch(/^<\?xml[^]*<svg[^]*Case bank[^]*n = 3[^]*<\/svg>\s*$/)
  const rows = (await curves.save('Numbers')).bytes.toString().trimEnd().split('\r\n')
  expect(rows).toHaveLength(1 + 2 * 40)
  expect(rows.at(-1)).toMatch(/^Case bank,,40,task,success,,3,0\.\d+/)
})

test('curves of an experiment: chart, legend, numbers, settings and the attempt behind a point', async ({
  app,
  curves,
}) => {
  await app.goTo('Curves')
  await curves.choice(/Two methods/).check()
  await expect(curves.lead).toContainText('2 series from 6 runs')
  await expect(curves.legend).toHaveCount(2)
  await expect(curves.legend.last()).toContainText(/Case bank.*n = 3/)

  await curves.pointAt(0.4, 0.4)
  await expect(curves.tooltip).toContainText(/task \d+.*n = 3/)
  await curves.clickPoint()
  await expect(curves.attempt).toContainText('Outcome')
  await expect(curves.attempt).toContainText('Recalled')
  await app.page.getByRole('radio', { name: /^Seed 3/ }).click()
  await expect(curves.attempt).toContainText('Outcome')
  await curves.attempt.getByRole('button', { name: 'Close' }).click()

  await curves.turnTo('Table')
  await expect(app.page.getByRole('row', { name: /^Success rate/ })).toContainText(
    /\d+ % \[\d+, \d+\], n = 3/,
  )
  await expect(app.page.getByRole('row', { name: /^Forward transfer/ })).toContainText('n = 3')
  await curves.turnTo('Every point')
  await expect(app.page.getByRole('row', { name: /^task 5 / })).toContainText('n = 3')
  await curves.turnTo('Settings')
  await expect(app.page.getByRole('row', { name: /^Method/ })).toContainText('case-bank')
  await expect(app.page.getByRole('row', { name: /^Temperature/ })).toHaveCount(0)
  await app.page.getByRole('switch', { name: 'Differences only' }).click()
  await expect(app.page.getByRole('row', { name: /^Temperature \d/ })).toContainText('0.2')
})

test('controls and choice survive a reload', async ({ app, curves }) => {
  await app.goTo('Curves')
  await curves.choice(/Two methods/).check()
  await curves.turnTo('By tokens')
  await curves.smoothing.press('Home')
  // The legend follows the chart, which is drawn a moment later.
  await curves.legend.first().getByRole('checkbox').click()
  await expect(curves.legend.first().getByRole('checkbox')).not.toBeChecked()
  // They are kept a moment after the last change.
  await app.page.waitForTimeout(1500)
  await app.page.reload()
  await app.goTo('Curves')
  await expect(curves.lead).toContainText('2 series from 6 runs')
  await expect(app.page.getByRole('radio', { name: 'By tokens' })).toBeChecked()
  await expect(curves.smoothing).toHaveValue('0')
  await expect(curves.legend.first().getByRole('checkbox')).not.toBeChecked()
})
