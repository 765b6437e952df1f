import { expect, needsDemoModel, test } from './fixtures'

test('everything a run remembered is in one place: read, edited, pinned, deleted with undo, taken along and back', async ({
  app,
  run,
}) => {
  needsDemoModel()
  const { page } = app
  await run.choose('Method', /^EvoSC lessons/)
  await run.tasks(3)
  await run.start.click()
  await expect(run.progress).toContainText('3 of 3', { timeout: 180_000 })
  await app.chooseMemory(/, seed \d+/)
  await app.goTo('Memory')

  const list = page.getByRole('listbox', { name: 'Items' })
  const open = page.getByRole('region', { name: 'The open item' })
  const kinds = page.getByRole('group', { name: 'Kinds' })
  const lessons = kinds.getByRole('button', { name: /^Lessons \d/ })
  await lessons.click()
  const all = Number(/\d+/.exec(await lessons.innerText())?.[0])
  await expect(list.getByRole('option')).toHaveCount(all)

  // By keyboard to an item, and how it did.
  await list.focus()
  await page.keyboard.press('End')
  await expect(open.getByText(/recalled \d+ times?|never recalled/)).toBeVisible()
  await open.getByRole('tab', { name: /^Recalled/ }).click()
  await expect(open.getByRole('tabpanel')).toContainText(
    /That a task was solved with it|No attempt was shown it/,
  )

  await open.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit the lesson' })
  await form.getByRole('textbox').first().fill('Look at the house rules before anything else.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(open.getByRole('heading', { level: 1 })).toHaveText(/Look at the house rules/)
  await expect(open.getByText('Edited')).toBeVisible()

  await open.getByRole('button', { name: /^Pin/ }).click()
  await expect(open.getByText('Pinned', { exact: true })).toBeVisible()
  await open.getByRole('button', { name: /^Mute/ }).click()
  await expect(open.getByText('Muted', { exact: true })).toBeVisible()
  await open.getByRole('button', { name: /^Unmute/ }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export…' }).click()
  const out = page.getByRole('dialog', { name: 'Export' })
  // Opened among the lessons it takes those alone.
  await expect(out.getByRole('checkbox', { name: new RegExp(`^Lessons ${all}`) })).toBeChecked()
  await expect(out.getByRole('checkbox', { name: /^Attempts 0/ })).not.toBeChecked()
  await out.getByRole('button', { name: 'Save file' }).click()
  const file = await (await download).path()

  await open.getByRole('button', { name: 'Delete' }).click()
  await expect(list.getByRole('option')).toHaveCount(all - 1)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(list.getByRole('option')).toHaveCount(all)
  // Keys go on at the item that came back, or in the list that it was deleted from.
  await expect(open.or(open.getByRole('article')).and(page.locator(':focus'))).toBeVisible()
  await list.focus()
  await page.keyboard.press('Delete')
  await expect(list.getByRole('option')).toHaveCount(all - 1)
  await page.keyboard.press('F8')
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await expect(list.getByRole('option')).toHaveCount(all)
  await expect(list).toBeFocused()
  // At twice the size what is clicked opens below the list, and is brought into sight.
  await page.setViewportSize({ width: 640, height: 400 })
  await list.getByRole('option', { name: /Look at the house rules/ }).click()
  await expect(open.getByRole('heading', { level: 1 })).toBeInViewport()
  // With the keyboard Enter brings it there.
  await list.focus()
  await list.evaluate((one) => one.scrollIntoView({ block: 'start' }))
  await expect(open.getByRole('heading', { level: 1 })).not.toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(open.getByRole('heading', { level: 1 })).toBeInViewport()
  await page.setViewportSize({ width: 1280, height: 800 })

  // Into a memory of its own, and back from the address.
  await page.getByRole('button', { name: /^Open memory:/ }).click()
  await page.getByRole('menuitem', { name: 'New memory…' }).click()
  await page.getByLabel('Name of the memory').fill('Lessons elsewhere')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is remembered yet' })).toBeVisible()
  const bring = async () => {
    await page.getByRole('button', { name: 'Import…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import' })
    await dialog.getByLabel('Files to import').setInputFiles(file)
    await expect(dialog.getByRole('checkbox', { name: new RegExp(`^Lessons ${all}`) })).toBeChecked()
    await expect(dialog.getByText(`${all} of ${all} rows would come in`)).toBeVisible()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(list.getByRole('option')).toHaveCount(all)
  }
  await bring()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(list.getByRole('option')).toHaveCount(0)
  await bring()
  await list.getByRole('option', { name: /Look at the house rules/ }).click()
  await expect(open.getByRole('heading', { level: 1 })).toHaveText(/Look at the house rules/)
  await page.reload()
  await expect(open.getByRole('heading', { level: 1 })).toHaveText(/Look at the house rules/)

  // What was moved is not left open as something deleted.
  await open.getByRole('button', { name: 'Move to another memory' }).click()
  await page.getByRole('button', { name: 'Memory: Choose a memory' }).click()
  await page.getByRole('menuitemradio', { name: 'My memory' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(list.getByRole('option')).toHaveCount(all - 1)
  await expect(open).toContainText('Choose an item to read it in full')
})

test.describe('with a script for a model', () => {
  test.use({ model: 'scripted' })

  test(
    'the life of a memory: what it held and cost, and which items carried its tasks; a fact written by hand',
    { tag: '@long' },
    async ({ app, run }) => {
      const { page } = app
      await run.choose('Method', /^Case bank /)
      await run.tasks(12)
      await run.start.click()
      await expect(run.progress).toContainText('12 of 12', { timeout: 180_000 })
      await app.chooseMemory(/, seed \d+/)
      await app.goTo('Memory')
      await page.getByRole('button', { name: 'Its lifetime' }).click()
      const life = page.getByRole('dialog', { name: 'The life of this memory' })
      await expect(life).toContainText('12 tasks.')
      const items = life.getByRole('table', { name: /^Items, those that carried most/ })
      await expect(items.getByRole('row')).toHaveCount(13)
      await expect(
        items.getByRole('img', { name: /^learned after 1 task, shown from task 2 to/ }),
      ).toBeVisible()
      await items.getByRole('button').first().click()
      await expect(life).toBeHidden()
      await expect(
        page.getByRole('region', { name: 'The open item' }).getByRole('heading', { level: 1 }),
      ).toBeVisible()

      // A fact of one's own stands in the list, and is taken back.
      await app.chooseMemory(/^My memory/)
      await page.getByRole('button', { name: 'New fact…' }).click()
      const dialog = page.getByRole('dialog', { name: 'New fact' })
      await expect(dialog.getByText('Still empty: Fact.')).toBeVisible()
      await dialog.getByLabel('Fact', { exact: true }).fill('The spare key is at the bakery.')
      // It may have a last day, which is told with where it came from.
      await dialog.getByLabel('Holds until').fill('2099-12-31')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const row = page.getByRole('option', { name: /The spare key is at the bakery/ })
      await expect(row).toBeVisible()
      await row.click()
      const item = page.getByRole('region', { name: 'The open item' })
      await item.getByRole('tab', { name: 'Where it came from' }).click()
      await expect(item).toContainText(/Holds until\s*2099-12-31/)
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await expect(row).toBeHidden()
    },
  )
})
