import { expect, needsDemoModel, startHost, test } from './fixtures'

test.describe('with runs that end in seconds', () => {
  test.use({ model: 'scripted' })
  test('the palette does what buttons do, and the way back, links and a new ask lead to what was open', async ({
    app,
    run,
  }) => {
    const { page } = app
    const palette = async (words: string) => {
      await app.openPalette()
      await page.keyboard.type(words)
      await page.keyboard.press('Enter')
      await expect(app.palette).toBeHidden()
    }
    // What is no command can be asked or looked for, typed letter by letter.
    await app.openPalette()
    await page.keyboard.type('berth of the alma', { delay: 5 })
    await expect(app.palette.getByRole('option')).toHaveText([
      /^Ask “berth of the alma”/,
      /^Search the memory for “berth of the alma”/,
    ])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'The task', exact: true })).toHaveValue(
      'berth of the alma',
    )
    // A whole run by words alone: go there, choose from a menu that a button opens, start.
    await palette('go to run')
    await expect(run.start).toBeVisible()
    await palette('method:')
    await page
      .getByRole('menuitemradio', { name: /^Case bank/ })
      .first()
      .click()
    await run.tasks(3)
    // The palette holds what can be done when it opens.
    await expect(run.start).toBeEnabled()
    await palette('start run')
    await expect(run.progress).toContainText('3 of 3', { timeout: 120_000 })

    // The run's own memory is looked at where a person goes to it.
    await app.chooseMemory(/, seed \d+/)
    // Titles, not ids, and an address that opens the same again.
    await palette('go to memory')
    await page.getByRole('listbox', { name: 'Items' }).getByRole('option').nth(1).click()
    const open = page.getByRole('region', { name: 'The open item' }).getByRole('heading', { level: 1 })
    const title = await open.textContent()
    await expect(page).toHaveTitle('Memory · Loam')
    const link = page.url()
    await palette('pin: recall')
    await expect(page.getByText('It is recalled before others of its kind.')).toBeVisible()

    await app.goTo('Ask')
    const main = page.getByRole('main')
    await expect(main.getByRole('button', { name: /Case bank on House rules.*3 tasks solved/ })).toBeVisible()
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(open).toHaveText(title ?? '')
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(run.start).toBeVisible()
    await page.getByRole('button', { name: 'Forward', exact: true }).click()
    await expect(open).toHaveText(title ?? '')

    await page.goto('about:blank')
    await page.goto(link)
    await expect(open).toHaveText(title ?? '')
    await expect(page.getByText('Pinned', { exact: true })).toBeVisible()

    // What a person looks at does not change by itself: a run that makes a new memory leaves this one open.
    const memory = page.getByRole('button', { name: /^Open memory:/ })
    await expect(memory).toHaveAccessibleName(/Case bank/)
    const before = await memory.getAttribute('aria-label')
    await app.goTo('Runs')
    await run.tasks(2)
    await run.start.click()
    await expect(run.progress).toContainText('2 of 2', { timeout: 120_000 })
    await app.goTo('Cases')
    expect(await memory.getAttribute('aria-label')).toBe(before)

    // The tour walks through four screens by keyboard.
    await page.getByRole('button', { name: 'Loam', exact: true }).click()
    await page.getByRole('button', { name: /^Take the tour/ }).click()
    const tour = page.getByRole('complementary', { name: 'Tour' })
    await expect(tour.getByRole('heading')).toBeFocused()
    for (const screen of ['Ask', 'Memory', 'Runs']) {
      await tour.getByRole('button', { name: 'Next' }).press('Enter')
      await expect(page).toHaveTitle(`${screen} · Loam`)
    }
    await tour.getByRole('button', { name: 'Done' }).press('Enter')
    await expect(tour).toBeHidden()
  })
})

test(
  'jobs are listed after a reload, and after the host was killed and started again',
  { tag: '@long' },
  async ({ app, run, host, browser }) => {
    needsDemoModel()
    const { page } = app
    await run.tasks(2)
    await run.start.click()
    await expect(run.progress).toContainText('2 of 2', { timeout: 120_000 })
    await run.tasks(120)
    await run.start.click()
    await expect(run.pause).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: /^Jobs: 1 job running/ }).click()
    const jobs = page.getByRole('dialog', { name: 'Jobs' })
    await expect(jobs.getByRole('listitem')).toHaveCount(2)
    await page.close()
    host.kill()

    const again = await startHost(host.dataPath)
    try {
      const second = await browser.newPage()
      await second.goto(again.url)
      await second.getByRole('button', { name: 'Jobs: nothing running' }).click()
      const list = second.getByRole('dialog', { name: 'Jobs' }).getByRole('listitem')
      await expect(list).toHaveCount(2)
      await expect(list.first()).toContainText('Loam stopped while this was under way')
      await list.first().getByRole('button').click()
      await expect(second.getByRole('button', { name: 'Resume' })).toBeVisible()
      await second.close()
    } finally {
      await again.stop()
    }
  },
)
