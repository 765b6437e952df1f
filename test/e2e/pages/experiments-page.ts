import type { Locator, Page } from '@playwright/test'

/** The Experiments screen. */
export class ExperimentsPage {
  get start(): Locator {
    return this.page.getByRole('button', { name: 'Start experiment' })
  }
  /** How many cells it will be, and about how long. */
  get plan(): Locator {
    return this.page.getByTestId('plan')
  }
  get work(): Locator {
    return this.page.getByRole('status', { name: 'How much work this is' })
  }
  get progress(): Locator {
    return this.page.getByTestId('experiment-progress')
  }
  get cells(): Locator {
    return this.page.getByRole('region', { name: 'Cells' }).getByRole('button')
  }
  get figures(): Locator {
    return this.page.getByRole('region', { name: 'Figures' })
  }
  get cancel(): Locator {
    return this.page.getByRole('button', { name: 'Cancel', exact: true })
  }
  get pause(): Locator {
    return this.page.getByRole('button', { name: 'Pause', exact: true })
  }
  get resume(): Locator {
    return this.page.getByRole('button', { name: 'Resume', exact: true })
  }
  /** The link from a cell's run. */
  get back(): Locator {
    return this.page.getByRole('button', { name: /^A cell of/ })
  }

  constructor(private readonly page: Page) {}

  cell(name: RegExp): Locator {
    return this.cells.and(this.page.getByRole('button', { name }))
  }

  async method(title: string, on: boolean): Promise<void> {
    const box = this.page.getByRole('checkbox', { name: title })
    if (!(await box.isVisible())) await this.page.getByText(/^More methods/).click()
    await box.setChecked(on)
  }

  async exp(value: number): Promise<void> {
    await this.page.getByRole('button', { name: `K ${value}`, exact: true }).click()
  }

  async seeds(text: string): Promise<void> {
    await this.page.getByLabel('Seeds').fill(text)
  }

  async tasks(count: number): Promise<void> {
    await this.page.getByLabel('Number of tasks').fill(String(count))
  }

  async more(): Promise<void> {
    await this.page.getByText('More settings').click()
  }

  async baseline(option: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Baseline:/ }).click()
    await this.page.getByRole('menuitemradio', { name: option, exact: true }).click()
  }

  /** Saves what is composed (or open) and gives the file's text. */
  async save(): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByRole('button', { name: /^Save/ }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk as Uint8Array))
    return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() }
  }

  async openFile(name: string, text: string): Promise<void> {
    await this.page
      .getByLabel('Definition file')
      .setInputFiles({ name, mimeType: 'application/yaml', buffer: Buffer.from(text) })
  }
}
