import { expect, needsDemoModel, test } from './fixtures'

/** A build of six attempts to learn from and score with; minutes on a busy machine. */
const BUILT_WITHIN_MS = 8 * 60_000

test.beforeEach(needsDemoModel)

test('concepts looked over, a search, its tree, a sentence’s source, an edit by hand, rejecting with a way back', async ({
  app,
  knowledge,
}) => {
  test.setTimeout(BUILT_WITHIN_MS + 120_000)
  const { page } = app
  await app.goTo('Knowledge')
  await page.getByRole('button', { name: /^Space:/ }).click()
  await page.getByRole('menuitem', { name: /New space/ }).click()
  await page.getByLabel('Name of the space').fill('Harbor')
  await page.keyboard.press('Enter')
  await knowledge.button('Build documents').click()
  await knowledge.set('Training tasks', 4)
  await knowledge.set('Scoring tasks', 2)
  await knowledge.set('Iterations n', 1)
  await knowledge.set('Variants e', 2)
  // 4 attempts learned from twice, 2 tasks scored for a root and two variants of one concept, and 3 times at the end.
  await expect(knowledge.estimate).toContainText('About 20 attempts')
  await knowledge.button('Start').click()

  await expect(knowledge.concepts).toBeVisible({ timeout: BUILT_WITHIN_MS })
  await knowledge.concepts.getByRole('button', { name: 'Rename' }).first().click()
  await page.getByLabel(/^New name of/).fill('Harbor rules')
  await page.keyboard.press('Enter')
  await expect(knowledge.concepts.getByRole('listitem').first()).toContainText('Harbor rules')
  await knowledge.button('Begin the search').click()

  await expect(knowledge.result).toBeVisible({ timeout: BUILT_WITHIN_MS })
  await expect(knowledge.result).toContainText('After the search')
  const nodes = knowledge.tree.getByRole('treeitem')
  await nodes.first().click()
  await expect(knowledge.node).toContainText('The first document')
  await page.keyboard.press('ArrowRight')
  await expect(knowledge.node).toContainText('Document 1')
  await expect(knowledge.node.getByText('Changes to the one before')).toBeVisible()
  await knowledge.node.getByRole('button', { name: 'Read', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toContainText('Outcome')
  await page.keyboard.press('Escape')

  await expect(knowledge.proposed).toContainText('Harbor rules')
  const entry = knowledge.list.getByRole('option', { name: /^Harbor rules/ })
  await expect(entry).toContainText('Waits for you')
  await knowledge.button('Accept all').click()
  await expect(entry).toContainText('In use')
  await entry.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor rules' })).toBeVisible()
  await page.getByRole('region', { name: 'How to use' }).getByRole('button').first().click()
  await expect(knowledge.source).toBeVisible()

  await knowledge.button('Edit').click()
  await page.getByRole('textbox', { name: 'Best practices' }).fill('Read the `codes` table first.')
  await knowledge.button('Save new version').click()
  const practices = page.getByRole('region', { name: 'Best practices' })
  await expect(practices).toContainText('Read the codes table first.')
  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByRole('region', { name: 'Compare' }).locator('ins').first()).toBeVisible()

  await page.getByRole('tab', { name: 'Document' }).click()
  await page.getByRole('article').getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(practices).not.toContainText('Read the codes table first.')
  await knowledge.button('Undo').click()
  await expect(practices).toContainText('Read the codes table first.')
})
