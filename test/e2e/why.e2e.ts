import { expect, test } from './fixtures'

test.use({ model: 'scripted' })

test('why a task of a run failed: what was expected, what it recalled, and played again without memory', async ({
  app,
  run,
  page,
}) => {
  test.setTimeout(180_000)
  await page.getByRole('textbox', { name: 'Tasks' }).fill('12')
  await run.start.click()
  const meaning = page.getByRole('region', { name: 'What it means' })
  await expect(meaning).toContainText('one run cannot say', { timeout: 120_000 })
  await meaning.getByRole('button', { name: 'Open one' }).click()
  await run.story.getByRole('button', { name: 'Why did this fail?' }).click()
  const why = run.story.getByRole('region', { name: 'Why it failed' })
  await expect(why).toBeFocused()
  await expect(why.getByLabel('Expected against given')).toContainText(/SELECT|UPDATE|INSERT|DELETE/)
  await expect(why).toContainText('What similar tasks did')
  await why.getByRole('button', { name: 'Replay as it was' }).click()
  const again = why.getByRole('list', { name: 'Played again' })
  await expect(again.getByRole('listitem')).toHaveCount(1, { timeout: 60_000 })
  await expect(again).toContainText('As it was')
  await page.reload()
  await page.locator('[data-index][aria-label$=", failed"]').last().click()
  await run.story.getByRole('button', { name: 'Why did this fail?' }).click()
  await expect(again.getByRole('listitem')).toHaveCount(1)

  // One click runs the same tasks without memory; then the sentence compares.
  await meaning.getByRole('button', { name: 'Run it without memory' }).click()
  await expect(meaning).toContainText('Without memory it solved', { timeout: 120_000 })
  await why.or(run.story).first().waitFor()
  void app
})
