import { inDemoWorld } from './demo-world'
import { expect, needsDemoModel, test } from './fixtures'
import { shoot } from './shoot'

test.beforeEach(needsDemoModel)

test('an ask is answered while a run goes on, by keyboard and by mouse, and the run goes on afterwards', async ({
  app,
  run,
}) => {
  const { page } = app
  await run.choose('Stream', /House rules/)
  await run.start.click()
  await expect(run.finished.first()).toBeVisible({ timeout: 60_000 })
  await app.goTo('Ask')
  await inDemoWorld(page)
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await expect(page.getByText('the run rests', { exact: true })).toBeVisible()
  await task.fill('Harbor: Count the bookings with price over 32.')
  await task.press('Enter')
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByText('It found no answer within its rounds.')).toBeVisible({ timeout: 60_000 })
  await shoot(page, 'ask-beside-run')
  await page.getByRole('button', { name: 'New ask' }).click()
  await task.fill('Harbor: Count the bookings with price over 45.')
  await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
  await expect(open.getByText('It found no answer within its rounds.')).toBeVisible({ timeout: 60_000 })

  // All that while the run was going, and it is not over yet.
  await app.goTo('Runs')
  const before = await run.outcomes()
  expect(before.length).toBeLessThan(120)
  await expect(run.pause).toBeVisible()
  await expect
    .poll(async () => (await run.outcomes()).length, { timeout: 60_000 })
    .toBeGreaterThan(before.length)
})
