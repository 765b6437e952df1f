import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GenerateRequest, LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }

/** Says that it heard; it keeps what was asked of it. */
function clerk(requests: GenerateRequest[]): LanguageModel {
  return {
    name: 'clerk',
    path: 'clerk',
    contextSize: 8192,
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    generate(request, { onToken } = {}) {
      requests.push(request)
      onToken?.('Heard.')
      return Promise.resolve({ text: 'Heard.', usage, finish: 'end' })
    },
  }
}

test('by mouse: a project is made of an ask, has files of its own, and only its asks recall them', async ({
  app,
}) => {
  const { page } = app
  const requests: GenerateRequest[] = []
  const own = await mkdtemp(join(tmpdir(), 'loam-project-'))
  const server = await startModelServer('clerk', clerk(requests))
  try {
    await mkdir(join(own, 'garden'))
    await writeFile(join(own, 'garden', 'beds.md'), '# Beds\n\nThe north bed has tomatoes and basil.\n')
    await useServedModel(page, 'clerk', server.url)

    const open = page.getByRole('region', { name: 'The open ask' })
    const ask = async (text: string) => {
      await page.getByRole('textbox', { name: 'The task', exact: true }).fill(text)
      await page.getByRole('button', { name: 'Ask', exact: true }).last().click()
      await expect(open.getByRole('region', { name: 'The answer' })).toContainText('Heard.')
    }
    await ask('What grows in the north bed?')
    await open.getByRole('button', { name: 'Put in a project' }).click()
    await shoot(page, 'project-menu')
    await page.getByRole('menuitem', { name: 'New project…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Garden')
    await shoot(page, 'project-new')
    await page.getByRole('dialog').getByRole('button', { name: 'Put it there' }).click()
    await open.getByRole('button', { name: 'In “Garden”' }).click()
    await page.getByRole('menuitem', { name: 'Files of “Garden”…' }).click()
    const panel = page.getByRole('dialog', { name: 'Files of “Garden”' })
    await expect(panel).toContainText('No folder yet')
    await panel.getByRole('button', { name: 'Add a folder' }).click()
    const browser = page.getByRole('dialog', { name: 'Add a folder' })
    await browser.getByLabel('Folder', { exact: true }).fill(join(own, 'garden'))
    await page.keyboard.press('Enter')
    await expect(browser).toContainText('There is no folder in here.')
    await browser.getByRole('button', { name: 'Add this folder' }).click()
    await expect(panel.getByRole('list', { name: 'Folders' })).toContainText('1 passage', { timeout: 60_000 })
    await shoot(page, 'project-files')
    expect(await violations(page, 'project files')).toEqual([])
    await page.keyboard.press('Escape')

    const promptOf = (text: string) =>
      JSON.stringify(requests.findLast(({ messages }) => JSON.stringify(messages).includes(text))?.messages)
    await page.getByRole('button', { name: 'Project: All asks' }).click()
    await page.getByRole('menuitemradio', { name: 'Garden' }).click()
    await page.getByRole('button', { name: 'New ask' }).click()
    await shoot(page, 'project-composer')
    await ask('Which plants has the north bed?')
    expect(promptOf('Which plants has the north bed?')).toContain('tomatoes and basil')
    await shoot(page, 'project-ask')

    // Called otherwise, it keeps its files.
    await page.getByRole('button', { name: 'Rename “Garden”' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Allotment')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByRole('button', { name: 'New ask' }).click()
    await ask('What stands in the north bed?')
    expect(promptOf('What stands in the north bed?')).toContain('tomatoes and basil')

    await page.getByRole('button', { name: 'Project: Allotment' }).click()
    await page.getByRole('menuitemradio', { name: 'All asks' }).click()
    await page.getByRole('button', { name: 'New ask' }).click()
    await ask('Say what the north bed has')
    expect(promptOf('Say what the north bed has')).not.toContain('tomatoes and basil')

    await app.goTo('Memory')
    await page.getByRole('button', { name: 'My files', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'My files' })).toContainText('for project Allotment alone')
  } finally {
    await server.close()
    await rm(own, { recursive: true, force: true, maxRetries: 5 })
  }
})
