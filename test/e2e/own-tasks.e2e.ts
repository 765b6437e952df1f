import { utils, write } from '@e965/xlsx'
import { expect, test } from './fixtures'

test.use({ model: 'scripted' })

const ROWS = [
  'Aufgabe,Loesung,Art',
  'Two and two?,4,sums',
  'Three and four?,7,sums',
  'Capital of Italy?,Rome,places',
  ',5,sums',
].join('\n')

test('from pasted rows to a curve: columns, check, preview, a stream with a version, three tried, a run', async ({
  app,
  run,
}) => {
  test.setTimeout(15 * 60_000)
  const { page } = app
  await app.goTo('Task streams')
  await page.getByRole('button', { name: 'Bring your own tasks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bring your own tasks' })

  // What is no table is answered with what was seen.
  await dialog.getByLabel('Rows', { exact: true }).fill('only words')
  await dialog.getByRole('button', { name: 'Read rows' }).click()
  await expect(dialog.getByText(/begins with "only words"/)).toBeVisible()
  // A workbook by the chooser.
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Question', 'Answer'],
      ['One?', 1],
    ]),
    'Tasks',
  )
  const buffer = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
  await dialog.getByLabel('A file with rows').setInputFiles({ name: 'book.xlsx', mimeType: '', buffer })
  await expect(dialog.getByText(/It is the sheet Tasks of the workbook/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Leave out book.xlsx' })).toBeVisible()
  // A title is needed, so there is one.
  await expect(dialog.getByLabel('Title')).toHaveValue('book')

  await dialog.getByLabel('Rows', { exact: true }).fill(ROWS)
  await dialog.getByRole('button', { name: 'Read rows' }).click()
  await expect(dialog.getByText('a table with commas between cells, 4 rows')).toBeVisible()
  await dialog.getByRole('button', { name: /^Answer:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Loesung' }).click()
  await dialog.getByRole('button', { name: /^Kind:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Art' }).click()
  await dialog.getByRole('button', { name: /^Check:/ }).click()
  await page.getByRole('menuitemradio', { name: 'One of' }).click()
  await dialog.getByRole('button', { name: 'Preview tasks' }).click()
  const first = dialog.getByRole('region', { name: 'The first tasks' })
  await expect(first.getByText('3 tasks, 1 row left out.')).toBeVisible()
  await expect(first.getByText('4 · The check takes its own answer')).toBeVisible()
  await dialog.getByLabel('Title').fill('Small sums')
  await dialog.getByRole('button', { name: 'Keep as a stream' }).click()
  await expect(dialog).toBeHidden()

  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Small sums' }) })
  await expect(card.getByText('3 tasks · Questions · 2 skills')).toBeVisible()
  await card.getByRole('button', { name: 'About' }).click()
  const about = page.getByRole('dialog', { name: 'Small sums' })
  await expect(about.getByText('3 of 3 tried tasks are solved by their own solution.')).toBeVisible()
  await expect(about.getByRole('region', { name: 'A sample task' })).toContainText('Two and two?')
  await expect(about.getByText('Nobody yet.')).toBeVisible()
  await about.getByRole('button', { name: 'Close' }).click()
  await card.getByRole('button', { name: 'Try three' }).click()
  await expect(run.progress).toHaveText('3 of 3 tasks', { timeout: 14 * 60_000 })
  expect(await run.outcomes()).toHaveLength(3)
  await expect(run.curves().first()).toBeVisible()
  await run.openTask(1)
  await expect(run.story).toContainText('Outcome')
})
