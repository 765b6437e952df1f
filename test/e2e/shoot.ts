import { join } from 'node:path'
import type { Page } from '@playwright/test'

const folder = process.env['LOAM_SHOTS']

/** A picture of the page in both themes at 900x700, for a person to look at, where a folder for them is named. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (folder === undefined) return
  const size = page.viewportSize()
  await page.setViewportSize({ width: 900, height: 700 })
  for (const theme of ['light', 'dark']) {
    await page.locator('html').evaluate((root, value) => (root.dataset['theme'] = value), theme)
    // Colours fade for a moment.
    await page.waitForTimeout(250)
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
  }
  if (size) await page.setViewportSize(size)
}
