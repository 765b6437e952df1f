import { expect } from '@playwright/test'
import type { CallOptions, GenerateRequest, LanguageModel } from '../../src/core/ground/chat'
import { startModelServer, type ModelServer } from '../fixtures/model-server'
import type { AppPage } from './pages/app-page'
import type { RunPage } from './pages/run-page'

/** A planner that always wants one look at the files, then answers. */
const scripted: LanguageModel = {
  contextSize: 8192,
  can: { tools: true, constraint: 'grammar', thinking: false, softPrompts: false },
  countTokens: (texts: readonly string[]) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate: ({ messages }: GenerateRequest, { onToken }: CallOptions = {}) => {
    const text =
      messages.length > 2
        ? 'FINAL ANSWER: 441.5'
        : JSON.stringify({ plan: [{ id: 1, description: 'Read the files that the task comes with.' }] })
    onToken?.(text)
    const usage = { promptTokens: 100, completionTokens: 20, reusedTokens: 0, ms: 5 }
    return Promise.resolve({ text, finish: 'end' as const, usage })
  },
} as unknown as LanguageModel

/**
 * Adds a connection to a server with a planner, tests it, and runs a question with it as planner and the demo model of this machine as
 * executor; `look` sees it. `planner` is what plans at the server. Default: a script.
 */
export async function onTwoModels(
  { app, run }: { app: AppPage; run: RunPage },
  look: (server: ModelServer) => Promise<void>,
  planner: LanguageModel = scripted,
): Promise<void> {
  const { page } = app
  const server = await startModelServer('big-planner', planner)
  try {
    await app.goTo('Models')
    const servers = page.getByRole('region', { name: 'Model servers' })
    await servers.getByRole('button', { name: 'Add a server' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a model server' })
    await dialog.getByLabel('Name').fill('workshop')
    await dialog.getByLabel('Address').fill(server.url)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await servers.getByRole('button', { name: 'Test' }).click()
    await expect(servers.getByRole('status')).toContainText('It has: big-planner')
    await app.goTo('Runs')
    await run.choose('Stream', /Questions over files/)
    await run.choose('Method', /^No memory/)
    await run.tasks(1)
    await page.getByText('Roles', { exact: true }).click()
    await page.getByRole('button', { name: /^Planner’s model:/ }).click()
    await page.getByRole('menuitemradio', { name: /big-planner/ }).click()
    await page.getByRole('button', { name: /^Executor’s model:/ }).click()
    await page
      .getByRole('menuitemradio', { name: /Loam demo/ })
      .first()
      .click()
    await expect(page.getByRole('button', { name: /^Planner’s model: .*big-planner/ })).toBeVisible()
    await run.start.click()
    await expect(run.progress).toHaveText('1 of 1 tasks', { timeout: 200_000 })
    await run.openTask(1)
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await page.getByRole('button', { name: /^Planner’s model: / }).scrollIntoViewIfNeeded()
    await look(server)
  } finally {
    await server.close()
  }
}
