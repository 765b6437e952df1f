import type { Locator, Page } from '@playwright/test'

/** Drags a file over the page and drops it, as a person does; onto a part of it where that is named, after `beforeDrop`. */
export async function drop(
  page: Page,
  path: string,
  onto?: Locator,
  beforeDrop?: () => Promise<unknown>,
): Promise<void> {
  const box = await onto?.boundingBox()
  const [x, y] = box ? [box.x + box.width / 2, box.y + box.height / 2] : [640, 300]
  const cdp = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 | 2 | 16 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    if (type === 'drop') await beforeDrop?.()
    await cdp.send('Input.dispatchDragEvent', { type, x, y, data })
  }
}
