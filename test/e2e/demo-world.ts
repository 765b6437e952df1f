import type { Page } from '@playwright/test'

/** Has the demo model answer in the world of a task of its own, the `task`th (default: the first). */
export async function inDemoWorld(page: Page, task = '1'): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click()
  await page.getByRole('menuitemradio', { name: /^Loam demo/ }).click()
  await page.getByLabel('The task whose world it is').fill(task)
}
