import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'docs', 'screenshots')

/** Takes pictures under their names, each once what was asked for is on screen and still; paths below `home` lose their beginning. */
export function camera(page: Page, home = root) {
  mkdirSync(folder, { recursive: true })
  return async (name: string): Promise<void> => {
    // Nothing that only the pointer makes, and no paths of the machine that takes the picture.
    await page.mouse.move(page.viewportSize()?.width ?? 0, page.viewportSize()?.height ?? 0)
    await page.evaluate(
      (prefixes) => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        for (let text = texts.nextNode(); text; text = texts.nextNode())
          for (const prefix of prefixes)
            if (text.nodeValue?.includes(prefix)) text.nodeValue = text.nodeValue.replaceAll(prefix, '…')
      },
      [home, root],
    )
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
  }
}
