import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** The Export screen. */
export class ExportPage {
  get button(): Locator {
    return this.page.getByRole('button', { name: 'Download', exact: true })
  }

  constructor(private readonly page: Page) {}

  /** Downloads the open memory. Resolves to the file's name and its lines as objects. */
  async download(): Promise<{ name: string; lines: Record<string, unknown>[] }> {
    const waiting = this.page.waitForEvent('download')
    await this.button.click()
    const download = await waiting
    const text = await readFile(await download.path(), 'utf8')
    const lines = text.trimEnd().split('\n')
    return {
      name: download.suggestedFilename(),
      lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    }
  }
}
