import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { violations } from './axe'
import { expect, homeOf, test } from './fixtures'
import { shoot } from './shoot'

const BEFORE = '{\n  "theme": "GitHub"\n}\n'
const settingsOf = (dataPath: string): string => join(homeOf(dataPath), '.gemini', 'settings.json')

test.use({
  seed: async ({}, use) =>
    use(async (dataPath) => {
      await mkdir(join(homeOf(dataPath), '.gemini'), { recursive: true })
      await writeFile(settingsOf(dataPath), BEFORE)
    }),
})

test('by mouse: another agent is connected after a look at the change, and let go to the byte', async ({
  app,
  host,
}) => {
  const { page } = app
  const file = settingsOf(host.dataPath)
  await app.goTo('Connected programs')
  const section = page.getByRole('region', { name: 'Other agents with My memory' })
  await section.scrollIntoViewIfNeeded()
  const sign = section.getByRole('switch', { name: 'Connect Gemini CLI' })
  await shoot(page, 'connect-list')
  await sign.click()
  const dialog = page.getByRole('dialog', { name: 'Connect Gemini CLI' })
  await expect(dialog).toContainText('mcpServers')
  await shoot(page, 'connect-preview')
  expect(await violations(page, 'connect')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await readFile(file, 'utf8')).toBe(BEFORE)
  await expect(sign).not.toBeChecked()

  await sign.click()
  await dialog.getByRole('button', { name: 'Write this' }).click()
  await expect(dialog).toHaveCount(0, { timeout: 60_000 })
  await expect(sign).toBeChecked()
  await expect(section.getByRole('status')).toHaveText(/\S/)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ theme: 'GitHub', mcpServers: {} })
  await shoot(page, 'connect-done')
  await sign.click()
  await expect(sign).not.toBeChecked()
  await expect.poll(() => readFile(file, 'utf8')).toBe(BEFORE)
  await shoot(page, 'connect-undone')
})
