import type { Page } from '@playwright/test'

/** Drags a file over the page and drops it, as a person does. */
export async function drop(page: Page, path: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 | 2 | 16 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await cdp.send('Input.dispatchDragEvent', { type, x: 640, y: 300, data })
}
