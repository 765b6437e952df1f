import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { GenerateRequest, LanguageModel } from '../../src/core/ground/chat'
import { askExportSchema } from '../../src/shared/domain/ask-export'
import { startModelServer } from '../fixtures/model-server'
import { violations } from './axe'
import { expect, test } from './fixtures'
import { shoot } from './shoot'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
const ANSWER = 'A **pump** moves water. The pump has a valve.'

/** Says what it was asked last; it keeps everything that was asked of it, and answers slow questions once it may. */
function clerk() {
  const requests: GenerateRequest[] = []
  let open: () => void = () => undefined
  let gate = Promise.resolve()
  const model: LanguageModel = {
    name: 'clerk',
    path: 'clerk',
    contextSize: 8192,
    countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
    async generate(request, { onToken } = {}) {
      requests.push(request)
      const asked = request.messages.findLast(({ role }) => role === 'user')?.content ?? ''
      if (asked.includes('slow')) await gate
      const text = asked.includes('pump') ? ANSWER : `It was: ${asked.slice(-40)}`
      onToken?.(text)
      return { text, usage, finish: 'end' }
    },
  }
  return {
    model,
    requests,
    hold: () => void (gate = new Promise((resolve) => (open = resolve))),
    release: () => open(),
  }
}

const opened = (page: Page) => page.getByRole('region', { name: 'The open ask' })
const task = (page: Page) => page.getByRole('textbox', { name: 'The task', exact: true })

