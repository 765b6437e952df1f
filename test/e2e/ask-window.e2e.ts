import type { Page } from '@playwright/test'
import type { LanguageModel } from '../../src/core/ground/chat'
import { startModelServer } from '../fixtures/model-server'
import { expect, test } from './fixtures'
import { AppPage } from './pages/app-page'
import { useServedModel } from './served-model'

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }

/** Says what was asked of it; asked to take its time, it takes longer than anybody waits for. */
const clerk: LanguageModel = {
  name: 'clerk',
  path: 'clerk',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  async generate({ messages }, { onToken } = {}) {
    const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (asked.includes('your time')) await new Promise((later) => setTimeout(later, 20_500))
    const text = `It was: ${asked.slice(-60)}`
    onToken?.(text)
    return { text, usage, finish: 'end' }
  },
}

/** Pastes files into what has the focus, as the browser does. */
const paste = (page: Page, files: readonly { name: string; type: string; text: string }[]) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer()
    for (const { name, type, text } of given) clipboardData.items.add(new File([text], name, { type }))
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, files)

/** Chooses a model at a server, as a person does. */
/** Files are pasted into an ask and into its next message; text is pasted as text. */
async function askWithPastedFiles(page: Page, url: string): Promise<void> {
  const task = page.getByRole('textbox', { name: 'The task', exact: true })
  await task.fill('What is in them?')
  await task.focus()
  await paste(page, [
    { name: 'costs.csv', type: 'text/csv', text: 'ink,40\n' },
    { name: 'image.png', type: 'image/png', text: 'first' },
  ])
  // A screenshot is called the same each time.
  await paste(page, [{ name: 'image.png', type: 'image/png', text: 'second one' }])
  const files = page.getByRole('list', { name: 'Files' })
  await expect(files.getByRole('listitem')).toHaveText([/^costs\.csv/, /^image\.png/, /^2-image\.png/])
  await page.getByRole('button', { name: 'Leave out image.png' }).click()
  await task.press('End')
  await page.keyboard.insertText(' Say it.')
  await expect(task).toHaveValue('What is in them? Say it.')
  await useServedModel(page, 'clerk', url)
  await page.keyboard.press('Control+Enter')
  const open = page.getByRole('region', { name: 'The open ask' })
  await expect(open.getByRole('region', { name: 'The answer' })).toContainText('It was:', {
    timeout: 60_000,
  })
  await expect(open.getByRole('list', { name: 'Files' }).first()).toContainText('costs.csv')
  await expect(open).toContainText('2-image.png')

  const next = open.getByRole('textbox', { name: 'The next message' })
  await next.fill('And in this?')
  await paste(page, [{ name: 'notes.txt', type: 'text/plain', text: 'paper\n' }])
  await expect(open.getByRole('button', { name: 'Leave out notes.txt' })).toBeVisible()
  // The focus is elsewhere, and the keys send it all the same.
  await open.getByRole('button', { name: 'Rename' }).focus()
  await page.keyboard.press('Control+Enter')
  const second = open.getByRole('region', { name: 'Message 2' })
  await expect(second).toContainText('notes.txt')
  await expect(second.getByRole('region', { name: 'The answer' })).toContainText('It was:', {
    timeout: 60_000,
  })
}

test('a long ask that ends while the window is out of sight is told of by the system, and leads back; another window takes pasted files meanwhile', async ({
  app,
}) => {
  const { page } = app
  await page.context().grantPermissions(['notifications'])
  await page.evaluate(() => {
    const told: { title: string; click: () => void }[] = []
    // What the system shows cannot be seen from here; what it is asked to show can.
    class Seen extends EventTarget {
      static readonly permission = 'granted'
      constructor(title: string) {
        super()
        told.push({ title, click: () => this.dispatchEvent(new Event('click')) })
      }
      close(): void {}
    }
    Object.assign(window, { told, Notification: Seen })
  })
  const told = () =>
    page.evaluate(() => (window as unknown as { told: { title: string }[] }).told.map(({ title }) => title))
  const server = await startModelServer('clerk', clerk)
  try {
    await app.goTo('Settings')
    await expect(page.getByRole('main')).toContainText('Says when work of more than twenty seconds ends')
    await app.goTo('Ask')
    await page.getByRole('textbox', { name: 'The task', exact: true }).fill('Take your time.')
    await useServedModel(page, 'clerk', server.url)
    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByRole('button', { name: 'Stop' })).toBeVisible()
    await page.evaluate(() =>
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true }),
    )
    const beside = new AppPage(await page.context().newPage())
    await beside.open(new URL(page.url()).origin)
    await askWithPastedFiles(beside.page, server.url)
    expect(beside.complaints).toEqual([])
    await expect.poll(told, { timeout: 60_000 }).toEqual([expect.stringMatching(/Take your time.*: done$/)])
    await app.goTo('Models')
    await page.evaluate(() => (window as unknown as { told: { click: () => void }[] }).told[0]?.click())
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('Take your time.')
  } finally {
    await server.close()
  }
})
