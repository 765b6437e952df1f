import { expect, needsDemoModel, test } from './fixtures'

/** A build of four attempts to learn from and score with; minutes on a busy machine. */
const BUILT_WITHIN_MS = 8 * 60_000

test.beforeEach(needsDemoModel)

test('concepts looked over, a search, its tree, a sentence’s source, an edit by hand, rejecting with a way back', async ({
  app,
  guides,
}) => {
  test.setTimeout(BUILT_WITHIN_MS + 120_000)
  const { page } = app
  await app.goTo('Guides')
  await page.getByRole('button', { name: /^Open memory:/ }).click()
  await page.getByRole('menuitem', { name: /New memory/ }).click()
  await page.getByLabel('Name of the memory').fill('Harbor')
  await page.keyboard.press('Enter')
  await guides.button('Build guides').click()
  await guides.set('Training tasks', 3)
  await guides.set('Scoring tasks', 1)
  await guides.set('Iterations n', 1)
  await guides.set('Variants e', 2)
  // 3 attempts learned from twice, 1 task scored for a root and two variants of one concept, and 3 times at the end.
  await expect(guides.estimate).toContainText('About 12 attempts')
  await guides.button('Start').click()

  await expect(guides.concepts).toBeVisible({ timeout: BUILT_WITHIN_MS })
  await guides.concepts.getByRole('button', { name: 'Rename' }).first().click()
  await page.getByLabel(/^New name of/).fill('Harbor rules')
  await page.keyboard.press('Enter')
  await expect(guides.concepts.getByRole('listitem').first()).toContainText('Harbor rules')
  await guides.button('Begin the search').click()

  await expect(guides.result).toBeVisible({ timeout: BUILT_WITHIN_MS })
  await expect(guides.result).toContainText('After the search')
  const nodes = guides.tree.getByRole('treeitem')
  await nodes.first().click()
  await expect(guides.node).toContainText('The first guide')
  await page.keyboard.press('ArrowRight')
  await expect(guides.node).toContainText('Guide 1')
  await expect(guides.node.getByText('Changes to the one before')).toBeVisible()
  await guides.node.getByRole('button', { name: 'Read', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toContainText('Outcome')
  await page.keyboard.press('Escape')

  await expect(guides.proposed).toContainText('Harbor rules')
  const entry = guides.list.getByRole('option', { name: /^Harbor rules/ })
  await expect(entry).toContainText('Waits for you')
  await guides.button('Accept all').click()
  await expect(entry).toContainText('In use')
  await entry.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor rules' })).toBeVisible()
  await page.getByRole('region', { name: 'How to use' }).getByRole('button').first().click()
  await expect(guides.source).toBeVisible()

  await guides.button('Edit').click()
  await page.getByRole('textbox', { name: 'Best practices' }).fill('Read the `codes` table first.')
  await guides.button('Save new version').click()
  const practices = page.getByRole('region', { name: 'Best practices' })
  await expect(practices).toContainText('Read the codes table first.')
  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByRole('region', { name: 'Compare' }).locator('ins').first()).toBeVisible()

  await page.getByRole('tab', { name: 'Guide' }).click()
  await page.getByRole('article').getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(practices).not.toContainText('Read the codes table first.')
  await guides.button('Undo').click()
  await expect(practices).toContainText('Read the codes table first.')
})
