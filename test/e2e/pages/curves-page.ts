import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

/** The Learning curves screen. */
export class CurvesPage {
  get lead(): Locator {
    return this.page.getByTestId('curves-lead')
  }
  get chart(): Locator {
    return this.page.getByRole('application', { name: /^Curves/ })
  }
  get legend(): Locator {
    return this.page.getByTestId('legend-row')
  }
  get tooltip(): Locator {
    return this.chart.getByRole('status')
  }
  get attempt(): Locator {
    return this.page.getByRole('region', { name: 'The attempt behind the point' })
  }
  get smoothing(): Locator {
    return this.page.getByRole('slider', { name: 'Smoothing' })
  }

  constructor(private readonly page: Page) {}

  choice(name: RegExp): Locator {
    return this.page.getByRole('region', { name: 'What to draw' }).getByRole('checkbox', { name })
  }

  /** Chooses one of several things side by side. */
  async turnTo(label: string): Promise<void> {
    await this.page.getByRole('radio', { name: label, exact: true }).click()
  }

  /** Saves the chart as a file of that kind. */
  async save(kind: 'Picture' | 'Drawing' | 'Numbers'): Promise<{ name: string; bytes: Buffer }> {
    await this.page.getByRole('button', { name: 'Export', exact: true }).last().click()
    const waiting = this.page.waitForEvent('download')
    await this.page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click()
    const download = await waiting
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }

  /** Points at a place of the chart, in shares of its width and height. */
  async pointAt(x: number, y: number): Promise<void> {
    const box = await this.chart.boundingBox()
    if (!box) throw new Error('The chart is not on screen.')
    await this.page.mouse.move(box.x + x * box.width, box.y + y * box.height)
  }

  async clickPoint(): Promise<void> {
    await this.page.mouse.down()
    await this.page.mouse.up()
  }
}
