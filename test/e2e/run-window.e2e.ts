import { expect, test } from './fixtures'
import { shoot } from './shoot'

test.use({ model: 'scripted' })

test('a pause of the demo holds both of its runs, also after a reload, until it goes on', async ({
  app,
  run,
}) => {
  const { page } = app
  await run.demo.click()
  await run.pause.click()
  await expect(run.resume).toBeVisible()
  await expect(page.getByRole('region', { name: 'Progress' })).toContainText(
    'is held too. Resume goes on with both.',
  )
  const rows = page.getByRole('button', { name: /· seed 1/ })
  await expect(rows).toHaveText([/paused/, /paused/])
  await shoot(page, 'demo-held')
  await page.reload()
  await expect(rows).toHaveText([/paused/, /paused/])
  await rows.first().click()
  await run.resume.click()
  await expect(run.finished.first()).toBeVisible({ timeout: 60_000 })
  await expect(rows.filter({ hasText: 'paused' })).toHaveCount(0)
})

test(
  'a cancel of the demo’s first run leaves the second to be gone on with',
  { tag: '@long' },
  async ({ app, run }) => {
    const { page } = app
    await run.demo.click()
    await run.pause.click()
    await expect(run.resume).toBeVisible()
    await run.cancel.click()
    await app.confirm('Cancel the run')
    const rows = page.getByRole('button', { name: /· seed 1/ })
    await expect(rows).toHaveText([/cancelled/, /paused/])
    await shoot(page, 'demo-cancelled')
    await page.getByRole('button', { name: 'Open it' }).click()
    await run.resume.click()
    await expect(run.finished.first()).toBeVisible({ timeout: 60_000 })
  },
)

test('in a narrow window Tab goes through the Run screen as it is seen', async ({ app, run }) => {
  const { page } = app
  await page.setViewportSize({ width: 600, height: 700 })
  await expect(run.demo).toBeVisible()
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: 'Settings' }).focus()
  const names: string[] = []
  for (let i = 0; i < 40; i++) {
    // How far below the one before it is, which is still focused.
    const step = await page.evaluateHandle(() => document.activeElement)
    await page.keyboard.press('Tab')
    const next = await page.evaluate((before) => {
      const main = document.querySelector('main')
      const { activeElement } = document
      if (!activeElement || !main?.contains(activeElement)) return null
      const middle = (element: Element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return (top + bottom) / 2
      }
      const name = activeElement.getAttribute('aria-label') ?? activeElement.textContent ?? ''
      const isFirst = !(before instanceof Element) || !main.contains(before)
      return { name, below: isFirst ? 0 : middle(activeElement) - middle(before) }
    }, step)
    if (next === null) continue
    names.push(next.name)
    // In a row of fields, the next one's label stands above the field before it.
    expect(next.below, next.name).toBeGreaterThan(-40)
  }
  // Behind the tabs of the Lab.
  expect(names[5]).toBe('Run the demo')
  expect(names.some((name) => name.startsWith('Method:'))).toBe(true)
  await shoot(page, 'run-narrow')
})
