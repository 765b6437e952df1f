import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, needsDemoModel, test } from './fixtures'

const program = join(import.meta.dirname, '..', '..', 'out', 'main', 'cli', 'index.js')
/** Of what its memory begins with a tenth is wrong; by the 22nd task some of that was seen otherwise. */
const LIFE = ['run', '--stream', 'lifelong:poisoned?world=433', '--method', 'loam', '--tasks', '24']

test.use({
  seed: ({}, use) =>
    use(async (data) => {
      await promisify(execFile)(process.execPath, [program, ...LIFE, '--data', data, '--json'])
    }),
})
test.beforeEach(needsDemoModel)

test('what went into quarantine is listed with its reason, and comes back into use when it is restored', async ({
  app,
}) => {
  const { page } = app
  await app.chooseMemory(/, seed \d+/)
  await app.goTo('Memory')
  const list = page.getByRole('listbox', { name: 'Items' })
  const open = page.getByRole('region', { name: 'The open item' })
  const show = async (what: 'In use' | 'Not in use') => {
    await page.getByRole('button', { name: /^Show:/ }).click()
    await page.getByRole('menuitemradio', { name: new RegExp(`^${what}`) }).click()
  }
  await show('Not in use')
  // The list changes once it has been read.
  await expect(async () => {
    await list.getByRole('option').first().click()
    await expect(open).toContainText(/In quarantine: (what was seen says otherwise|its use kept failing)/, {
      timeout: 2_000,
    })
  }).toPass()
  const before = await list.getByRole('option').count()
  const title = (await open.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await open.getByRole('button', { name: 'Take out of quarantine' }).click()
  await expect(list.getByRole('option')).toHaveCount(before - 1)
  await show('In use')
  await page.getByRole('searchbox', { name: 'Search the memory' }).fill(title)
  await list.getByRole('option', { name: title }).first().click()
  await expect(open.getByRole('button', { name: /^Pin/ })).toBeVisible()
  await expect(open).not.toContainText('In quarantine')
})
