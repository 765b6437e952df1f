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
    await answer.getByRole('button', { name: 'Use parrot:1b' }).click()
    // What offered the model is gone once it is chosen.
    await expect(answer).toBeHidden()
    await page
      .getByRole('textbox', { name: 'The task', exact: true })
      .fill('What is the capital of Australia?')
    await page.keyboard.press('Control+Enter')
    const open = page.getByRole('region', { name: 'The open ask' })
    await expect(open.getByRole('region', { name: 'The answer' })).toContainText('Canberra')
  } finally {
    await server.close()
  }
})
