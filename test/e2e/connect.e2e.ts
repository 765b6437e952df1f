import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { violations } from './axe'
import { expect, homeOf, test } from './fixtures'
import { shoot } from './shoot'

const BEFORE = '{\n  "theme": "GitHub"\n}\n'
const settingsOf = (dataPath: string): string => join(homeOf(dataPath), '.gemini', 'settings.json')
/** What Claude Code keeps of an answer and what the person said of it. */
const SESSION = ['Sort the ledger.', 'Done.', 'That is wrong, it is not sorted.', 'Now it is.']
  .map((content, i) => {
    const type = i % 2 === 0 ? 'user' : 'assistant'
    const message = { role: type, content: [{ type: 'text', text: content }] }
    const timestamp = `2026-03-01T10:0${i}:00.000Z`
    return `${JSON.stringify({ type, sessionId: 's', uuid: `u${i}`, timestamp, message })}\n`
  })
  .join('')

test.use({
  seed: async ({}, use) =>
    use(async (dataPath) => {
      await mkdir(join(homeOf(dataPath), '.gemini'), { recursive: true })
      await writeFile(settingsOf(dataPath), BEFORE)
      const sessions = join(homeOf(dataPath), '.claude', 'projects', 'harbour')
      await mkdir(sessions, { recursive: true })
      await writeFile(join(sessions, 'a.jsonl'), SESSION)
      await utimes(join(sessions, 'a.jsonl'), new Date(0), new Date(0))
    }),
})

test('by mouse: another agent is connected after a look at the change, and let go to the byte; its sessions come in and go', async ({
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

  // Sessions of an agent come in at once where a person asks for it, and go with one undo.
  const watched = page.getByRole('region', { name: 'Sessions of other agents' })
  await watched.getByRole('switch', { name: 'Learn from Claude Code' }).click()
  await watched.getByRole('button', { name: 'Take in now' }).click()
  const undo = watched.getByRole('button', { name: 'Undo what came in from Claude Code' })
  await expect(undo).toBeVisible({ timeout: 60_000 })
  await expect(watched).toContainText('Last time 2 of 2 attempts came in.')
  await shoot(page, 'watched-taken')
  await undo.click()
  await expect(watched).toContainText('came in, which is undone.')
  await expect(undo).toHaveCount(0)
})