async function more(page: Page, item: string): Promise<void> {
  await opened(page).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test.use({ shared: true })

test('an answer that nobody saw is marked; an ask is pinned and put away, also after a reload', async ({
  app,
}) => {
  const { page } = app
  const { model, hold, release } = clerk()
  const server = await startModelServer('clerk', model)
  try {
    await useServedModel(page, 'clerk', server.url)
    hold()
    await task(page).fill('a slow one')
    await task(page).press('Enter')
    await expect(opened(page).getByRole('button', { name: 'Stop' })).toBeVisible()
    await page.getByRole('button', { name: 'New ask' }).click()
    await task(page).fill('a quick one')
    await task(page).press('Enter')
    await expect(opened(page).getByRole('region', { name: 'The answer' })).toContainText('quick', {
      timeout: 60_000,
    })
    release()
    const list = page.getByRole('listbox', { name: 'Asks' })
    const slow = list.getByRole('option', { name: /a slow one/ })
    await expect(async () => {
      await page.reload()
      await expect(slow).toContainText('New answer', { timeout: 3000 })
    }).toPass({ timeout: 60_000 })
    await slow.click()
    await expect(opened(page).getByRole('region', { name: 'The answer' })).toContainText('slow')
    await expect(slow).not.toContainText('New answer')

    await opened(page).getByRole('button', { name: 'Pin' }).click()
    await expect(list.getByRole('option').first()).toContainText('a slow one')
    await list.getByRole('option', { name: /a quick one/ }).click()
    await more(page, 'Archive')
    await expect(list.getByRole('option')).toHaveCount(1)
    await page.reload()
    await expect(list.getByRole('option')).toHaveCount(1)
    await expect(slow).not.toContainText('New answer')
    await page.getByRole('searchbox', { name: 'Search asks' }).fill('quick')
    await expect(list.getByRole('option')).toHaveText([/quick.*Archived/])
    await page.getByRole('searchbox', { name: 'Search asks' }).fill('')
    await page.getByRole('button', { name: 'Project: All asks' }).click()
    await page.getByRole('menuitemradio', { name: 'Archive' }).click()
    await list.getByRole('option', { name: /a quick one/ }).click()
    await more(page, 'Take out of the archive')
    // The archive is empty, so all are shown again.
    await expect(list.getByRole('option')).toHaveCount(2)
  } finally {
    await server.close()
  }
})

test('messages are queued and sent in order; one is taken out, and a stop keeps the rest', async ({
  app,
}) => {
  const { page } = app
  const { model, hold, release } = clerk()
  const server = await startModelServer('clerk', model)
  try {
    await useServedModel(page, 'clerk', server.url)
    hold()
    await task(page).fill('a slow one')
    await task(page).press('Enter')
    const open = opened(page)
    const box = open.getByRole('textbox', { name: 'Say something while it works' })
    for (const text of ['First after it', 'Not this', 'Second after it', 'Third after it']) {
      await box.fill(text)
      await box.press('Enter')
      await expect(box).toHaveValue('')
    }
    await open.getByRole('button', { name: 'Take out “Not this”' }).click()
    const queue = open.getByRole('region', { name: 'Sent next' })
    await expect(queue.getByRole('listitem')).toHaveText([
      'First after it',
      'Second after it',
      'Third after it',
    ])
    await expect(open.getByText(/Recalls from My memory/)).toBeVisible()
    await shoot(page, 'ask-queue')
    expect(await violations(page, 'queue')).toEqual([])
    await page.reload()
    await expect(queue.getByRole('listitem')).toHaveCount(3)
    release()
    await expect(open.getByRole('region', { name: 'Message 4' })).toContainText('It was: Third after it', {
      timeout: 60_000,
    })
    await expect(open.getByRole('region', { name: 'Message 2' })).toContainText('It was: First after it')
    await expect(open.getByRole('region', { name: 'Message 3' })).toContainText('It was: Second after it')
    await expect(queue).toHaveCount(0)

    hold()
    const next = open.getByRole('textbox', { name: 'The next message' })
    await page.setViewportSize({ width: 900, height: 500 })
    await next.fill('another slow one')
    await next.press('Enter')
    await box.fill('Held back')
    await box.press('Enter')
    await expect(queue).toContainText('Held back')
    // What stands below the pane does not hide what is worked on.
    await expect(
      open.getByRole('region', { name: 'Message 5' }).getByText('Nothing in memory'),
    ).toBeInViewport()
    await box.press('Escape')
    await expect(queue).toContainText('Not sent, since the work was stopped')
    await open.getByRole('button', { name: 'Send “Held back”' }).click()
    await expect(open.getByRole('region', { name: 'Message 6' })).toContainText('It was: Held back', {
      timeout: 60_000,
    })
    await expect(queue).toHaveCount(0)
    release()
  } finally {
    await server.close()
  }
})

test('words are found in an ask by keyboard, each in turn, and it is exported as it stands', async ({
  app,
}) => {
  const { page } = app
  const { model } = clerk()
  const server = await startModelServer('clerk', model)
  try {
    await useServedModel(page, 'clerk', server.url)
    await task(page).fill('What does a pump do?')
    await task(page).press('Enter')
    const open = opened(page)
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('moves water', {
      timeout: 60_000,
    })
    await page.keyboard.press('Control+f')
    const find = open.getByRole('textbox', { name: 'Find in this ask' })
    await expect(find).toBeFocused()
    await find.fill('PUMP')
    const count = open.getByRole('search').getByRole('status')
    await expect(count).toHaveText('1 of 3')
    await page.keyboard.press('Enter')
    await expect(count).toHaveText('2 of 3')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('Shift+Enter')
    await expect(count).toHaveText('3 of 3')
    await shoot(page, 'ask-find')
    expect(await violations(page, 'find')).toEqual([])
    await find.fill('nowhere')
    await expect(count).toHaveText('Nothing')
    await page.keyboard.press('Escape')
    await expect(find).toHaveCount(0)

    const saved = async (item: string): Promise<{ name: string; text: string }> => {
      const waiting = page.waitForEvent('download')
      await more(page, item)
      const download = await waiting
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
    }
    const markdown = await saved('Export as Markdown')
    expect(markdown.name).toBe('what-does-a-pump-do.md')
    expect(markdown.text).toBe(
      `# What does a pump do?\n\n## You\n\nWhat does a pump do?\n\n## clerk\n\n${ANSWER}\n`,
    )
    const json = await saved('Export as JSON')
    const read = askExportSchema.parse(JSON.parse(json.text))
    expect(read).toEqual(JSON.parse(json.text))
    expect(read.attempts[0]?.trajectory.rounds.at(-1)?.completion).toBe(ANSWER)

    await page.emulateMedia({ media: 'print' })
    await expect(open.getByRole('region', { name: 'The answer' })).toBeVisible()
    await expect(page.getByRole('navigation').first()).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'The next message' })).toBeHidden()
  } finally {
    await server.close()
  }
})

