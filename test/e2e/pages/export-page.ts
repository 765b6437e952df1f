import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** The Export dialog, from a screen with its button. */
export class ExportPage {
  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Export' })
  }

  constructor(private readonly page: Page) {}

  /** Saves the open memory. Resolves to the file's name and its lines as objects. */
  async download(): Promise<{ name: string; lines: Record<string, unknown>[] }> {
    const waiting = this.page.waitForEvent('download')
    await this.page.getByRole('button', { name: 'Export…' }).click()
    await this.dialog.getByRole('button', { name: 'Save file' }).click()
    const download = await waiting
    const text = await readFile(await download.path(), 'utf8')
    const lines = text.trimEnd().split('\n')
    return {
      name: download.suggestedFilename(),
      lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    }
  }
}
