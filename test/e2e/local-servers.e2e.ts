import { createServer } from 'node:net'
import { startModelServer } from '../fixtures/model-server'
import { parrotSaying } from '../main/asks/parrot'
import { reachable } from './axe'
import { expect, test } from './fixtures'

/** Where Ollama listens unless it is told otherwise. */
const OLLAMA_PORT = 11434

const parrot = parrotSaying('The capital of Australia is Canberra.', 'parrot:1b')

/** Whether nobody has a port; a person may run the real program. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

test('a model of a program that answers on this machine is looked for, taken and asked', async ({ app }) => {
  for (const port of [OLLAMA_PORT, 1234])
    test.skip(!(await isFree(port)), `Another program listens at port ${port}.`)
  const { page } = app
  const look = page.getByRole('button', { name: 'Look for Ollama and LM Studio' })
  await look.click()
  await expect(page.getByText('Neither answers. Start one of them, then look again.')).toBeVisible()
  const server = await startModelServer('parrot:1b', parrot, OLLAMA_PORT)
  try {
    await look.focus()
    await page.keyboard.press('Enter')
    const answer = page.getByRole('status').filter({ hasText: 'Ollama answers.' })
    await expect(answer).toBeVisible()
    await reachable(page)
    // What was found is the next stop of Tab.
    await look.focus()
    await page.keyboard.press('Enter')
    await expect(look).toBeFocused()
    const use = answer.getByRole('button', { name: 'Use parrot:1b' })
    await expect(use).toBeEnabled()
    await page.keyboard.press('Tab')
    await expect(use).toBeFocused()
    await page.keyboard.press('Enter')
    // What offered the model is gone once it is chosen.
    await expect(answer).toBeHidden()
    await page
      .getByRole('textbox', { name: 'The task', exact: true })
      .fill('What is the capital of Australia?')
    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('Canberra')
    // At twice the size what was asked has the whole width, below the list.
    await page.setViewportSize({ width: 640, height: 400 })
    const [list, own] = [
      await page.getByRole('region', { name: 'Asks' }).boundingBox(),
      await open.boundingBox(),
    ]
    expect(own?.width).toBe(list?.width)
    expect(own?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
  } finally {
    await server.close()
  }
})