test('instructions, temperature and top-p of an ask and its project reach the model', async ({ app }) => {
  const { page } = app
  const { model, requests } = clerk()
  const server = await startModelServer('clerk', model)
  try {
    await useServedModel(page, 'clerk', server.url)
    await task(page).fill('What is due?')
    await page.getByText('Instructions, and how freely it writes').click()
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Answer in one line.')
    await page.getByRole('textbox', { name: 'Temperature' }).fill('0.25')
    await page.getByRole('textbox', { name: 'Top-p' }).fill('0,6')
    await page.getByRole('textbox', { name: 'Longest answer, in tokens' }).fill('77')
    await shoot(page, 'ask-instructions')
    await task(page).press('Enter')
    const open = opened(page)
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('due', { timeout: 60_000 })
    expect(requests.at(-1)).toMatchObject({ temperature: 0.25, maxTokens: 77, sampling: { topP: 0.6 } })
    expect(requests.at(-1)?.messages[0]?.content).toMatch(/\n\nAnswer in one line\.$/)

    await open.getByRole('button', { name: 'Put in a project' }).click()
    await page.getByRole('menuitem', { name: 'New project…' }).click()
    const naming = page.getByRole('dialog')
    await naming.getByRole('textbox').fill('Kitchen garden')
    await naming.getByRole('button', { name: 'Put it there' }).click()
    await page.getByRole('button', { name: 'Project: All asks' }).click()
    await page.getByRole('menuitemradio', { name: 'Kitchen garden' }).click()
    // Where the list is narrow its buttons stand below.
    await page.setViewportSize({ width: 900, height: 700 })
    const edge = async (place: Locator) => {
      const box = await place.boundingBox()
      return box ? box.x + box.width : NaN
    }
    const list = page.getByRole('listbox', { name: 'Asks' })
    await expect
      .poll(async () => (await edge(list)) - (await edge(page.getByRole('button', { name: /^Files of “K/ }))))
      .toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Instructions of “Kitchen garden”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Project “Kitchen garden”' })
    await dialog.getByRole('textbox', { name: 'Instructions' }).fill('We grow roses.')
    await dialog.getByRole('textbox', { name: 'Temperature' }).fill('0.5')
    await dialog.getByRole('textbox', { name: 'Top-p' }).fill('0.3')
    await dialog.getByRole('textbox', { name: 'Longest answer, in tokens' }).fill('99')
    await shoot(page, 'project-sampling')
    expect(await violations(page, 'project', { rulesOff: ['region'] })).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)

    // A new ask here belongs to the project; what it says itself counts before what the project says.
    await page.getByRole('button', { name: 'New ask' }).click()
    await expect(page.getByRole('button', { name: 'Project: Kitchen garden' })).toHaveCount(2)
    await page.getByRole('textbox', { name: 'Temperature' }).fill('')
    await page.getByRole('textbox', { name: 'Top-p' }).fill('')
    await page.getByRole('textbox', { name: 'Longest answer, in tokens' }).fill('')
    await task(page).fill('And tomorrow?')
    await task(page).press('Enter')
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('tomorrow', {
      timeout: 60_000,
    })
    expect(requests.at(-1)).toMatchObject({ temperature: 0.5, maxTokens: 99, sampling: { topP: 0.3 } })
    expect(requests.at(-1)?.messages[0]?.content).toMatch(/\n\nWe grow roses\.\n\nAnswer in one line\.$/)
  } finally {
    await server.close()
  }
})

for (const key of ['Enter', 'Control+Enter'])
  test(
    `what is sent by ${key} before it is known who can answer goes as soon as that is`,
    // Another key leads to the same.
    { tag: key === 'Enter' ? [] : ['@long'] },
    async ({ app }) => {
      const { page } = app
      await page.routeWebSocket(/.*/, (socket) => {
        const host = socket.connectToServer()
        socket.onMessage((message) => host.send(message))
        host.onMessage((message) => void setTimeout(() => socket.send(message), 1_500))
      })
      await app.goTo('Ask')
      await page.reload({ waitUntil: 'commit' })
      const box = page.getByRole('textbox', { name: 'The task', exact: true })
      await box.fill('Remember that the shed is green.')
      await box.press(key)
      await expect(page.getByRole('region', { name: 'The open ask' })).toBeVisible()
    },
  )
