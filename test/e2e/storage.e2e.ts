import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { seedExperiment } from '../fixtures/seed-curves'
import { expect, needsDemoModel, test } from './fixtures'

const EXPERIMENT = 'exp-20260314-090000'

test.beforeEach(needsDemoModel)
test.use({
  seed: async ({}, use) =>
    use(async (dataPath) => {
      await seedExperiment(dataPath, EXPERIMENT, {
        name: 'Two methods',
        stream: 'house-rules-a',
        model: 'made-up',
        methods: ['none', 'case-bank'],
        seeds: [1],
        tasks: 12,
      })
    }),
})

const storage = (page: Page) => page.getByRole('region', { name: 'What is kept' })
const rows = (page: Page) => storage(page).getByRole('list', { name: 'Kept' }).getByRole('listitem')
const trash = (page: Page) => storage(page).getByRole('list', { name: 'Trash' }).getByRole('listitem')

async function show(page: Page, what: 'Memories' | 'Runs' | 'Experiments' | 'Trash') {
  // Notes lie over the list for a while.
  const notes = page.getByRole('region', { name: 'Notes (F8)' })
  for (const dismiss of await notes.getByRole('button', { name: 'Dismiss' }).all())
    await dismiss.click({ timeout: 2000 }).catch(() => undefined)
  // One that has the focus after an undo stays until it loses it.
  await page.mouse.move(0, 0)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await expect(notes.getByRole('listitem')).toHaveCount(0, { timeout: 30_000 })
  await storage(page).getByRole('radio', { name: what }).click()
}

/** Renames with the keyboard alone, from the button on. */
async function rename(page: Page, from: RegExp, to: string) {
  await storage(page)
    .getByRole('button', { name: new RegExp(`^Rename .*${from.source}`) })
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(to)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
}

test('memories, runs and experiments say what they take, are renamed, thrown away, brought back, and gone for good', async ({
  app,
  host,
  run,
}) => {
  const { page } = app
  await run.choose('Method', /^Case bank/)
  await run.tasks(3)
  await run.start.click()
  await expect(run.progress).toContainText('3 of 3', { timeout: 120_000 })

  // A memory: what it takes, another name that is everywhere at once.
  await app.goTo('Storage')
  await expect(rows(page)).toHaveCount(2)
  await app.chooseMemory(/, seed \d+/)
  const lab = rows(page).filter({ hasText: '3 cases' })
  await expect(lab).toContainText(/3 cases.*\d+(\.\d)? (kB|MB)/)
  await rename(page, /, seed/, 'House rules, first try')
  await expect(lab).toContainText('House rules, first try')
  await expect(page.getByRole('button', { name: 'Open memory: House rules, first try' })).toBeVisible()

  // Thrown away by keyboard, and back by the note's Undo.
  await storage(page).getByRole('button', { name: 'Throw away House rules, first try' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Open memory: My memory' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(lab).toContainText('House rules, first try')

  // A run: its name is what the Run screen calls it.
  await show(page, 'Runs')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page).first()).toContainText(/3 tasks.*(bytes|kB|MB)/)
  await rename(page, /./, 'The first of many')
  await app.goTo('Runs')
  await expect(run.heading).toHaveText(/The first of many/)

  // Thrown away: it leaves the screen, waits in the trash, and comes back from there.
  await app.goTo('Storage')
  await show(page, 'Runs')
  await storage(page).getByRole('button', { name: 'Throw away The first of many' }).click()
  await expect(storage(page).getByText('Nothing yet.')).toBeVisible()
  await show(page, 'Trash')
  await expect(trash(page)).toHaveCount(1)
  await expect(trash(page).first()).toContainText(/The first of many.*run, thrown away/)
  await page.reload()
  await show(page, 'Trash')
  await trash(page).first().getByRole('button', { name: 'Put back' }).click()
  await expect(storage(page).getByText('The trash is empty.')).toBeVisible()
  await show(page, 'Runs')
  await expect(rows(page).first()).toContainText('The first of many')

  // An experiment, with the runs of its cells; emptying the trash asks, and is for good.
  await show(page, 'Experiments')
  await expect(rows(page).first()).toContainText(/Two methods.*(kB|MB)/)
  await rename(page, /Two methods/, 'Two methods, small')
  const folder = join(host.dataPath, 'experiments', EXPERIMENT)
  expect(existsSync(folder)).toBe(true)
  await storage(page).getByRole('button', { name: 'Throw away Two methods, small' }).click()
  await expect(storage(page).getByText('Nothing yet.')).toBeVisible()
  expect(existsSync(folder)).toBe(false)
  await show(page, 'Trash')
  await storage(page).getByRole('button', { name: 'Empty the trash' }).click()
  const question = page.getByRole('dialog', { name: 'Empty the trash?' })
  await expect(question).toContainText('1 thing')
  await question.getByRole('button', { name: 'Keep them' }).click()
  await expect(trash(page)).toHaveCount(1)
  await storage(page).getByRole('button', { name: 'Empty the trash' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete for good' }).focus()
  await page.keyboard.press('Enter')
  await expect(storage(page).getByText('The trash is empty.')).toBeVisible()
  await page.reload()
  await show(page, 'Experiments')
  await expect(storage(page).getByText('Nothing yet.')).toBeVisible()

  // A copy of it all; what going back to it changes is said first, and it can be left at that.
  const backups = page.getByRole('region', { name: 'Backups' })
  await backups.getByRole('button', { name: 'Back up now' }).press('Enter')
  await backups.getByRole('button', { name: /^Go back to / }).press('Enter')
  const look = page.getByRole('dialog', { name: /^Go back to / })
  await expect(look).toContainText('stay as they are')
  await look.getByRole('button', { name: 'Go back at the next start' }).press('Enter')
  await expect(backups.getByRole('status')).toContainText('when it starts next')
  await backups.getByRole('button', { name: 'Stay after all' }).press('Enter')
  await expect(backups.getByRole('status')).toHaveCount(0)
})

test(
  'what is last on a page comes out from under notes that stay',
  { tag: '@long' },
  async ({ app, run }) => {
    const { page } = app
    await run.choose('Method', /^Case bank/)
    await run.tasks(1)
    await run.start.click()
    const note = page.getByRole('region', { name: /^Notes/ }).getByRole('listitem')
    await expect(note.filter({ hasText: 'done' })).toBeVisible({ timeout: 120_000 })
    // While the pointer is there they stay.
    await note.first().hover()
    await app.openPalette()
    await page.keyboard.type('Go to Storage')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await storage(page)
      .getByRole('button', { name: /^Throw away/ })
      .focus()
    await page.keyboard.press('Enter')
    await expect(note).toHaveCount(2)
    await show(page, 'Trash')
    await expect(trash(page)).toHaveCount(1)
  },
)
